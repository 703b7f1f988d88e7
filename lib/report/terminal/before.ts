// What is said before a run begins: what is examined against what, and what it will cost; and after it, what it did cost beside that.
import { apiPath, documentedMinuteMs, type RateClass } from '../../catalogue/operations.ts';
import { defaultProfile, profiles } from '../../catalogue/profiles.ts';
import { describeNetwork, type NetworkSettings } from '../../configuration/network.ts';
import { credentialNames, existsIn, type Settings, type Target } from '../../configuration/settings.ts';
import type { Plan, Report } from '../../result.ts';
import { counted, duration } from '../../runtime/text.ts';
import { indented, labelled, listed, type Style, table } from './layout.ts';

export interface Heading {
  readonly target: Target;
  readonly network: NetworkSettings;
  readonly settings: Settings;
  /** The target is the reference that this run started itself. */
  readonly bundled: boolean;
  readonly version: string;
  readonly digest: string;
}

/** Without it the primary account is exhausted, so nothing goes untested. */
const replaceable = 'COVENANT_RATE_API_KEY';
const namesShown = 3;
const digestShown = 12;

function selection({ areas, requirements, readOnly, exhaustion, shard }: Settings): string {
  const parts = [
    areas && `areas ${areas.join(', ')}`,
    requirements && `requirements ${listed(requirements, namesShown)}`,
    readOnly && 'reads only',
    !exhaustion && 'no limit is exceeded',
    shard && `shard ${shard.index} of ${shard.of}`,
  ].filter(Boolean);
  return parts.join('; ') || 'everything';
}

export function heading({ target, network, settings, bundled, version, digest }: Heading, style: Style): string {
  const line = (label: string, text: string): string[] => labelled(label, text, style);
  const { profile = defaultProfile } = settings;
  const present = credentialNames.filter((name) => target.credentials[name] !== undefined);
  const absent = credentialNames.filter(
    (name) => name !== replaceable && !present.includes(name) && existsIn(name, profile),
  );
  const hurry = ` of a clock ${target.clockRate} times as fast as the machine’s that stands still during requests`;
  const clock = target.clockRate === undefined ? '' : hurry;
  const minute = `${target.minuteMs} ms instead of ${documentedMinuteMs}${clock}, so that waits are short; no certificate can rest on such a run`;
  const named = Object.keys(target.headers ?? {});
  const headers = named.length === 0 ? '' : `extra headers ${named.join(', ')}`;
  return [
    style.colors.bold(`Covenant ${version}`),
    ...line('target', `${target.baseUrl}${apiPath}${bundled ? ' (the bundled reference, started for this run)' : ''}`),
    ...line('network', [describeNetwork(network), headers].filter(Boolean).join(', ')),
    ...line('interface', `2026-03, catalogue ${digest.slice(0, digestShown)}`),
    ...line('credentials', present.join(', ') || 'none'),
    ...line('not set', absent.length === 0 ? '' : `${absent.join(', ')}; what needs them is not tested`),
    ...line('minute', target.minuteMs === documentedMinuteMs ? '' : minute),
    ...line('profile', profile === defaultProfile ? '' : `${profile}, ${profiles[profile].meaning}`),
    ...line('selected', selection(settings)),
    ...line('effort', `${settings.effort}, ${settings.concurrency} at a time`),
    ...line('seed', String(settings.seed)),
    '',
    '',
  ].join('\n');
}

const classes: readonly RateClass[] = ['read', 'write', 'validate'];

function requestRows({ requests }: Plan): string[][] {
  const accounts = [...new Set(requests.map(({ account }) => account))];
  const amount = (account: string, rate: RateClass): string =>
    String(requests.find((one) => one.account === account && one.class === rate)?.requests ?? 0);
  return accounts.map((account) => [account, ...classes.map((rate) => amount(account, rate))]);
}

const left = ({ residue }: Plan): string =>
  residue.length === 0
    ? 'Nothing stays.'
    : `At most ${residue.map(({ kind, count }) => `${count} × ${kind}`).join(', ')} stay, because the interface takes none of it back.`;

const requestsOf = ({ requests }: Plan, rate: RateClass): number =>
  requests.reduce((sum, one) => sum + (one.class === rate ? one.requests : 0), 0);
const named = (count: number, rate: RateClass): string => counted(count, rate === 'validate' ? 'validation' : rate);

/** What it takes, sends and leaves behind, as soon as the accounts are known. */
export const forecastSentence = (plan: Plan): string =>
  `This takes about ${duration(plan.duration_ms)}: ${requestsIn(plan)}. ${left(plan)}`;

/** From one time to another, where two accounts of it differ. */
const between = (times: readonly number[]): string =>
  [...new Set([Math.min(...times), Math.max(...times)].map(duration))].join(' to ');

/** Requests a class and account, records that stay, and the time; of two plans the bounds, before a probe has shown more. */
export function planText(plans: readonly [Plan, Plan?], style: Style): string {
  const [plan, other] = plans;
  const times = between([plan, other ?? plan].map(({ duration_ms }) => duration_ms));
  const sentences = [
    left(plan),
    other
      ? `Takes ${times} under the limits that are configured, or else the document’s: it depends on which credentials share an account, and the replies take time, too. A run says it when it has asked GET /me.`
      : `Takes about ${times} under the limits that GET /me reports.`,
    'A target that accepts what it should refuse keeps more.',
  ];
  const rows = [['account', 'reads', 'writes', 'validations'], ...requestRows(plan)];
  return [
    style.colors.bold('What a run will cost'),
    '',
    ...table(rows, (line, index) => (index === 0 ? style.colors.dim(line) : line)),
    '',
    ...sentences.flatMap((sentence) => indented(sentence, style, 2)),
    '',
  ].join('\n');
}

const requestsIn = (plan: Plan): string => classes.map((rate) => named(requestsOf(plan, rate), rate)).join(', ');

/** What was planned, beside what was sent; undefined where there was no plan. */
export const plannedSentence = ({ plan }: Report): string | undefined => plan && `The plan said ${requestsIn(plan)}.`;
