// Wrong ways to limit: the wrapper's own limiter for the accounts of one tier, and other wordings of its refusals.
import { apiPath } from '../../../lib/catalogue/operations.ts';
import type { Handler, RateClass, Tier } from '../../reference/index.ts';
import type { ChangeEnv, Mutant } from '../mutant.ts';
import type { Json } from './mutator.ts';
import { onReply, onSuccess, refusal, type Seen, see } from './mutator.ts';

const minuteMs = 60_000;
/** More than any run sends: the honest server then never refuses. */
const unlimited = 1_000_000;
/** The limits of the metered account, which has the lowest tier; no other account has the same. */
const metered: Readonly<Record<RateClass, number>> = { read: 40, write: 10, validate: 10 };
const inForceOf = {
  starter: metered,
  business: { read: 600, write: 120, validate: 60 },
} as const satisfies Partial<Record<Tier, Readonly<Record<RateClass, number>>>>;
type MeteredTier = keyof typeof inForceOf;

const validate = 'POST /auth/validate-api-key';
export const classOf = ({ operation }: Seen): RateClass =>
  operation === validate ? 'validate' : operation.startsWith('GET ') ? 'read' : 'write';

/** The key that is charged: the caller's, or the one that is validated; one that no header can hold is nobody's. */
function payer(seen: Seen): string {
  const key = String((seen.body as Json | undefined)?.api_key).replace(/[^\x20-\x7e]/g, '');
  const bearer = seen.request.headers.get('authorization') ?? '';
  return classOf(seen) === 'validate' ? `Bearer ${key}` : bearer;
}

const tooMany = (ms: number): Response =>
  refusal(
    429,
    'RATE_LIMITED',
    `Rate limit exceeded. Please wait ${Math.max(1, Math.ceil(ms / 1000))} seconds before retrying.`,
  );

/** Reports a limit to the metered account that differs from the one in force. */
export const reporting = (rate: RateClass, limit: number, inForce: number = metered[rate]) =>
  onSuccess('GET /me', (json) => {
    const { platform, ...data } = json.data as { platform: { rate_limits: Json } };
    const name = `${rate}_per_minute`;
    const reported =
      platform.rate_limits[name] === inForce ? { ...platform.rate_limits, [name]: limit } : platform.rate_limits;
    return { ...json, data: { ...data, platform: { ...platform, rate_limits: reported } } };
  });

/** Changes the error of a 429 of one class. */
export const onRefusal = (rate: RateClass, change: (json: Json) => Json) =>
  onReply(
    (seen) => classOf(seen) === rate,
    (json, _, status) => (status === 429 ? change(json) : json),
  );

export const onMessage = (rate: RateClass, words: (seconds: number) => string) =>
  onRefusal(rate, (json) => {
    const error = json.error as Json;
    return { ...json, error: { ...error, message: words(Number(/\d+/.exec(String(error.message))?.[0])) } };
  });

/** One request of a metered account. */
interface Metered {
  readonly seen: Seen;
  readonly token: string;
  /** The account of a key; of a session the one that it had stored when it first came. */
  readonly account: string;
}

export interface Limit {
  /** The name of the budget that a request is charged to; undefined is not counted. */
  readonly budget?: (request: Metered) => string | undefined;
  readonly windowMs?: number;
  readonly limit?: number;
  /** For this long after a refusal, every further request is refused. */
  readonly penaltyMs?: number;
  /** Requests that are refused, but still carried out. */
  readonly carriesOut?: (seen: Seen) => boolean;
}

interface Window {
  since: number;
  used: number;
}

class Meter {
  private readonly windows = new Map<string, Window>();
  private readonly blocked = new Map<string, number>();
  private readonly rule: Limit;
  private readonly limit: number;

  constructor(limit: number, rule: Limit) {
    this.rule = rule;
    this.limit = rule.limit ?? limit;
  }

  /** The milliseconds to wait that a refusal reports; 0 where the request may pass. */
  spend(name: string, now: number): number {
    const { windowMs = minuteMs, penaltyMs } = this.rule;
    if ((this.blocked.get(name) ?? 0) > now) return windowMs;
    const old = this.windows.get(name);
    const window = old && now < old.since + windowMs ? old : { since: now, used: 0 };
    this.windows.set(name, window);
    window.used += 1;
    if (window.used <= this.limit) return 0;
    if (penaltyMs !== undefined) this.blocked.set(name, now + penaltyMs);
    return window.since + windowMs - now;
  }
}

/** The metered account that a key belongs to, if it does; asked once a key. */
function meteredKeys(honest: Handler, rate: RateClass): (seen: Seen, token: string) => Promise<string | undefined> {
  const known = new Map<string, string | undefined>();
  return async ({ url }, token) => {
    if (known.has(token)) return known.get(token);
    const me = new URL(`${apiPath}/me`, url);
    const response = await honest(new Request(me, { headers: { authorization: token, 'x-origin-app': 'lab' } }));
    // The reads of no other account are ever spent.
    if (response.status === 429) return 'metered';
    const json = (await response.json()) as { data?: { account: Json | null; platform: { rate_limits: Json } } };
    const is = json.data?.platform.rate_limits[`${rate}_per_minute`] === unlimited;
    const account = is ? String(json.data?.account?.id) : undefined;
    known.set(token, account);
    return account;
  };
}

/** Limits one class of the metered account, or of all accounts of another tier, by a rule of the wrapper. */
export function limiting(
  rate: RateClass,
  rule: Limit,
  tier: MeteredTier = 'starter',
): Pick<Mutant, 'reference' | 'wrap'> {
  const { budget = () => 'all', carriesOut = () => false } = rule;
  const limit = inForceOf[tier][rate];
  return {
    reference: { tiers: { [tier]: { [rate]: unlimited } } },
    wrap: (honest, clock) => {
      const meter = new Meter(limit, rule);
      const accountOf = meteredKeys(honest, rate);
      const served = reporting(rate, limit, unlimited)(honest, clock);
      return async (request) => {
        const seen = await see(request);
        const token = payer(seen);
        const account = await accountOf(seen, token);
        if (account === undefined || classOf(seen) !== rate || seen.operation === 'GET /health') return served(request);
        const name = budget({ seen, token, account });
        const waitMs = name === undefined ? 0 : meter.spend(name, clock.now());
        if (waitMs === 0) return served(request);
        if (carriesOut(seen)) await served(request);
        return tooMany(waitMs);
      };
    },
  };
}

/** While the budget of one class of a key is spent, refuses the requests that `concerns` selects as well. */
export const spilling =
  (from: RateClass, concerns: (seen: Seen, spentBy: string) => boolean): Mutant['wrap'] =>
  (honest, clock) => {
    const spent = new Map<string, number>();
    return async (request) => {
      const seen = await see(request);
      const now = clock.now();
      for (const [token, until] of spent) if (until > now && concerns(seen, token)) return tooMany(until - now);
      const response = await honest(request);
      const seconds = Number(response.headers.get('retry-after'));
      if (response.status === 429 && classOf(seen) === from) spent.set(payer(seen), now + seconds * 1000);
      return response;
    };
  };

export const isBy = (seen: Seen, token: string): boolean => seen.request.headers.get('authorization') === token;

/** Without an account of its own for it, a run exceeds the limits of COVENANT_API_KEY. */
export const withoutRateKeys: ChangeEnv = ({ COVENANT_RATE_API_KEY: _, COVENANT_RATE_API_KEY_SIBLING: __, ...env }) =>
  env;
