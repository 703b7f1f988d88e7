// A note edited and deleted beside another: the reply, the list, and what is left at the end of the run.
import {
  at,
  conforms,
  dataOf,
  eventually,
  expectEqual,
  expectStatus,
  expectThat,
  identifierOf,
  NotTested,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { attempt, attemptRequest } from '../shared/attempt.ts';
import {
  expectAll,
  expectGone,
  expectNoFurther,
  expectShown,
  expectText,
  expectUntouched,
  type NoteList,
  noteList,
  textsOf,
} from './note-list.ts';

/** Neither the list nor an edit finds the note again. */
async function expectStillGone(notes: NoteList, id: number, text: string): Promise<void> {
  expectGone(await notes.list(), id, 'the note deleted earlier');
  const late = await notes.edit(id, { text });
  expectThat(!wasAccepted(late), 'a note deleted earlier should not be edited', {
    expected: 'a refusal',
    actual: late.status,
    replies: late,
  });
}

export const changes = conforms(
  [
    'notes-edit-reply',
    'notes-edit-effect',
    'notes-others-untouched',
    'notes-delete-result',
    'notes-delete-effect',
    'notes-deleted-unknown',
    'notes-delete-lasting',
  ],
  { needs: ['spare'], writes: true },
  async ({ api: primary, spare, clock, random, make, check, atEnd }) => {
    const api = primary.as(spare);
    const notes = noteList(api, random, (await make.company(api)).id);
    const note = await make.note(api, notes.company);
    const other = await make.note(api, notes.company);
    // Both must be seen before either is changed, so that nothing later is mistaken for the lag of the list.
    const show = async () => {
      const listing = await notes.list();
      expectAll(listing, [note, other]);
      return listing;
    };
    let before = await eventually(clock, show);
    /** Whatever was done to one note, the others are in the list as they were before. */
    const judgeOthers = async (touched: number) => {
      const after = await notes.list();
      const former = before;
      await check('notes-others-untouched', () => expectUntouched(former, after, touched));
      before = after;
    };

    for (const text of [make.name('edited note'), make.name('note edited again')]) {
      const edit = await attemptRequest(notes.edit(note.id, { text }));
      await check('notes-edit-reply', () => {
        expectText(edit.judged(), text);
        expectEqual(identifierOf('note', dataOf(edit.judged())), note.id, 'the identifier', edit.judged());
      });
      await check('notes-edit-effect', async () => {
        edit.value();
        await eventually(clock, async () => {
          const listing = await notes.list();
          expectShown(listing, note.id, text, 'the edited note');
          expectNoFurther(listing, [note.id, other.id]);
        });
      });
      await judgeOthers(note.id);
    }

    /** Deletes a note; the attempt is at its disappearance from the list. */
    const remove = async (id: number) => {
      if (textsOf(before, id).length === 0) throw new NotTested('the note to be deleted is gone before that');
      const removal = await attemptRequest(notes.remove(id));
      await check('notes-delete-result', () => {
        const reply = removal.judged();
        expectEqual(at(dataOf(reply), 'deleted'), true, 'deleted', reply);
      });
      const gone = await attempt(eventually(clock, async () => expectGone(await notes.list(), id, 'the deleted note')));
      await check('notes-delete-effect', () => {
        removal.value();
        gone.judged();
      });
      await judgeOthers(id);
      return gone;
    };
    await remove(other.id);
    const disappeared = await remove(note.id);
    await check('notes-deleted-unknown', async () => {
      disappeared.value();
      expectStatus(await notes.edit(note.id, { text: make.name('late edit') }), 404);
      expectStatus(await notes.remove(note.id), 404);
    });
    atEnd(() =>
      check('notes-delete-lasting', async () => {
        disappeared.value();
        await expectStillGone(notes, note.id, make.name('late edit'));
      }),
    );
  },
);
