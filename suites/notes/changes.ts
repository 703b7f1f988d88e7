// A note edited and deleted beside another: the reply, the list, and what is left at the end of the run.
import { at, conforms, dataOf, expectEqual, expectStatus, identifierOf, settled } from '../../lib/index.ts';
import { attempt, attemptRequest } from '../shared/attempt.ts';
import { expectGone, expectShown, expectText, expectTextGone, expectTextOnce, shelf } from './shelf.ts';

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
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ api, spare, spareCompany, clock, random, make, fact, atEnd }) => {
    const notes = shelf(api.as(spare), random, spareCompany.id);
    const note = await make.note(api.as(spare), spareCompany.id);
    const other = await make.note(api.as(spare), spareCompany.id);
    // Both are to be seen before either is changed, so that nothing later is mistaken for the lag of the list.
    await settled(clock, async () => {
      const listing = await notes.list();
      for (const { id, text } of [note, other]) expectShown(listing, id, text, 'a new note');
    });
    const expectOther = async () => expectShown(await notes.list(), other.id, other.text, 'the other note');

    const text = make.name('edited note');
    const edit = await attemptRequest(notes.edit(note.id, { text }));
    await fact('notes-edit-reply', () => {
      expectText(edit.judged(), text);
      expectEqual(identifierOf('note', dataOf(edit.judged())), note.id, 'the identifier', edit.judged());
    });
    await fact('notes-edit-effect', async () => {
      edit.value();
      await settled(clock, async () => {
        const listing = await notes.list();
        expectShown(listing, note.id, text, 'the edited note');
        expectTextOnce(listing, text, 'the new text');
        expectTextGone(listing, note.text, 'the old text');
      });
    });
    await fact('notes-others-untouched', expectOther);

    const removal = await attemptRequest(notes.remove(note.id));
    await fact('notes-delete-result', () => {
      const reply = removal.judged();
      expectEqual(at(dataOf(reply), 'deleted'), true, 'deleted', reply);
    });
    const disappeared = await attempt(
      settled(clock, async () => expectGone(await notes.list(), note.id, 'the deleted note')),
    );
    await fact('notes-delete-effect', () => {
      removal.value();
      disappeared.judged();
    });
    await fact('notes-others-untouched', expectOther);
    await fact('notes-deleted-unknown', async () => {
      disappeared.value();
      expectStatus(await notes.edit(note.id, { text: make.name('late edit') }), 404);
      expectStatus(await notes.remove(note.id), 404);
    });
    atEnd(() =>
      fact('notes-delete-lasting', async () => {
        disappeared.value();
        expectGone(await notes.list(), note.id, 'the note deleted earlier');
        expectStatus(await notes.edit(note.id, { text: make.name('late edit') }), 404);
      }),
    );
  },
);
