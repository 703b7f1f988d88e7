// Live controls: each requirement that passed is seen to fail once recorded replies are changed, on the run's own replies.
import type { Suite } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { RecordedHistory } from '../client/recorder.ts';
import type { Reply } from '../client/reply.ts';
import type { Report } from '../result.ts';
import { findingsOf } from '../run/judge-history.ts';
import { changesOf } from './changes.ts';
import { type Evidence, historyOf } from './read.ts';

export interface Controls {
  /** How many MUSTs passed. */
  readonly musts: number;
  /** How many of them were seen to fail. */
  readonly shown: number;
  readonly notShown: readonly string[];
}

/** The MUSTs that passed: only of them there is something to be shown. */
export const greenMusts = ({ requirements }: Pick<Report, 'requirements'>): string[] =>
  requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'passed').map(({ id }) => id);

/** So many rounds in a row that show nothing new are enough. */
const idleMax = 12;
/** So many replies are changed in a round, and so many for each requirement: most of the history stays as it was. */
const changedMax = 250;
const changedEach = 5;

/**
 * In each round some changes for each requirement that was not yet seen to fail, all of them judged at once: what a change
 * for one requirement makes fail of others counts as well.
 */
export function controlsOf(
  { exchanges, found }: Evidence,
  suites: readonly Suite[],
  onShown: (shown: number) => void = () => {},
): Controls {
  if (found === undefined) return { musts: 0, shown: 0, notShown: [] };
  const history = historyOf(exchanges, found);
  const green = greenMusts(found.report) as RequirementId[];
  const judged = new Map<RequirementId, Set<Reply>>();
  const ids = new Set(green);
  findingsOf(suites, history, ids, (id, reply) => judged.set(id, (judged.get(id) ?? new Set()).add(reply)));
  const left = new Map(green.map((id) => [id, new Changes(changesOf([...(judged.get(id) ?? [])], history.replies))]));
  for (let idle = 0; idle < idleMax && left.size > 0; idle += 1) {
    const changed = changedBy([...left.values()]);
    if (changed.size === 0) break;
    const findings = findingsOf(suites, withChanges(history, changed), new Set(left.keys()));
    const seen = [...left.keys()].filter((id) => findings.of(id).some(({ verdict }) => verdict === 'failed'));
    for (const id of seen) left.delete(id);
    if (seen.length > 0) idle = 0;
    onShown(green.length - left.size);
  }
  return { musts: green.length, shown: green.length - left.size, notShown: [...left.keys()] };
}

/** Hands out what stands in place of replies, for one requirement; what does not fit into one round comes in the next. */
class Changes {
  private readonly all: Iterator<Reply>;
  private next: Reply | undefined;

  constructor(all: Iterator<Reply>) {
    this.all = all;
  }

  /** Adds the next one unless its reply is changed already; whether it did. */
  addTo(changed: Map<number, Reply>): boolean {
    this.next ??= this.all.next().value;
    if (this.next === undefined || changed.has(this.next.id)) return false;
    changed.set(this.next.id, this.next);
    this.next = undefined;
    return true;
  }
}

/** In turn one of each. */
function changedBy(all: readonly Changes[]): ReadonlyMap<number, Reply> {
  const changed = new Map<number, Reply>();
  const most = Math.min(changedMax, changedEach * all.length);
  for (let open = all; open.length > 0 && changed.size < most; ) open = open.filter((one) => one.addTo(changed));
  return changed;
}

const withChanges = (history: RecordedHistory, changed: ReadonlyMap<number, Reply>): RecordedHistory => ({
  ...history,
  replies: history.replies.map((reply) => changed.get(reply.id) ?? reply),
});
