// The notes of a company that only this case changes: here everything that a list says can be known exactly.
import {
  type Api,
  type Company,
  type Context,
  eventuallySeen,
  expectEqual,
  expectSuccess,
  lagMsMax,
  type Note,
  type Tools,
} from '../../lib/index.ts';
import { apartMs } from '../shared/apart.ts';
import { keyOrNone } from '../shared/optional-headers.ts';
import { noteTexts } from '../shared/tricky-texts.ts';
import {
  isRight,
  isSound,
  judgeStable,
  judgeWalk,
  type Known,
  onceMore,
  type stableIds,
  type traversalIds,
} from './judge.ts';
import { ask, type List, notes, paginationOf } from './lists.ts';
import { type Walk, type WalkOptions, walk } from './walk.ts';

type NotesContext = Context<
  (typeof traversalIds)[number] | (typeof stableIds)[number] | 'pagination-list-empty' | 'pagination-list-lag',
  never
>;

/** How often it is read when it has had its time: a target may have more than one node. */
const settledLooks = 2;

/** How many notes; each costs two writes. */
const counts = { quick: 4, standard: 6, thorough: 12 } as const;

/** Limits around the number of records: one, an exact multiple, one more, the last page, and some drawn. */
function limitsFor(count: number, { effort, random }: Pick<Tools, 'effort' | 'random'>): readonly number[] {
  if (effort === 'thorough') return Array.from({ length: count + 1 }, (_, index) => index + 1);
  const drawn = effort === 'quick' ? [] : [random.int(2, count - 2)];
  return [...new Set([1, count / 2, count - 1, count, ...drawn])];
}

const knownNotes = (made: readonly Note[], order?: readonly string[]): Known => ({
  operation: notes,
  ids: order ?? made.map(({ id }) => String(id)),
  ordered: order !== undefined,
  unchanged: true,
});

/** What the case knows of the list, and how it goes on. */
export interface FilledNotes {
  readonly list: List;
  readonly api: Api;
  readonly company: Company;
  readonly made: readonly Note[];
  /** The identifiers as the list shows them; in the order of creation where it does not show all. */
  readonly order: readonly string[];
  /** The list that nobody changes is traversed soundly. */
  readonly plain: boolean;
  readonly whole: Walk;
  readonly walks: readonly Walk[];
}

async function judgeEmpty(list: List, { check }: NotesContext): Promise<void> {
  const reply = await ask(list);
  await check('pagination-list-empty', () => {
    expectSuccess(reply);
    const { total, has_more } = paginationOf(reply);
    expectEqual(total, 0, 'pagination.total of an empty list', reply);
    expectEqual(has_more, false, 'pagination.has_more of an empty list', reply);
  });
}

/**
 * Makes the notes and traverses them with each limit, two traversals at a time, the second of them by `peer`, another key of
 * the account; a list may lag behind, so a traversal that is not right is repeated.
 */
export async function fillNotes(api: Api, peer: Api, company: Company, context: NotesContext): Promise<FilledNotes> {
  const { check, make, clock, effort, random, observe } = context;
  const list: List = { operation: notes, api, path: { company_id: company.id } };
  await judgeEmpty(list, context);
  const count = counts[effort];
  const pagesMax = 2 * count + 5;
  const texts = noteTexts(random);
  // Two that follow each other are equal: who takes one for the other shows one note too few.
  const makeNote = (place: number) => make.note(api, company.id, texts[(place === 3 ? 2 : place) % texts.length]);
  const made = [await makeNote(0)];
  const look = async (options: Partial<WalkOptions>, known: Known, reader = api) => {
    const changedAt = made.at(-1)?.reply.receivedAt ?? clock.now();
    const seen = await eventuallySeen(
      clock,
      changedAt,
      () => walk({ ...list, api: reader }, { pagesMax, ...options }),
      (one) => isRight(one, known),
    );
    await judgeWalk(check, seen, known);
    return seen;
  };
  await look({ limit: 1 }, knownNotes(made));
  while (made.length < count) made.push(await makeNote(made.length));
  const lastMadeAt = made.at(-1)?.reply.receivedAt ?? 0;
  const whole = await look({}, knownNotes(made));
  observe('pagination-list-lag', lagOf(whole, lastMadeAt, isRight(whole, knownNotes(made))));
  const order = isSound(whole, knownNotes(made)) ? whole.delivered : undefined;
  const walks: Walk[] = [];
  const limits = limitsFor(count, context);
  for (let pair = 0; pair < limits.length; pair += 2) {
    const readers = [api, peer];
    const both = limits.slice(pair, pair + 2);
    walks.push(
      ...(await Promise.all(both.map((limit, index) => look({ limit }, knownNotes(made, order), readers[index])))),
    );
  }
  const known = knownNotes(made, order);
  const plain = order !== undefined && walks.every((one) => isSound(one, known));
  return { list, api, company, made, order: known.ids, plain, whole, walks };
}

function lagOf({ replies }: Walk, madeAt: number, right: boolean): string {
  if (!right) return 'not within five seconds';
  return (replies[0]?.sentAt ?? 0) - madeAt < 500 ? 'at once' : 'within five seconds';
}

/** Three traversals: during the first records come, during the second some change, during the third some go. */
export async function judgeStability(noteList: FilledNotes, context: NotesContext): Promise<Walk> {
  const { check, make, clock, effort } = context;
  const { list, api, company, made, order, plain } = noteList;
  const options = { limit: 2, pagesMax: 2 * order.length + 10 };
  const stay = { operation: notes, ids: order, plain } as const;
  const added: number[] = [];
  const add = async () => added.push((await make.note(api, company.id)).id);
  const inserting = () =>
    walk(list, {
      ...options,
      disturb: async (gap) => {
        if (gap === 1) await add();
        return gap === 2 && effort !== 'quick' ? add : undefined;
      },
    });
  const inserts = await onceMore(clock, inserting, (walked) => isSound(walked, knownNotes(made, order)));
  await judgeStable(check, 'pagination-stable-inserts', inserts, stay);

  // The new ones are changed and deleted like the others.
  const all = { operation: notes, ids: [...order, ...added.map(String)], ordered: false, unchanged: true } as const;
  const now = await eventuallySeen(
    clock,
    clock.now(),
    () => walk(list, { pagesMax: options.pagesMax }),
    (seen) => isRight(seen, all),
  );
  const present = { ...noteList, order: now.delivered, plain: plain && isSound(now, all) };
  // An older list may be shown until then, which lacks what came.
  await clock.sleep(lagMsMax + apartMs);
  const edits = await editing(present, options, context);
  await judgeStable(check, 'pagination-stable-edits', edits, { ...stay, ids: present.order, plain: present.plain });
  const { walked, gone } = await deleting(present, options);
  const left = present.order.filter((id) => !gone.includes(id));
  await judgeStable(check, 'pagination-stable-deletes', walked, { ...stay, ids: left, plain: present.plain });
  if (present.plain) await judgeLeft(noteList, left, context);
  return inserts;
}

/** Edits a record that is still to come, and one that was delivered. */
function editing(
  { list, api, company, order }: FilledNotes,
  options: WalkOptions,
  { make, random }: NotesContext,
): Promise<Walk> {
  const edit = (id: string | undefined) =>
    api.send('PATCH /companies/{company_id}/notes/{note_id}', {
      path: { company_id: company.id, note_id: id ?? '' },
      body: { text: make.noteText('edited note') },
      ...keyOrNone(random),
    });
  return walk(list, {
    ...options,
    disturb: async (gap, delivered) => {
      if (gap === 1) await edit(order.findLast((id) => !delivered.includes(id)));
      return gap === 2 ? () => edit(order.find((id) => delivered.includes(id))) : undefined;
    },
  });
}

/** What the list says of itself when records have come and gone. */
async function judgeLeft(
  { list }: FilledNotes,
  ids: readonly string[],
  { check, clock, effort }: NotesContext,
): Promise<void> {
  const known: Known = { operation: notes, ids, ordered: false, unchanged: true };
  const limit = Math.max(1, Math.ceil(ids.length / 2));
  const pagesMax = 2 * ids.length + 10;
  const changedAt = clock.now();
  const look = () => walk(list, { limit, pagesMax });
  await judgeWalk(check, await eventuallySeen(clock, changedAt, look, (seen) => isRight(seen, known)), known);
  if (effort === 'quick') return;
  await clock.sleep(Math.max(0, changedAt + lagMsMax + 1 - clock.now()));
  for (let look = 1; look <= settledLooks; look += 1) await judgeWalk(check, await walk(list, { pagesMax }), known);
}

/** Deletes the records at the borders of pages: the last before, the first behind, and one while the next page is read. */
async function deleting(
  { list, api, company, order }: FilledNotes,
  options: WalkOptions,
): Promise<{ walked: Walk; gone: readonly string[] }> {
  const gone: string[] = [];
  const remove = async (id: string | undefined) => {
    if (id === undefined) return;
    gone.push(id);
    await api.send('DELETE /companies/{company_id}/notes/{note_id}', { path: { company_id: company.id, note_id: id } });
  };
  const walked = await walk(list, {
    ...options,
    disturb: async (gap, delivered) => {
      if (gap === 1) await remove(delivered.at(-1));
      // Not the first that was left out: it may have been skipped.
      if (gap === 2) await remove(order[order.findLastIndex((id) => delivered.includes(id)) + 1]);
      return gap === 3 ? () => remove(delivered.at(-1)) : undefined;
    },
  });
  return { walked, gone };
}
