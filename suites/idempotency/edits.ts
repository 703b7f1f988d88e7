// Notes edited again: a repeat changes nothing, a new key does.
import { type Context, expectEqual, expectSuccess, expectThat, NotTested, type Reply } from '../../lib/index.ts';
import { expectRepeated, noteOf, type Shelf } from './shelf.ts';

export const editIds = ['idempotency-edit-answer', 'idempotency-edit-overtaken', 'idempotency-key-edit-other'] as const;
type EditContext = Context<(typeof editIds)[number], never>;

/** Carried out and answered. */
async function done(request: Promise<Reply>): Promise<Reply> {
  const reply = await request;
  expectSuccess(reply);
  return reply;
}

/** Returns what looks again at the end of the run. */
export async function judgeEdits(shelf: Shelf, { fact, make, random }: EditContext): Promise<() => Promise<void>> {
  const earlier = make.name('note before its edit');
  const later = make.name('note after its edit');
  const note = noteOf(await done(shelf.create(earlier, random.uuid())));
  const key = random.uuid();
  await done(shelf.edit(note, later, key));
  const repeat = await shelf.edit(note, later, key);
  await fact('idempotency-edit-answer', () => expectRepeated(repeat, note));
  const last = make.name('note edited once more');
  for (const text of [make.name('note edited again'), last]) await done(shelf.edit(note, text, random.uuid()));
  const there = await shelf.look((census) => census.textOf(note) === last);

  const back = await done(shelf.edit(note, earlier, random.uuid()));
  const returned = await shelf.look((census) => census.textOf(note) === earlier);
  const tookEffect = returned.textOf(note) === earlier;
  await fact('idempotency-key-edit-other', () => {
    if (there.textOf(note) !== last) throw new NotTested('the edits before did not show in the list');
    expectEqual(returned.textOf(note), earlier, 'the text after an edit back under another key', [
      back,
      ...returned.replies,
    ]);
  });

  const lookAgain = async () => {
    const overtaken = await shelf.edit(note, later, key);
    const settled = await shelf.settled();
    await fact('idempotency-edit-answer', () => expectRepeated(overtaken, note));
    await fact('idempotency-edit-overtaken', () => {
      if (!tookEffect) throw new NotTested('the later edit did not take effect');
      expectThat(settled.textOf(note) === earlier, 'repeating an overtaken edit should not undo the later one', {
        expected: earlier,
        actual: settled.textOf(note) ?? 'the note is gone',
        replies: [overtaken, ...settled.replies],
      });
    });
  };
  await lookAgain();
  return lookAgain;
}
