// The gate between two runs: what is worse than before, the exit code that says so, and all that changed in words, the same for the terminal, Markdown and HTML.
import { UsageError } from '../configuration/settings.ts';
import type { Report, RequirementResult } from '../result.ts';
import { counted, short } from '../runtime/text.ts';
import { type Change, type Changes, changes, isUndecided, seedsOf } from './changes.ts';
import { exitCodes, failingWaivers, isWaived, waiverFor } from './exit-code.ts';

export interface Comparison {
  readonly changes: Changes;
  /** MUST requirements that fail now and did not, and that no waiver covers. */
  readonly failing: readonly Change[];
  /** MUST requirements that were judged before and are not now, untested or left out. */
  readonly untested: readonly RequirementResult[];
  readonly exitCode: number;
}

/** Where only some operations are new, a waiver for these is enough. */
function covered(after: Report, change: Change): boolean {
  if (change.operations === undefined) return isWaived(after, change);
  const fresh = change.cases.filter(
    ({ verdict, operation }) =>
      verdict === 'failed' && operation !== undefined && change.operations?.includes(operation),
  );
  return fresh.every((one) => waiverFor(after, change, one) !== undefined);
}

/** @throws UsageError where the earlier run judged nothing: every comparison with it would look fine. */
export function checkBaseline(before: Report, where: string, better = 'one that came to its end'): void {
  const judged = before.requirements.some(({ verdict }) => verdict === 'passed' || verdict === 'failed');
  if (before.verdict !== 'aborted' && judged) return;
  throw new UsageError(`${where} is the report of a run that judged nothing; compare with ${better}.`);
}

/**
 * 1: a MUST newly fails without a waiver, or a waiver of the later run is expired or stale; 3: a MUST that was judged is
 * not any more, or the runs have no question in common; 0: nothing is worse.
 */
export function compare(before: Report, after: Report): Comparison {
  const found = changes(before, after);
  const must = ({ level }: RequirementResult): boolean => level === 'must';
  const failing = found.failing.filter((change) => must(change) && !covered(after, change));
  const unselected = found.incomparable.unselectedNow.filter(({ verdict }) => !isUndecided(verdict));
  const untested = [...found.undecided, ...unselected].filter(must);
  const worse = failing.length > 0 || failingWaivers(after).length > 0;
  const open = untested.length > 0 || found.compared === 0 || after.verdict === 'aborted';
  return {
    changes: found,
    failing,
    untested,
    exitCode: worse ? exitCodes.nonConformant : open ? exitCodes.incomplete : exitCodes.conformant,
  };
}

/** The comparison in one sentence. */
export function comparisonSentence({ failing, untested, changes: found }: Comparison, after: Report): string {
  const unfit = failingWaivers(after).length;
  const parts = [
    failing.length > 0 ? `${counted(failing.length, 'MUST requirement')} newly failing` : '',
    untested.length > 0 ? `${counted(untested.length, 'MUST requirement')} no longer tested` : '',
    unfit > 0 ? `${counted(unfit, 'waiver')} expired or stale` : '',
    found.compared === 0 ? 'no question in common' : '',
    after.verdict === 'aborted' ? 'the later run was aborted' : '',
  ].filter((part) => part !== '');
  const { profiles } = found;
  const other = profiles
    ? `The runs are of different profiles, ${profiles.before} before and ${profiles.after} now, and only what both ask is compared. `
    : '';
  return `${other}${parts.length === 0 ? 'Nothing is worse than before.' : `Worse than before: ${parts.join(', ')}.`}`;
}

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

const hasChanges = ({ failing, passing, undecided, withdrawn, answers, incomparable }: Changes): boolean =>
  [failing, passing, undecided, withdrawn, answers, incomparable.unselectedNow].some((some) => some.length > 0);

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
    { title: 'Not compared', lines: incomparableLines(found) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}
