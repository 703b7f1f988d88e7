// Writes with bad credentials, each valid in everything else, and the records they named: all as before.
import {
  type Api,
  anonymous,
  type Call,
  type Company,
  type Contact,
  type Context,
  type Credential,
  conforms,
  dataOf,
  expectEqual,
  expectSuccess,
  expectThat,
  itemsOf,
  type MadeKey,
  Mismatch,
  type Note,
  NotTested,
  type OperationId,
  settled,
  slugsIn,
  type Tools,
} from '../../lib/index.ts';
import { expectFields } from '../shared/fields.ts';
import { carries, expectNone, find } from '../shared/search.ts';
import * as tokens from './bad-tokens.ts';

type Judge = Pick<Context<'authentication-refused-effect', never>, 'fact'>;
type Attempt = readonly [OperationId, Call];

/** What the writes with bad credentials aim at. */
interface Victims {
  readonly company: Company;
  readonly contact: Contact;
  readonly note: Note;
  /** Absent where keys cannot be made. */
  readonly key?: MadeKey;
}

/** Undefined where the target does not do it; that is judged elsewhere. */
const orNothing = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof Mismatch) return undefined;
    throw error;
  });

async function makeVictims(api: Api, make: Tools['make']): Promise<Victims> {
  const company = await make.company(api);
  const contact = await make.contact(api, company.id);
  const note = await make.note(api, company.id);
  const key = await orNothing(make.key(api));
  return { company, contact, note, ...(key ? { key } : {}) };
}

/** Made and revoked again, where that can be done. */
async function revokedToken({ make, invalid }: Tools, api: Api): Promise<readonly Credential[]> {
  const key = await orNothing(make.key(api));
  if (key === undefined) return [];
  expectSuccess(await api.send('DELETE /api-keys/{key_id}', { path: { key_id: key.id } }));
  return [invalid('a revoked key', key.credential.token ?? '')];
}

/** Every write once; what they would create carries the mark. */
function attempts({ company, note, key }: Victims, mark: string): readonly Attempt[] {
  const onCompany = { company_id: company.id };
  const onNote = { ...onCompany, note_id: note.id };
  return [
    ['POST /companies', { body: { name: mark, company_type: 'lender' } }],
    ['PATCH /companies/{company_id}', { path: onCompany, body: { ...company.sent, name: mark } }],
    ['POST /contacts', { body: { contact_type: 'lender_contact', ...onCompany, last_name: mark } }],
    ['POST /companies/{company_id}/notes', { path: onCompany, body: { text: mark } }],
    ['PATCH /companies/{company_id}/notes/{note_id}', { path: onNote, body: { text: mark } }],
    ['DELETE /companies/{company_id}/notes/{note_id}', { path: onNote }],
    ['POST /api-keys', { body: { label: mark } }],
    ...(key === undefined ? [] : [['DELETE /api-keys/{key_id}', { path: { key_id: key.id } }] as const]),
  ];
}

async function expectNotes(api: Api, { company, note }: Victims): Promise<void> {
  const list = await api.send('GET /companies/{company_id}/notes', { path: { company_id: company.id } });
  const held = itemsOf(list).map(({ text }) => text);
  expectEqual(held, [note.text], 'the notes of the company', list);
}

async function expectUntouched({ clock }: Tools, api: Api, victims: Victims, mark: string): Promise<void> {
  const { company, contact, key } = victims;
  const read = await api.send('GET /companies/{company_id}', { path: { company_id: company.id } });
  expectFields(dataOf(read), company.sent, Object.keys(company.sent), 'the company', read);
  await expectNotes(api, victims);
  if (key) expectSuccess(await api.as(key.credential).send('GET /companies', { query: { limit: 1 } }));
  const keys = await api.send('GET /api-keys', { query: { limit: 100 } });
  expectThat(!itemsOf(keys).some((one) => carries(one, mark)), 'no key should have been made', {
    expected: `no key labelled "${mark}"`,
    actual: 'one',
    replies: keys,
  });
  await expectUnlisted({ api, clock }, 'GET /companies', String(company.sent.name), mark);
  await expectUnlisted({ api, clock }, 'GET /contacts', String(contact.sent.last_name), mark);
}

/** Looked for around the record that was made shortly before; what lies beyond the bound of a huge list stays unseen. */
async function expectUnlisted(
  own: Pick<Tools, 'api' | 'clock'>,
  list: 'GET /companies' | 'GET /contacts',
  name: string,
  mark: string,
): Promise<void> {
  const found = await find(own, list, (one) => carries(one, name), name).catch((error: unknown) => {
    if (error instanceof NotTested) return undefined;
    throw error;
  });
  if (found) expectNone(found, mark, 'what was refused');
}

/** At once, and at the end because what was created may reach the lists late. */
async function tryWrites(tools: Tools & Judge, api: Api, bad: readonly Credential[]): Promise<void> {
  const { make, fact, clock, atEnd } = tools;
  const victims = await makeVictims(api, make);
  await settled(clock, () => expectNotes(api, victims));
  const mark = make.name('refused');
  for (const credential of bad)
    for (const [operation, call] of attempts(victims, mark)) await api.as(credential).send(operation, call);
  const judge = () => fact('authentication-refused-effect', () => expectUntouched(tools, api, victims, mark));
  await judge();
  atEnd(judge);
}

export const effect = [
  conforms('authentication-refused-effect', { needs: ['spare'], writes: true }, async ({ spare, ...tools }) => {
    const api = tools.api.as(spare);
    const bad = [
      anonymous,
      ...tokens.unknownKeys(tools),
      ...tokens.alteredKeys(tools, spare),
      ...(await revokedToken(tools, api)),
    ];
    await tryWrites(tools, api, bad);
  }),

  conforms(
    'authentication-refused-effect',
    { needs: ['session', 'memberships', 'expiredSession'], writes: true },
    async ({ session, memberships, expiredSession, ...tools }) => {
      const api = tools.api.as(session);
      const slugs = async () => slugsIn(await api.send('GET /me')).map(({ slug }) => slug);
      const mark = tools.make.name('refused');
      const before = await slugs();
      const bad = [
        expiredSession,
        ...tokens.tamperedSignatures(tools, session),
        ...tokens.unsignedTokens(tools, session),
      ];
      for (const credential of bad) {
        const forged = api.as(credential);
        for (const { slug } of memberships.all) await forged.send('PATCH /me/active-account', { body: { slug } });
        await forged.send('POST /api-keys', { body: { label: mark } });
        await forged.send('POST /companies', { body: { name: mark, company_type: 'lender' } });
      }
      const judge = () =>
        tools.fact('authentication-refused-effect', async () => {
          const keys = await api.send('GET /api-keys', { query: { limit: 100 } });
          const companies = await api.send('GET /companies', { query: { limit: 100 } });
          for (const list of [keys, companies]) {
            expectThat(!itemsOf(list).some((one) => carries(one, mark)), 'nothing should have been made', {
              expected: `no record named "${mark}"`,
              actual: 'one',
              replies: list,
            });
          }
        });
      await judge();
      const after = await slugs();
      await tools.fact('authentication-refused-effect', () => expectEqual(after, before, 'the slugs in GET /me', []));
      tools.atEnd(judge);
    },
  ),
];
