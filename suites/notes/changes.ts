// Two notes edited, deleted and left alone, refused writes in between; and what is left at the end of the run.
import {
  at,
  type Context,
  dataOf,
  eventuallySeen,
  expectEqual,
  expectRefused,
  expectStatus,
  expectThat,
  identifierOf,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { attempt, attemptRequest, orLost } from '../shared/attempt.ts';
import { type RefusedText, refusedIds, refusedTexts } from '../shared/invalid-texts.ts';
import { rounds } from '../shared/refusals.ts';
import { wholeText } from '../shared/tricky-texts.ts';
import type { Start } from './creation.ts';
import { expectGone, expectShown, expectText, type NoteList, type ShownNotes, textsOf } from './note-list.ts';
import { NoteSteps, stepIds } from './note-steps.ts';

export const changeIds = [
  ...stepIds,
  ...refusedIds,
  'notes-edit-reply',
  'notes-delete-result',
  'notes-deleted-unknown',
  'notes-delete-lasting',
] as const;
type ChangeContext = Context<(typeof changeIds)[number], never>;

/** Neither the list, which has had its time since, nor a write finds the note again. */
async function expectStillGone(
  notes: NoteList,
  ids: readonly number[],
  deletedAt: number,
  { clock, make, random }: Pick<ChangeContext, 'clock' | 'make' | 'random'>,
): Promise<void> {
  const isGone = (shown: ShownNotes) => ids.every((id) => textsOf(shown, id).length === 0);
  const listing = await eventuallySeen(clock, deletedAt, () => notes.list(), isGone);
  for (const id of ids) expectGone(listing, id, 'the note deleted earlier');
  const ways = random.shuffled([
    (id: number) => notes.remove(id),
    (id: number) => notes.edit(id, { text: make.noteText('late edit') }),
  ]);
  // The one and the other, where there are two.
  for (const [place, id] of ids.entries()) {
    const late = await ways[place % ways.length]?.(id);
    expectThat(
      late !== undefined && !wasAccepted(late),
      'a note deleted earlier should neither be edited nor deleted',
      {
        expected: 'a refusal',
        actual: late?.status,
        replies: late ?? [],
      },
    );
  }
}

/** The same in small letters for capitals, and the other way round. */
const recased = (text: string): string =>
  text.replace(/[A-Za-z]/g, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

/** To a new text; `again`: to the one that is there, with nothing but its capitals changed. */
async function edit(
  steps: NoteSteps,
  id: number,
  again: boolean,
  { check, make, random }: ChangeContext,
): Promise<void> {
  const former = steps.textOf(id);
  const other = again && former !== undefined ? recased(former) : undefined;
  const drawn = random.int(1, 2) === 1 ? make.noteText('edited note') : wholeText(random);
  const text = other === undefined || other === former ? drawn : other;
  const edited = await attemptRequest(steps.home.edit(steps.present(id), { text }));
  await check('notes-edit-reply', () => {
    expectText(edited.judged(), text);
    expectEqual(identifierOf('note', dataOf(edited.judged())), id, 'the identifier', edited.judged());
  });
  if (!edited.held) {
    await check('notes-edit-effect', () => void edited.value());
    return steps.lookAgain();
  }
  await steps.judge({ duty: 'notes-edit-effect', touched: id, leaves: text }, edited.value());
}

/** At the other company, where others write too: what it leaves there is judged when the run is over. */
async function refuseAway({ away, awayId }: Start, row: RefusedText, { check }: ChangeContext): Promise<Reply> {
  const reply = row.on === 'create' ? await away.create(row.body) : await away.edit(awayId, row.body);
  await check(row.id, () => expectRefused(reply, ...row.statuses));
  return reply;
}

async function refuse(steps: NoteSteps, row: RefusedText, id: number, { check }: ChangeContext): Promise<void> {
  const touched = steps.present(id);
  const reply = row.on === 'create' ? await steps.home.create(row.body) : await steps.home.edit(touched, row.body);
  await check(row.id, () => expectRefused(reply, ...row.statuses));
  const duty = `notes-${row.on}-refused-effect` as const;
  if (!wasAccepted(reply)) {
    await steps.judge({ duty, touched }, reply);
    return;
  }
  await check(duty, () => {
    throw new NotTested('what should be refused was carried out');
  });
  return steps.lookAgain();
}

/** By the path of a company that has no such note; resolves to the reply to the deletion. */
async function tryMisplaced(list: NoteList, id: number, { check, make }: ChangeContext): Promise<Reply> {
  const edited = await list.edit(id, { text: make.noteText('misplaced edit') });
  const removed = await list.remove(id);
  await check('notes-other-company', () => {
    expectStatus(edited, 404);
    expectStatus(removed, 404);
  });
  return removed;
}

/** Edits and deletes a note of another company under this one, in which no other case writes and no note has its identifier. */
async function misplace(
  steps: NoteSteps,
  { away, awayId, ids, there }: Start,
  isChanged: () => boolean,
  context: ChangeContext,
): Promise<void> {
  const { check, clock } = context;
  if (ids.includes(awayId))
    return check('notes-other-company', () => {
      throw new NotTested('the notes of two companies have one identifier, however many are made');
    });
  const removed = await tryMisplaced(steps.home, awayId, context);
  await check('notes-other-company', async () => {
    if (isChanged()) throw new NotTested('what should be refused at the other company was carried out');
    const [text] = textsOf(there.value(), awayId);
    if (typeof text !== 'string')
      throw new NotTested('the list does not show the note of the other company', ...there.value().replies);
    const isKept = (listing: ShownNotes) => textsOf(listing, awayId).includes(text);
    const after = await eventuallySeen(clock, removed.receivedAt, () => away.list(), isKept);
    expectShown(after, awayId, text, 'the note of another company');
  });
  await steps.judge({ duty: 'notes-other-company' }, removed);
}

/** The other way round, when it was edited: by the path of the other company it is not found. */
async function misplaceEdited(steps: NoteSteps, { away, ids }: Start, context: ChangeContext): Promise<void> {
  const [first] = ids;
  const there = await away.list();
  // Each company may number its notes itself.
  if (!steps.has(first) || ids.some((id) => textsOf(there, id).length > 0)) return;
  await steps.judge({ duty: 'notes-other-company' }, await tryMisplaced(away, first, context));
}

/** Resolves to whether the note is gone. */
async function remove(steps: NoteSteps, id: number, { check }: ChangeContext): Promise<boolean> {
  if (!steps.has(id)) return false;
  const removal = await attemptRequest(steps.home.remove(id));
  await check('notes-delete-result', () => {
    const reply = removal.judged();
    expectEqual(at(dataOf(reply), 'deleted'), true, 'deleted', reply);
  });
  if (removal.held) return steps.judge({ duty: 'notes-delete-effect', touched: id, leaves: 'gone' }, removal.value());
  await check('notes-delete-effect', () => void removal.value());
  await steps.lookAgain();
  return !steps.has(id);
}

/** In an order of the seed's, edits and refused writes; then both notes are deleted, the one never edited first. */
export async function judgeChanges(context: ChangeContext, start: Start): Promise<NoteSteps> {
  const { random, effort } = context;
  const [first, second] = start.ids;
  const steps = new NoteSteps(start.home, start.listing, start.trusted, context);
  const either = () => random.pick([first, second]);
  const rows = random.shuffled(rounds(refusedTexts(random), { effort, random }));
  // One in three: each company differs from the other in all that does not matter.
  const isAway = (place: number) => effort !== 'quick' && place % 3 === 2;
  let isChanged = false;
  const refuseThere = async (row: RefusedText) => {
    if (wasAccepted(await refuseAway(start, row, context))) isChanged = true;
  };
  const all = [
    ...rows.map((row, place) => (isAway(place) ? () => refuseThere(row) : () => refuse(steps, row, either(), context))),
    ...(effort === 'quick' ? [false] : [false, true]).map((again) => () => edit(steps, first, again, context)),
    () => misplace(steps, start, () => isChanged, context),
  ];
  for (const step of random.shuffled(all)) await step();
  if (effort !== 'quick') await misplaceEdited(steps, start, context);
  // What was refused there would be seen now.
  if (rows.some((_, place) => isAway(place))) await start.away.list();
  return steps;
}

export async function judgeDeletions(context: ChangeContext, { home, ids }: Start, steps: NoteSteps): Promise<void> {
  const { check, clock, make, atEnd } = context;
  const [first, second] = ids;
  const others = await remove(steps, second, context);
  const gone = await attempt(
    (async () => {
      if (!(await remove(steps, first, context))) throw new NotTested('the note was not deleted');
    })(),
  );
  const deletedAt = clock.now();
  await check('notes-deleted-unknown', async () => {
    gone.value();
    expectStatus(await home.edit(first, { text: make.noteText('late edit') }), 404);
    // Where its reply is lost, the next one is about a note that is gone in any case.
    expectStatus((await orLost(home.remove(first))) ?? (await home.remove(first)), 404);
  });
  atEnd(() =>
    check('notes-delete-lasting', async () => {
      gone.value();
      await expectStillGone(home, others ? [first, second] : [first], deletedAt, context);
    }),
  );
}
