// What the doctor finds out about the target itself from replies that it has anyway: clock, proxies, limits.
import { documentedMinuteMs, type RateClass } from '../catalogue/operations.ts';
import type { Reply } from '../client/reply.ts';
import type { Target } from '../configuration/settings.ts';
import type { CredentialStatus, CredentialStatuses } from '../fixtures/probe.ts';
import { duration } from '../runtime/text.ts';

/** A Date header has whole seconds, and replies take their time; only more than this is a skew, in milliseconds. */
const skewMsMin = 5_000;
const classes: readonly RateClass[] = ['read', 'write', 'validate'];

function clock(me: Reply): Check {
  const date = Date.parse(me.headers.date ?? '');
  if (Number.isNaN(date))
    return { what: 'clock', state: 'open', says: 'The target does not say what time it is (no Date header).' };
  const skew = date - (me.sentAt + me.receivedAt) / 2;
  if (Math.abs(skew) <= skewMsMin)
    return { what: 'clock', state: 'fine', says: 'The clocks of target and client agree.' };
  return {
    what: 'clock',
    state: 'wrong',
    says: `The target’s clock is ${duration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} this machine’s.`,
    remedy: 'Set both by NTP: sessions may count as expired too early or too late, and waits may be too short.',
  };
}

const traces = ['via', 'x-cache', 'x-served-by', 'cf-ray', 'x-amz-cf-id', 'x-envoy-upstream-service-time', 'x-varnish'];

function proxy({ headers }: Reply): readonly Check[] {
  const found = traces.filter((name) => headers[name] !== undefined).map((name) => `${name}: ${headers[name]}`);
  if (found.length === 0) return [];
  return [
    {
      what: 'proxy',
      state: 'open',
      says: `Something answers between here and the target (${found.join(', ')}).`,
      remedy:
        'What it caches, repeats, cuts off or answers itself is judged as the target’s; where you can, go round it.',
    },
  ];
}

function limitsOf({ credential, limits }: CredentialStatus): Check {
  const unread = classes.filter((rate) => limits[rate] === undefined);
  const what = `limits of ${credential.name}`;
  if (unread.length === 0) {
    const known = classes.map((rate) => `${limits[rate]} ${rate}s`);
    return { what, state: 'fine', says: `Known: ${known.join(', ')} a minute.` };
  }
  return {
    what,
    state: 'missing',
    says: `GET /me does not report in a form that can be read how many ${unread.join(', ')} requests a minute are allowed.`,
    remedy: `Set ${unread.map((rate) => `COVENANT_LIMIT_${rate.toUpperCase()}`).join(', ')} to the limits of that account.`,
  };
}

const minute = ({ minuteMs }: Target): readonly Check[] =>
  minuteMs === documentedMinuteMs
    ? []
    : [
        {
          what: 'COVENANT_MINUTE_MS',
          state: 'open',
          says: `The rate-limit minute is set to ${minuteMs} ms, so no run can be a certificate.`,
          remedy: 'Leave it unset unless the target is a sandbox.',
        },
      ];

/** The account whose limits are exceeded on purpose is the one whose limits must be known. */
export function targetChecks(target: Target, statuses: CredentialStatuses): readonly Check[] {
  const primary = statuses.get('COVENANT_API_KEY');
  const exhausted = statuses.get('COVENANT_RATE_API_KEY') ?? primary;
  const answered: Check = { what: 'target', state: 'fine', says: `${target.baseUrl} answers as the interface does.` };
  return [
    answered,
    ...(primary?.me ? [clock(primary.me), ...proxy(primary.me)] : []),
    ...minute(target),
    ...(exhausted ? [limitsOf(exhausted)] : []),
  ];
}

/**
 * `fine`; `missing`: not configured, so something goes untested; `wrong`: configured, and not what it should be;
 * `open`: cannot be known without writing.
 */
export type State = 'fine' | 'missing' | 'wrong' | 'open';

export interface Check {
  /** A variable, or a part of the target. */
  readonly what: string;
  readonly state: State;
  /** One sentence. */
  readonly says: string;
  /** What to do, in one sentence. */
  readonly remedy?: string;
}
