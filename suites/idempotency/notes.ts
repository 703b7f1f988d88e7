// One company's notes under many keys: the first key is repeated last, at the end of the run.
import { conforms } from '../../lib/index.ts';
import { creationIds, judgeCreations } from './creations.ts';
import { editIds, judgeEdits } from './edits.ts';
import { expectAtMost, expectRepeated, KeyedNotes, noteOf } from './keyed-notes.ts';

/** A key must outlast at least so many milliseconds, and the ten keyed writes between. */
const lateMs = 5000;

export const notesUnderKeys = conforms(
  ['idempotency-create-late', ...creationIds, ...editIds],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ spare, spareCompany, ...context }) => {
    const { api, clock, make, random, check, atEnd } = context;
    const noteList = new KeyedNotes(api.as(spare), spareCompany.id, clock);
    const late = { text: make.name('note repeated last'), key: random.uuid() };
    const first = await noteList.start(late.text, late.key);
    await judgeCreations(noteList, context);
    const lookAtEdits = await judgeEdits(noteList, context);
    atEnd(async () => {
      await clock.sleep(Math.max(0, first.receivedAt + lateMs + 1 - clock.now()));
      const repeat = await noteList.create(late.text, late.key);
      await lookAtEdits();
      const final = await noteList.final();
      await check('idempotency-create-answer', () => expectRepeated(repeat, noteOf(first)));
      await check('idempotency-create-late', () => {
        expectAtMost(final, late.text, 1, 'a creation repeated at the end should make no second note', [first, repeat]);
      });
    });
  },
);
