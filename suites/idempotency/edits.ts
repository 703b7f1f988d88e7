// Notes edited again: a repeat changes nothing, a new key does.

import {
  at,
  type Context,
  dataOf,
  expectEqual,
  expectSuccess,
  expectThat,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { trickyTexts } from '../shared/tricky-texts.ts';
import { type Keyed, keysOneDigitApart } from './creations.ts';
import { expectRepeated, type KeyedNotes, noteOf, type Snapshot } from './keyed-notes.ts';

export const editIds = ['idempotency-edit-answer', 'idempotency-edit-overtaken', 'idempotency-key-edit-other'] as const;
type EditContext = Context<(typeof editIds)[number], never>;

/** Carried out and answered. */
async function done(request: Promise<Reply>): Promise<Reply> {
  const reply = await request;
  expectSuccess(reply);
  return reply;
}

/** Edits a note there and back, each under a key of its own; returns what looks again at the end of the run. */
export async function judgeEdits(
  noteList: KeyedNotes,
  { reply }: Keyed,
  { check, random }: EditContext,
): Promise<(judgeRepeat: (seen: Snapshot) => Promise<void>) => Promise<void>> {
  const note = noteOf(reply);
  const [later = '', last = ''] = trickyTexts(random, 2);
  const key = random.uuid();
  const first = await done(noteList.edit(note, later, key));
  const repeat = await noteList.edit(note, later, key);
  await check('idempotency-edit-answer', () => {
    expectRepeated(repeat, note);
    // A reply to an edit that shows another text is judged where notes are edited.
    if (!wasAccepted(repeat) || at(dataOf(first), 'text') !== later) return;
    expectEqual(at(dataOf(repeat), 'text'), later, 'the text of a repeated edit', [first, repeat]);
  });
  const seen: Snapshot[] = [];
  // The first and the last ask for the same; the keys look alike.
  const another = random.uuid();
  const keys = [another, ...keysOneDigitApart(another, { random })];
  for (const [place, text] of [last, later, last].entries()) {
    await done(noteList.edit(note, text, keys[place] ?? another));
    seen.push(await noteList.look((snapshot) => snapshot.textOf(note) === text));
  }
  const shown = seen.map((snapshot) => snapshot.textOf(note));
  const tookEffect = shown.at(-1) === last;
  await check('idempotency-key-edit-other', () => {
    if (shown[0] !== last) throw new NotTested('the edit before did not show in the list');
    const replies = seen.flatMap((snapshot) => snapshot.replies);
    expectEqual(shown, [last, later, last], 'the texts after edits back, each under a key of its own', replies);
  });

  return async (judgeRepeat) => {
    const overtaken = await noteList.edit(note, later, key);
    const final = await noteList.final();
    await check('idempotency-edit-answer', () => expectRepeated(overtaken, note));
    await check('idempotency-edit-overtaken', () => {
      if (!tookEffect) throw new NotTested('the later edit did not take effect');
      expectThat(final.textOf(note) === last, 'repeating an overtaken edit should not undo the later one', {
        expected: last,
        actual: final.textOf(note) ?? 'the note is gone',
        replies: [overtaken, ...final.replies],
      });
    });
    await judgeRepeat(final);
  };
}
