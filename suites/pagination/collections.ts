// Companies, contacts and team members: collections that other people change too, judged between readings of the whole.
import { type Api, type Context, dataOf, identifierOf, type Random, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { isSound, judgeStable, judgeWalk, type Known, type stableIds, type traversalIds } from './judge.ts';
import { isByOffset, type List, paginationOf } from './lists.ts';
import { totalsOf, type Walk, walk } from './walk.ts';

type CollectionContext = Context<(typeof traversalIds)[number] | (typeof stableIds)[number], never>;

/** Longer collections are not traversed; the notes carry the requirements there. */
const longest = 400;

/** All of it, unless it says to be too long; a list of so few records has no forty pages. */
async function readWhole(list: List): Promise<Walk | undefined> {
  const whole = await walk(list, { limit: 200, pagesMax: 40 });
  const [first] = whole.replies;
  return first && Number(paginationOf(first).total) <= longest ? whole : undefined;
}

/** What stood in the collection at both readings. */
function knownBetween(list: List, before: Walk, after: Walk): Known {
  const ids = before.delivered.filter((id) => after.delivered.includes(id));
  const same = ids.length === before.delivered.length && ids.length === after.delivered.length;
  const unchanged = same && totalsOf(before)[0] === totalsOf(after)[0];
  return { operation: list.operation, ids, ordered: true, unchanged };
}

/** Small enough for several pages, large enough for few requests. */
const limitFor = (count: number, random: Random): number => Math.max(1, Math.ceil(count / random.int(2, 5)));

const optionsFor = (count: number, random: Random) => ({
  limit: limitFor(count, random),
  // Pages may be shorter than their limit.
  pagesMax: 2 * count + 10,
});

/** Traverses the collection page by page between two readings of the whole; undefined where it is too long. */
export async function judgeCollection(list: List, { fact, random }: CollectionContext): Promise<Walk | undefined> {
  const before = await readWhole(list);
  if (!before) return undefined;
  if (!before.ended) {
    await judgeWalk(fact, before, { operation: list.operation, ids: [], ordered: false, unchanged: false });
    return undefined;
  }
  const walked = await walk(list, optionsFor(before.delivered.length, random));
  const after = await readWhole(list);
  if (!after) return undefined;
  await judgeWalk(fact, walked, knownBetween(list, before, after));
  return walked;
}

/** A record comes during one traversal, and changes during the next where its kind can be edited. */
export async function judgeCollectionStability(
  list: List,
  context: CollectionContext,
  { insert, edit }: { insert: () => Promise<Reply>; edit?: (made: Reply) => Promise<Reply> },
): Promise<void> {
  const { fact, random, clock } = context;
  const before = await readWhole(list);
  if (!before?.ended) return;
  const options = optionsFor(before.delivered.length, random);
  const plain = await walk(list, options);
  const made: Reply[] = [];
  const disturbed = await walk(list, {
    ...options,
    disturb: async (gap) => {
      if (gap === 1) made.push(await insert());
      return undefined;
    },
  });
  const between = await readWhole(list);
  const [reply] = made;
  if (!between || !reply || !wasAccepted(reply)) return;
  const known = knownBetween(list, before, between);
  const stay = { operation: list.operation, ids: known.ids, plain: isSound(plain, known) };
  await judgeStable(fact, 'pagination-stable-inserts', disturbed, stay);
  if (!edit) return;
  await clock.sleep(apartMs);
  const edits = await walk(list, {
    ...options,
    disturb: async (gap) => {
      if (gap === 1) await edit(reply);
      return undefined;
    },
  });
  const after = await readWhole(list);
  if (!after) return;
  const { ids } = knownBetween(list, between, after);
  await judgeStable(fact, 'pagination-stable-edits', edits, { ...stay, ids });
}

/** Times of change must differ from those of creation, also where they are kept in seconds. */
const apartMs = 1100;

/** A company more while companies are read, then an edit of it. */
export const companyChanges = (api: Api, { make, random }: Pick<CollectionContext, 'make' | 'random'>) => {
  const body = { name: make.name('company between pages'), company_type: 'sponsor' };
  return {
    insert: () => api.send('POST /companies', { body, key: random.uuid() }),
    edit: (made: Reply) =>
      api.send('PATCH /companies/{company_id}', {
        path: { company_id: identifierOf('company', dataOf(made)) ?? '' },
        body: { ...body, name: make.name('company edited between pages') },
      }),
  };
};

/** `offset`, `cursor`, or that the pages show neither. */
export function modeOf({ replies }: Walk): string {
  const [first] = replies;
  if (first && isByOffset(first)) return 'offset';
  const named = replies.some((reply) => 'cursor' in paginationOf(reply) || 'next_cursor' in paginationOf(reply));
  return named ? 'cursor' : 'its pages show neither cursor nor offset';
}
