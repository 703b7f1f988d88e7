// What changed between two runs in words: the same sections for the terminal, Markdown and HTML.
import type { Report } from '../result.ts';
import { counted, short } from '../runtime/text.ts';
import { type Change, type Changes, seedsOf } from './changes.ts';
import { type CostChange, thresholds } from './changes-cost.ts';
import { isWaived } from './exit-code.ts';

export interface ChangeLine {
  /** The requirement that it is about; absent where it is about none. */
  readonly id?: string;
  readonly text: string;
  /** A failure of what the document says: named however many there are. */
  readonly must?: true;
}

export interface ChangeSection {
  readonly title: string;
  readonly lines: readonly ChangeLine[];
}

const hasChanges = ({ failing, passing, undecided, withdrawn, answers, cost, incomparable }: Changes): boolean =>
  [failing, passing, undecided, withdrawn, answers, incomparable.unselectedNow, ...Object.values(cost)].some(
    (some) => some.length > 0,
  );

/** Who changed: said first, because it decides who has to do something. */
export function attribution(found: Changes): string {
  const { cause, compared, profiles, terms } = found;
  if (compared === 0) return 'The two runs have no question in common, so nothing can be compared.';
  const asked = `${counted(compared, 'question')} asked in both runs.`;
  if (!hasChanges(found)) return `${asked} Nothing changed.`;
  if (cause !== 'target')
    return `${asked} The suite is another version, so a check may have changed although its question did not: run the older suite against the target of today to find out whose change it is.`;
  if (profiles)
    return `${asked} Suite and catalogue are the same, but not the profiles, so what changed may be the target or the credentials it was asked with.`;
  const seeds = seedsOf(terms);
  return seeds === undefined
    ? `${asked} Suite, catalogue and seed are the same, so what changed is the target.`
    : `${asked} Suite and catalogue are the same, and the seed is not (${seeds}), so what changed is the target, or what the runs chose to send: run with the seed of before to find out.`;
}

const partMax = 140;

/** Of two texts that list their parts, what the other has not, from the first word on that differs. */
function differing(before: string, after: string): readonly [string, string] {
  const partsOf = (text: string): readonly string[] => text.split('; ');
  const only = (one: string, other: string): string =>
    partsOf(one)
      .filter((part) => !partsOf(other).includes(part))
      .join('; ') || 'nothing more';
  const [was, is] = [only(before, after), only(after, before)];
  let same = 0;
  while (same < was.length && was[same] === is[same]) same += 1;
  const from = was.slice(0, same).lastIndexOf(' ') + 1;
  const cut = (text: string): string => short(from > partMax / 2 ? `… ${text.slice(from)}` : text, partMax);
  return [cut(was), cut(is)];
}

function changeText(change: Change): string {
  const { level, statement, was, operations, reason } = change;
  const where = operations === undefined ? `was ${was}` : `now also at ${operations.join(', ')}`;
  return `${level.toUpperCase()}, ${where}: ${statement}${reason === undefined ? '' : ` (${reason})`}`;
}

const changeLines = (some: readonly Change[], mark: (change: Change) => string = () => ''): readonly ChangeLine[] =>
  some.map((change) => ({
    id: change.id,
    text: `${mark(change)}${changeText(change)}`,
    ...(change.verdict === 'failed' && change.level === 'must' && { must: true }),
  }));

function costLines({ cost }: Changes): readonly ChangeLine[] {
  const lines = (some: readonly CostChange[], before: string, unit = '') =>
    some.map((one) => ({ text: `${before}${one.what}: ${one.before}${unit}, now ${one.after}${unit}` }));
  return [
    ...lines(cost.limits, 'limit of '),
    ...lines(cost.sent, 'sent '),
    ...lines(cost.throttled, 'unexpected 429s to '),
    ...lines(cost.latency, 'median of ', ' ms'),
  ];
}

function incomparableLines({ incomparable }: Changes): readonly ChangeLine[] {
  const line = (ids: readonly string[], why: string): readonly ChangeLine[] =>
    ids.length === 0 ? [] : [{ text: `${why}: ${ids.join(', ')}` }];
  return [
    ...line(incomparable.added, 'new in this suite'),
    ...line(incomparable.removed, 'no longer in this suite'),
    ...line(incomparable.reworded, 'another question than before'),
    ...line(incomparable.unselectedBefore, 'not selected before'),
  ];
}

/** Every kind of change that there is; empty where nothing changed. `after` is the later report. */
export function changeSections(found: Changes, after: Report): readonly ChangeSection[] {
  const cost = costLines(found);
  const sections: readonly ChangeSection[] = [
    { title: 'The runs differ in', lines: found.terms.map((text) => ({ text })) },
    {
      title: 'Newly failing',
      lines: changeLines(found.failing, (change) => (isWaived(after, change) ? 'waived, ' : '')),
    },
    { title: 'No longer judged', lines: changeLines(found.undecided) },
    {
      title: 'No longer selected',
      lines: found.incomparable.unselectedNow.map(({ id, level, verdict, statement }) => ({
        id,
        text: `${level.toUpperCase()}, was ${verdict}: ${statement}`,
      })),
    },
    { title: 'No longer offered', lines: changeLines(found.withdrawn) },
    { title: 'Newly passing', lines: changeLines(found.passing) },
    {
      title: 'Other behaviour where the document is silent',
      lines: found.answers.map(({ id, question, ...answer }) => {
        const [before, now] = differing(answer.before, answer.after);
        return { id, text: `${question} Before: ${before} Now: ${now}` };
      }),
    },
    { title: 'Requests, limits and times', lines: cost.length === 0 ? [] : [...cost, { text: thresholds }] },
    { title: 'Not compared', lines: incomparableLines(found) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}
