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
    ? 'Nothing stays behind.'
    : `Stays behind, because the interface takes none of it back: ${residue.map(({ kind, count }) => `${count} × ${kind}`).join(', ')}.`;

const requestsOf = ({ requests }: Plan, rate: RateClass): number =>
  requests.reduce((sum, one) => sum + (one.class === rate ? one.requests : 0), 0);
const named = (count: number, rate: RateClass): string => counted(count, rate === 'validate' ? 'validation' : rate);

/** What it sends and how long that takes, on one line. */
export const costSentence = (plan: Plan): string =>
  `${classes.map((rate) => named(requestsOf(plan, rate), rate)).join(', ')}; at least ${duration(plan.duration_ms)} under the limits`;

/** What it leaves behind, on one line. */
export const staysSentence = ({ residue }: Plan): string =>
  residue.length === 0
    ? 'nothing'
    : `${residue.map(({ kind, count }) => `${count} × ${kind}`).join(', ')}; the interface offers no way to delete them`;

/** Requests a class and account, records that stay, and the least time that the limits allow. */
export function planText(plan: Plan, style: Style): string {
  const sentences = [
    left(plan),
    `Takes at least ${duration(plan.duration_ms)} under the limits that are configured, or else the document’s; the time of the replies is not counted.`,
    'Measured against the bundled reference; a target that answers otherwise may cost more or less.',
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

/** The plan beside what was really sent; undefined where there was none. */
export function plannedSentence({ plan, budget }: Report): string | undefined {
  if (plan === undefined) return undefined;
  const sent = (rate: RateClass): number => budget.reduce((sum, one) => sum + (one.class === rate ? one.sent : 0), 0);
  const parts = classes.map((rate) => `${named(requestsOf(plan, rate), rate)} (sent ${sent(rate)})`);
  return `Planned were ${parts.join(', ')}.`;
}
