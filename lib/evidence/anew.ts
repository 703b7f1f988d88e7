// An old record judged by newer suites: which verdicts move, and of which nothing can be said because other questions are asked.
import type { Suite } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { CaseVerdict } from '../result.ts';
import { select } from '../run/selection.ts';
import { type Moved, movedVerdicts } from './differences.ts';
import { RecordedReplies } from './recorded-replies.ts';
import { rejudge } from './rejudge.ts';
import type { WholeEvidence } from './replayed.ts';

export interface Anew {
  readonly moved: readonly Moved[];
  /** Their questions changed, or they ask what was not asked then. */
  readonly notJudged: readonly string[];
  /** How many requirements are judged as they were. */
  readonly same: number;
}

/** Cases that ask in another order may wait for their allowance elsewhere: then the time of a reply is no longer that of its coming. */
const aboutTime: readonly RequirementId[] = ['envelope-timestamp-moves', 'envelope-timestamp-clock'];

const invariantsOf = (suites: readonly Suite[]): readonly string[] =>
  suites.flatMap(({ cases }) => cases).flatMap((one) => (one.kind === 'invariant' ? [one.id] : []));

const open: readonly CaseVerdict[] = ['not-tested', 'inconclusive'];

/** Would the implementation's old run still pass? Sends nothing. */
export async function judgedAnew(suites: readonly Suite[], evidence: WholeEvidence): Promise<Anew> {
  const { header, entries, found } = evidence;
  const { brief, unanswered, late } = await rejudge({ suites, header, replies: new RecordedReplies(entries) });
  const { cases, titles } = select(suites, header.settings);
  const changed = cases.filter((one) => unanswered.has(titles.get(one) ?? ''));
  const asking = new Set<string>([...changed.flatMap(({ ids }) => ids), ...(late ? aboutTime : [])]);
  // Rules take every reply for the answer to what is asked now, also the nearest one to another question, and in the
  // order in which it is asked now.
  const isOtherwise = unanswered.size > 0 || late;
  const looked = new Set<string>(isOtherwise ? suites.flatMap(({ rules }) => rules?.ids ?? []) : []);
  // What any reply may break was perhaps broken by one that is not asked for now.
  const ofAll = new Set<string>(unanswered.size > 0 ? [...looked, ...invariantsOf(suites)] : []);
  const verdicts = Object.fromEntries(brief.requirements.map(({ id, verdict }) => [id, verdict]));
  // What a missing reply leaves open was not open in the record.
  const isSilent = ({ requirement, was, is }: Moved): boolean =>
    was === undefined ||
    is === undefined ||
    asking.has(requirement) ||
    (is === 'failed' && looked.has(requirement)) ||
    (was === 'failed' && ofAll.has(requirement)) ||
    (unanswered.size > 0 && brief.requirements.some(({ id, verdict }) => id === requirement && open.includes(verdict)));
  const differing = movedVerdicts(found.verdicts, verdicts);
  const moved = differing.filter((one) => !isSilent(one));
  const notJudged = new Set([...differing.filter(isSilent).map(({ requirement }) => requirement), ...asking]);
  const judged = Object.keys(verdicts).filter((id) => !notJudged.has(id)).length;
  return { moved, notJudged: [...notJudged], same: judged - moved.length };
}
