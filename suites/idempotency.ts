// Common request headers: what a write repeated under its Idempotency-Key does.
import { conforms, type Fixtures, idempotencyKeyOf, ifPossible, NotTested, suite, type Tools } from '../lib/index.ts';
import { notesUnderKeys, race } from './idempotency/notes.ts';
import { apiKey, otherAccount, usedKeys } from './idempotency/observed.ts';
import { idempotencyRules } from './idempotency/rules.ts';
import { findMarked } from './shared/search.ts';

/** Repeats the creation of a company or contact unchanged, and reads what it created. */
async function repeat(
  own: Pick<Tools, 'api' | 'clock'>,
  create: 'POST /companies' | 'POST /contacts',
  { sent, reply }: Fixtures['spareCompany' | 'contact'],
): Promise<void> {
  const key = idempotencyKeyOf(reply);
  if (key === undefined) throw new NotTested('the record was made without an Idempotency-Key');
  await own.api.send(create, { body: sent, key });
  const [list, name] =
    create === 'POST /companies' ? (['GET /companies', 'name'] as const) : (['GET /contacts', 'last_name'] as const);
  await ifPossible(findMarked(own, list, String(sent[name]), `the record that "${create}" made`));
}

const records = [
  conforms(
    'idempotency-company-create',
    { needs: ['spare', 'spareCompany'], writes: 1, leaves: { companies: 1 } },
    ({ spare, spareCompany, api, clock }) => repeat({ api: api.as(spare), clock }, 'POST /companies', spareCompany),
  ),
  conforms(
    'idempotency-contact-create',
    { needs: ['contact'], writes: 1, leaves: { contacts: 1 } },
    ({ contact, api, clock }) => repeat({ api, clock }, 'POST /contacts', contact),
  ),
];

export default suite(
  'idempotency',
  [notesUnderKeys, race, usedKeys, otherAccount, ...records, apiKey],
  idempotencyRules,
);
