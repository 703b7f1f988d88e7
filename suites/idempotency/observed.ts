// Observes used keys with another body, path, method or account, after refusals, for API keys, and non-UUID keys.
import {
  at,
  conforms,
  dataOf,
  eventuallySeen,
  expectSuccess,
  expectThat,
  idempotencyKeyOf,
  identifierOf,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { revokeKey } from '../shared/keys.ts';
import { keyedNotes, noteOf } from './notes.ts';

const madeAnswer = (reply: Reply, first: Reply): string => {
  if (!wasAccepted(reply)) return answerOf(reply);
  return noteOf(reply) === noteOf(first) ? 'the first note again' : 'a note of its own';
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
  async ({ spare, spareCompany, api, make, random, observe }) => {
    const notes = keyedNotes(api.as(spare), spareCompany.id);
    const refusedKey = random.uuid();
    const refused = await notes.create('   ', refusedKey);
    const corrected = await notes.create(make.noteText('note corrected under its key'), refusedKey);
    const carriedOut = wasAccepted(corrected) ? 'yes' : `no: ${answerOf(corrected)}`;
    observe('idempotency-refused-retry', wasAccepted(refused) ? 'the first was not refused' : carriedOut, corrected);

    // If the corrected write is refused with its key, it needs another.
    const key = wasAccepted(corrected) ? refusedKey : random.uuid();
    const used = make.noteText('note under a key that is used again');
    const first = wasAccepted(corrected) ? corrected : await notes.create(used, key);
    expectSuccess(first);
    const otherBody = await notes.create(make.noteText('other note under a used key'), key);
    observe('idempotency-reuse-body', madeAnswer(otherBody, first), first, otherBody);
    const text = make.noteText('edit under a used key');
    const otherPath = await notes.edit(first, text, key, { undocumented: true });
    observe('idempotency-reuse-path', editAnswer(otherPath, text), otherPath);

    const word = `covenant ${random.uuid().slice(0, 8)}`;
    const again = make.noteText('note under a key that is not a UUID');
    const odd = await notes.create(again, word, { undocumented: true });
    const repeat = await notes.create(again, word, { undocumented: true });
    const repeated = wasAccepted(odd) ? `accepted; a repeat answers ${madeAnswer(repeat, odd)}` : answerOf(odd);
    observe('idempotency-key-not-uuid', repeated, odd, repeat);

    const deletion = random.uuid();
    expectSuccess(await notes.remove(first, deletion));
    const gone = await notes.remove(first, deletion);
    observe('idempotency-note-delete', answerOf(gone), gone);
  },
);

/**
 * Repeats a creation of another account under its key: the reply shows a company of the own account, or is a refusal.
 */
export const otherAccount = conforms(
  ['idempotency-reuse-account', 'authentication-foreign-read'],
  {
    needs: ['foreignCompany'],
    perhaps: ['authentication-foreign-read'],
    writes: 1,
    leaves: { companies: 1 },
    beyondQuick: true,
  },
  async ({ foreignCompany, api, random, clock, check, observe }) => {
    const key = idempotencyKeyOf(foreignCompany.reply) ?? random.uuid();
    const reply = await api.send('POST /companies', { body: foreignCompany.sent, key });
    observe('idempotency-reuse-account', answerOf(reply), reply);
    const id = identifierOf('company', dataOf(reply));
    if (!wasAccepted(reply) || !Number.isInteger(id)) return;
    const read = () => api.send('GET /companies/{company_id}', { path: { company_id: Number(id) } });
    // Accounts may number companies separately: then the number may be that of another company.
    const isOwn = (one: Reply): boolean => wasAccepted(one) && at(dataOf(one), 'name') === at(dataOf(reply), 'name');
    const seen = await eventuallySeen(clock, reply.receivedAt, read, isOwn);
    if (wasAccepted(seen) || seen.status === 404)
      await check('authentication-foreign-read', () =>
        expectThat(isOwn(seen), 'a creation should show no record of another account', {
          ...{ expected: 'a company that the account can read', actual: answerOf(seen), replies: [reply, seen] },
        }),
      );
  },
);

export const apiKey = conforms(
  'idempotency-api-key-create',
  { needs: ['spare'], writes: 4, beyondQuick: true },
  async ({ spare, api, make, random, observe }) => {
    const call = { body: { label: make.name('key made twice') }, key: random.uuid() };
    const showsSecret = (reply: Reply) => at(dataOf(reply), 'api_key') !== undefined;
    const send = async () => {
      const reply = await api.as(spare).send('POST /api-keys', call);
      if (wasAccepted(reply) && showsSecret(reply)) make.credential(spare, reply);
      return reply;
    };
    const first = await send();
    // The feature may be off, or the account may have its maximum; another case judges plain creations.
    if ([400, 403, 409, 422].includes(first.status)) throw new NotTested(`keys cannot be made here (${first.status})`);
    expectSuccess(first);
    const again = await send();
    const same = identifierOf('key', dataOf(first)) === identifierOf('key', dataOf(again));
    // A stored reply may omit the secret, which is shown only once.
    const secret = showsSecret(again) ? '' : ', without its secret';
    const made = same ? `no: the same key again${secret}` : 'yes';
    observe('idempotency-api-key-create', wasAccepted(again) ? made : `no: ${answerOf(again)}`, first, again);
    // An account may have only a limited number of keys.
    const ids = [first, again].filter(wasAccepted).map((reply) => identifierOf('key', dataOf(reply)));
    for (const id of new Set(ids)) await revokeKey(api.as(spare), id);
  },
);
