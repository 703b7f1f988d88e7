// What a traversal must have been, against the records that are known to be in the list.
import {
  type Context,
  dataOf,
  expectEqual,
  expectOnce,
  expectThat,
  isByOffset,
  lagMsMax,
  NotTested,
  type Tools,
  wordOf,
} from '../../lib/index.ts';
import { type ListId, paginationOf } from './lists.ts';
import { repeats, totalsOf, type Walk } from './walk.ts';

export const traversalIds = [
  'pagination-traversal-complete',
  'pagination-traversal-once',
  'pagination-traversal-ends',
  'pagination-total-exact',
  'pagination-total-constant',
  'pagination-has-more-remains',
  'pagination-has-more-last',
] as const;
export const stableIds = ['pagination-stable-inserts', 'pagination-stable-edits', 'pagination-stable-deletes'] as const;
type StableId = (typeof stableIds)[number];
type CheckWalk = Context<(typeof traversalIds)[number], never>['check'];
type CheckStable = Context<StableId, never>['check'];

export interface Known {
  readonly operation: ListId;
  /** Records that were in the list throughout. */
  readonly ids: readonly string[];
  /** In the order of the list, where a complete reading has shown it. */
  readonly ordered: boolean;
  /** No other record was in the list, and none came or went. */
  readonly unchanged: boolean;
  /** Since when it was seen to be so, on the run's clock; absent where lists have had their time since the last change. */
  readonly since?: number;
}

/** What was in the collection at both readings, and at a `former` one. */
export function knownBetween(operation: ListId, before: Walk, after: Walk, former: Walk = before): Known {
  const ids = before.delivered.filter((id) => after.delivered.includes(id) && former.delivered.includes(id));
  const same = ids.length === before.delivered.length && ids.length === after.delivered.length;
  const unchanged = same && totalsOf(before)[0] === totalsOf(after)[0];
  return { operation, ids, ordered: true, unchanged, since: before.replies.at(-1)?.receivedAt ?? -Infinity };
}

const missingFrom = ({ delivered }: Walk, ids: readonly string[]): string[] =>
  ids.filter((id) => !delivered.includes(id));

/** The list was left before its end: what is missing is all that follows the last record delivered. */
function isCutOff(walked: Walk, { ids, ordered }: Known): boolean {
  const missing = missingFrom(walked, ids);
  return (
    ordered && walked.ended && missing.length > 0 && ids.slice(-missing.length).every((id) => missing.includes(id))
  );
}

/** A plain traversal of the list is what it must be; only then does a disturbed one show anything. */
export const isSound = (walked: Walk, known: Known): boolean =>
  walked.ended && missingFrom(walked, known.ids).length === 0 && repeats(walked).length === 0;

/** Sound, and every page says so. */
export const isRight = (walked: Walk, known: Known): boolean =>
  isSound(walked, known) &&
  (!known.unchanged ||
    (walked.delivered.length === known.ids.length && totalsOf(walked).every((total) => total === known.ids.length)));

/** A total may be one from before a change that the list shows already. */
export const mayLag = (walked: Walk, known: Known): boolean =>
  (walked.replies[0]?.sentAt ?? 0) <= (known.since ?? -Infinity) + lagMsMax && !isRight(walked, known);

/** Only a traversal that came to an end by itself shows the rest. */
function expectEnded(walked: Walk): void {
  if (walked.broken) throw new NotTested(`the traversal broke off: ${walked.broken.message}`);
  if (!walked.ended) throw new NotTested('the list did not end');
}

function expectComplete(walked: Walk, known: Known): void {
  if (walked.broken) throw walked.broken;
  expectEnded(walked);
  const missing = missingFrom(walked, known.ids);
  expectThat(missing.length === 0 || isCutOff(walked, known), 'a traversal should show every record', {
    expected: `${known.ids.length} records`,
    actual: `missing: ${missing.join(', ')}`,
    replies: walked.replies,
  });
}

function expectEnd(walked: Walk): void {
  if (walked.broken) expectEnded(walked);
  expectThat(walked.ended, 'a traversal should reach a page with has_more false', {
    expected: 'has_more false',
    actual: `has_more true still on page ${walked.replies.length}`,
    replies: walked.replies.slice(-3),
  });
}

function expectNoRepeats(walked: Walk): void {
  expectEnded(walked);
  expectThat(repeats(walked).length === 0, 'a traversal should show no record twice', {
    expected: 'every record once',
    actual: `more than once: ${repeats(walked).join(', ')}`,
    replies: walked.replies,
  });
}

function expectNotCutOff(walked: Walk, known: Known): void {
  expectEnded(walked);
  expectThat(!isCutOff(walked, known), 'has_more should be true while records remain', {
    expected: 'has_more true',
    actual: `has_more false after ${walked.delivered.length} of ${known.ids.length} records`,
    replies: walked.replies.slice(-1),
  });
}

/** The page that delivered the last record says so. */
function expectLast(walked: Walk, known: Known): void {
  expectEnded(walked);
  const delivered = new Set<string>();
  for (const [index, page] of walked.pages.entries()) {
    for (const id of page) delivered.add(id);
    const all = known.ids.every((id) => delivered.has(id));
    const reply = walked.replies[index];
    if (!all || !reply) continue;
    expectEqual(paginationOf(reply).has_more, false, 'has_more after every record was delivered', reply);
  }
}

function expectSameTotals(walked: Walk): void {
  const totals = totalsOf(walked);
  expectThat(
    totals.every((total) => total === totals[0]),
    'total should be the same on every page',
    {
      expected: `${wordOf(totals[0])} on every page`,
      actual: totals.join(', '),
      replies: walked.replies,
    },
  );
}

/** Judges a traversal of a list; in offset mode only what its pages say of themselves. */
export async function judgeWalk(check: CheckWalk, walked: Walk, known: Known): Promise<void> {
  const { operation, ids, unchanged } = known;
  const [first] = walked.replies;
  if (!first) return;
  if (!isByOffset(first)) {
    await check('pagination-traversal-complete', () => expectComplete(walked, known), operation);
    await check('pagination-traversal-once', () => expectNoRepeats(walked), operation);
    await check('pagination-traversal-ends', () => expectEnd(walked), operation);
  }
  await check('pagination-has-more-remains', () => expectNotCutOff(walked, known), operation);
  // Where a page holds no list, that is what is wrong with it.
  if (!unchanged || !walked.replies.every((reply) => Array.isArray(dataOf(reply)))) return;
  const lags = mayLag(walked, known);
  // One that is not known yet may be what remains.
  const isMore =
    walked.delivered.some((id) => !ids.includes(id)) || totalsOf(walked).some((total) => Number(total) > ids.length);
  if (!lags || !isMore) await check('pagination-has-more-last', () => expectLast(walked, known), operation);
  if (lags) return;
  await check('pagination-total-constant', () => expectSameTotals(walked), operation);
  await check('pagination-total-exact', () => expectEqual(totalsOf(walked)[0], ids.length, 'total', first), operation);
}

/** Where it is not right the first time: an older list may have been shown, and none is after so long. */
export async function onceMore<T>(
  clock: Tools['clock'],
  look: () => Promise<T>,
  right: (seen: T) => boolean,
): Promise<T> {
  const seen = await look();
  if (right(seen)) return seen;
  await clock.sleep(lagMsMax + 1);
  return look();
}

/** Judges a traversal during which records came, changed or went: those that stayed appear exactly once. */
export async function judgeStable(
  check: CheckStable,
  id: StableId,
  walked: Walk,
  { operation, ids, plain }: { operation: ListId; ids: readonly string[]; plain: boolean },
): Promise<void> {
  await check(
    id,
    () => {
      if (!plain) throw new NotTested('a list that nobody changes is not traversed soundly');
      if (walked.broken) throw walked.broken;
      expectEnded(walked);
      expectOnce(walked.delivered, ids, 'a traversal during changes', walked.replies);
    },
    operation,
  );
}
