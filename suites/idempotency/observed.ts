// What a used key does elsewhere: with another body, path, method or account, after a refusal, or when it is not a UUID.
import { at, conforms, dataOf, expectSuccess, idempotencyKeyOf, type Reply } from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { KeyedNotes, type NoteId, noteOf } from './keyed-notes.ts';

const madeAnswer = (reply: Reply, first: NoteId): string => {
  if (!wasAccepted(reply)) return answerOf(reply);
  return noteOf(reply) === first ? 'the first note again' : 'a note of its own';
};

function editAnswer(reply: Reply, wanted: string): string {
  if (!wasAccepted(reply)) return answerOf(reply);
  return at(dataOf(reply), 'text') === wanted ? 'carried out' : 'accepted without effect';
}

export const usedKeys = conforms(
  [
    'idempotency-refused-retry',
    'idempotency-reuse-body',
    'idempotency-reuse-path',
    'idempotency-key-not-uuid',
    'idempotency-note-delete',
  ],
  { needs: ['spare', 'spareCompany'], writes: 9, beyondQuick: true },
  async ({ spare, spareCompany, api, clock, make, random, observe }) => {
    const noteList = new KeyedNotes(api.as(spare), spareCompany.id, clock);
    const refusedKey = random.uuid();
    const refused = await noteList.create('   ', refusedKey);
    const corrected = await noteList.create(make.noteText('note corrected under its key'), refusedKey);
    const carriedOut = wasAccepted(corrected) ? 'yes' : `no: ${answerOf(corrected)}`;
    observe('idempotency-refused-retry', wasAccepted(refused) ? 'the first was not refused' : carriedOut, corrected);

    // Where the corrected write is refused under its key, it needs one of its own.
    const key = wasAccepted(corrected) ? refusedKey : random.uuid();
    const used = make.noteText('note under a key that is used again');
    const first = wasAccepted(corrected) ? corrected : await noteList.create(used, key);
    expectSuccess(first);
    const otherBody = await noteList.create(make.noteText('other note under a used key'), key);
    observe('idempotency-reuse-body', madeAnswer(otherBody, noteOf(first)), first, otherBody);
    const text = make.noteText('edit under a used key');
    const otherPath = await noteList.edit(noteOf(first), text, key, true);
    observe('idempotency-reuse-path', editAnswer(otherPath, text), otherPath);

    const word = `covenant ${random.uuid().slice(0, 8)}`;
    const again = make.noteText('note under a key that is not a UUID');
    const odd = await noteList.create(again, word, true);
    const repeat = await noteList.create(again, word, true);
    const repeated = wasAccepted(odd) ? `accepted; a repeat answers ${madeAnswer(repeat, noteOf(odd))}` : answerOf(odd);
    observe('idempotency-key-not-uuid', repeated, odd, repeat);

    const deletion = random.uuid();
    expectSuccess(await noteList.remove(noteOf(first), deletion));
    const gone = await noteList.remove(noteOf(first), deletion);
    observe('idempotency-note-delete', answerOf(gone), gone);
  },
);

export const otherAccount = conforms(
  'idempotency-reuse-account',
  { needs: ['secondary', 'spareCompany', 'company'], writes: 2, beyondQuick: true },
  async ({ spareCompany, company, api, clock, make, random, observe }) => {
    const used = idempotencyKeyOf(spareCompany.reply) ?? random.uuid();
    const reply = await new KeyedNotes(api, company.id, clock).create(make.noteText('note under a foreign key'), used);
    observe('idempotency-reuse-account', answerOf(reply), reply);
  },
);
