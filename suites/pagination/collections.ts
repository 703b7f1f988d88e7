// Companies and contacts: collections that other people change too, judged between readings of the whole.
import { type Api, type Company, type Context, lagMsMax, type Random, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { apartMs } from '../shared/apart.ts';
import { orNothing } from '../shared/attempt.ts';
import {
  isSound,
  judgeStable,
  judgeWalk,
  type Known,
  knownBetween,
  mayLag,
  onceMore,
  type stableIds,
  type traversalIds,
} from './judge.ts';
import { type List, paginationOf } from './lists.ts';
import { type Walk, type WalkOptions, walk } from './walk.ts';

type CollectionContext = Context<(typeof traversalIds)[number] | (typeof stableIds)[number], never>;

/** Longer collections are not traversed; the notes carry the requirements there. */
const longest = 400;

/** All of it, unless it reports that it is too long; a list of so few records has no forty pages. */
export async function readWhole(list: List): Promise<Walk | undefined> {
  const whole = await walk(list, { limit: 200, pagesMax: 40 });
  const [first] = whole.replies;
  return first && Number(paginationOf(first).total) <= longest ? whole : undefined;
}

const attemptsMax = 3;

/** Small enough for several pages of several records, large enough for few requests. */
export const limitFor = (count: number, random: Random): number =>
  Math.max(count > 2 ? 2 : 1, Math.ceil(count / random.int(3, 5)));

const optionsFor = (count: number, random: Random) => ({
  limit: limitFor(count, random),
  // Pages may be shorter than their limit.
  pagesMax: 2 * count + 10,
});

/**
 * Traverses the collection page by page between two readings of the whole, unless it is too long; `reader` walks, another
 * credential of the same user and account where there is one.
 */
export async function judgeCollection(
  list: List,
  { check, random, clock }: Pick<Context<(typeof traversalIds)[number], never>, 'check' | 'random' | 'clock'>,
  reader: Api = list.api,
): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const before = await readWhole(list);
    if (!before) return;
    if (!before.ended)
      return judgeWalk(check, before, { operation: list.operation, ids: [], ordered: false, unchanged: false });
    const options = optionsFor(before.delivered.length, random);
    const look = async () => {
      const walked = await walk({ ...list, api: reader }, options);
      const after = await readWhole(list);
      return after && { walked, known: knownBetween(list.operation, before, after) };
    };
    const first = await look();
    const lags = first !== undefined && mayLag(first.walked, first.known);
    if (lags) await clock.sleep(lagMsMax + 1);
    const last = lags ? await look() : first;
    if (!last) return;
    // What came meanwhile has a time of its own to be counted in.
    if (!last.known.unchanged && lags && attempt < attemptsMax) continue;
    return judgeWalk(check, last.walked, last.known);
  }
}

export interface Changes {
  readonly insert: () => Promise<Reply>;
  /** Records of our own that are in the collection by then, and how to edit one of them. */
  readonly own?: () => readonly Company[];
  readonly edit?: (company: Company) => Promise<Reply>;
}

interface Seen {
  readonly walked: Walk;
  /** Nothing was changed during it. */
  readonly plain: Walk;
  readonly known: Known;
  readonly after: Walk;
}

const isUndisturbed = (seen: Seen | undefined): boolean =>
  seen === undefined || (isSound(seen.walked, seen.known) && isSound(seen.plain, seen.known));

/** A record comes during a traversal; `former`: what is known was in it, too. */
async function inserting(
  list: List,
  { random }: CollectionContext,
  { insert }: Changes,
  former: Walk | undefined,
): Promise<Seen | undefined> {
  const before = await readWhole(list);
  if (!before?.ended) return undefined;
  const whole = optionsFor(before.delivered.length, random);
  const narrow: WalkOptions = { ...whole, fields: 'id' };
  // Where that is refused, or does not show which records these are, the list is asked for as it comes.
  const tried = random.int(1, 2) === 1 ? await orNothing(walk(list, narrow)) : undefined;
  const known = tried?.delivered.every((id) => before.delivered.includes(id)) ? tried : undefined;
  const options = known ? narrow : whole;
  const plain = known ?? (await walk(list, whole));
  const made: Reply[] = [];
  const walked = await walk(list, {
    ...options,
    disturb: async (gap) => {
      if (gap === 1) made.push(await insert());
      return undefined;
    },
  });
  const after = await readWhole(list);
  if (!after || !made.some(wasAccepted)) return undefined;
  return { walked, plain, known: knownBetween(list.operation, before, after, former), after };
}

/** A record comes during one traversal, and another changes during the next where its kind can be edited. */
export async function judgeCollectionStability(
  list: List,
  context: CollectionContext,
  changes: Changes,
): Promise<void> {
  const { check, clock } = context;
  let former: Walk | undefined;
  const look = async () => {
    const seen = await inserting(list, context, changes, former);
    former = seen?.after ?? former;
    return seen;
  };
  const seen = await onceMore(clock, look, isUndisturbed);
  if (seen === undefined) return;
  const { walked, known, plain, after } = seen;
  const sound = isSound(plain, known);
  await judgeStable(check, 'pagination-stable-inserts', walked, { ...known, plain: sound });
  if (!sound) return;
  // One after the other, as two at once might undo what each does.
  const later = await judgeEdits(list, context, changes, after, 'ahead');
  if (later) await judgeEdits(list, context, changes, later, 'behind');
}

/** Up to this many records are read one by one, so that few are delivered when one ahead is edited. */
const singly = 15;
/** Longer lists take so many pages. */
const pagesOfEdits = 8;

/** The first page ends with a record of our own where another one is left for later. */
function limitAmong(delivered: readonly string[], own: readonly Company[]): number | undefined {
  if (delivered.length <= singly) return 1;
  const places = own.map(({ id }) => delivered.indexOf(String(id))).filter((place) => place >= 0);
  const limit = Math.min(...places) + 1;
  const isBetween = Math.max(...places) >= limit && limit <= 200 && delivered.length <= pagesOfEdits * limit;
  return isBetween ? limit : undefined;
}

/** A record is edited that is still to come, or that was delivered; resolves to what the list is afterwards. */
async function judgeEdits(
  list: List,
  context: CollectionContext,
  changes: Changes,
  before: Walk,
  where: 'ahead' | 'behind',
): Promise<Walk | undefined> {
  const { check, clock } = context;
  await clock.sleep(apartMs);
  let start = before;
  const look = async () => {
    const seen = await editing(list, context, changes, start, where, before);
    start = seen?.after ?? before;
    return seen;
  };
  const seen = await onceMore(clock, look, (one) => one === undefined || isSound(one.walked, one.known));
  if (seen === undefined) return undefined;
  const { walked, known, after, edited } = seen;
  // Records that were made within one second stand on two pages.
  if (edited > 0) await judgeStable(check, 'pagination-stable-edits', walked, { ...known, plain: true });
  else await judgeWalk(check, walked, known);
  return after;
}

interface Edited extends Omit<Seen, 'plain'> {
  readonly edited: number;
}

async function editing(
  list: List,
  { random }: CollectionContext,
  { own = () => [], edit }: Changes,
  before: Walk,
  where: 'ahead' | 'behind',
  former: Walk,
): Promise<Edited | undefined> {
  const count = before.delivered.length;
  const limit = limitAmong(before.delivered, own());
  const edited: Reply[] = [];
  const walked = await walk(list, {
    ...optionsFor(count, random),
    ...(limit === undefined ? {} : { limit, pagesMax: 6 * count + 10 }),
    disturb: async (gap, delivered) => {
      const isMeant = ({ id }: Company) => delivered.includes(String(id)) === (where === 'behind');
      const company = edited.length > 0 || (where === 'ahead' && gap > 1) ? undefined : own().find(isMeant);
      if (company && edit) edited.push(await edit(company));
      return undefined;
    },
  });
  const after = await readWhole(list);
  if (!after || !edited.every(wasAccepted)) return undefined;
  return { walked, known: knownBetween(list.operation, before, after, former), after, edited: edited.length };
}
