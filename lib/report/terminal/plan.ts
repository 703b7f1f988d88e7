// What a run will cost, before it begins; and after it, what it did cost beside that.
import type { RateClass } from '../../catalogue/operations.ts';
import type { Plan, Report } from '../../result.ts';
import { counted, duration } from '../../runtime/text.ts';
import { indented, type Style, table } from './layout.ts';

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
