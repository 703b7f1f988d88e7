// Companies, contacts and API keys created again under their Idempotency-Key.
import {
  type Api,
  at,
  conforms,
  dataOf,
  expectSuccess,
  expectThat,
  idempotencyKeyOf,
  identifierOf,
  type JsonObject,
  lagMsMax,
  NotTested,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { revokeKey } from '../shared/keys.ts';
import { expectOne, findWithinBound } from '../shared/search.ts';

interface CreatedRecord {
  readonly id: number | string | undefined;
  readonly sent: JsonObject;
  readonly reply: Reply;
}

const kinds = {
  company: { create: 'POST /companies', list: 'GET /companies', mark: 'name' },
  contact: { create: 'POST /contacts', list: 'GET /contacts', mark: 'last_name' },
} as const;
type CreatedKind = keyof typeof kinds;

/** Repeats a creation as it was sent; returns what expects that no second record was made. */
async function repeat(
  api: Api,
  clock: Tools['clock'],
  kind: CreatedKind,
  { id, sent, reply }: CreatedRecord,
): Promise<() => void> {
  const key = idempotencyKeyOf(reply);
  if (key === undefined) throw new Error(`the ${kind} was made without an Idempotency-Key`);
  const again = await api.send(kinds[kind].create, { body: sent, key });
  const mark = String(sent[kinds[kind].mark]);
  // Only the list can show a second one then, and it may lag.
  if (id === undefined) await clock.sleep(lagMsMax);
  const found = await findWithinBound({ api, clock }, kinds[kind].list, mark, `the ${kind} "${mark}"`);
  return () => {
    const same = wasAccepted(again) && (id === undefined || identifierOf(kind, dataOf(again)) === id);
    expectThat(same || !wasAccepted(again), `a repeated creation should make no second ${kind}`, {
      expected: `${kind} ${id}, or a refusal`,
      actual: identifierOf(kind, dataOf(again)) ?? 'a record without identifier',
      replies: [reply, again],
    });
    if (found) expectOne(found, mark, `the ${kind} whose creation was repeated`);
  };
}

export const elsewhere = [
  conforms(
    'idempotency-company-create',
    { needs: ['spare', 'spareCompany'], writes: 1, leaves: { companies: 1 } },
    async ({ spare, spareCompany, api, clock, check }) => {
      const expectation = await repeat(api.as(spare), clock, 'company', spareCompany);
      await check('idempotency-company-create', expectation);
    },
  ),

  conforms(
    'idempotency-contact-create',
    { needs: ['contact'], writes: 1, leaves: { contacts: 1 } },
    async ({ contact, api, clock, check }) => {
      const expectation = await repeat(api, clock, 'contact', contact);
      await check('idempotency-contact-create', expectation);
    },
  ),

  conforms(
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
      // It may be off, or the account may have its maximum; what a plain creation answers is judged elsewhere.
      if ([400, 403, 409, 422].includes(first.status))
        throw new NotTested(`keys cannot be made here (${first.status})`);
      expectSuccess(first);
      const again = await send();
      const same = identifierOf('key', dataOf(first)) === identifierOf('key', dataOf(again));
      // A stored reply need not hold what is shown only once.
      const secret = showsSecret(again) ? '' : ', without its secret';
      const made = same ? `no: the same key again${secret}` : 'yes';
      observe('idempotency-api-key-create', wasAccepted(again) ? made : `no: ${answerOf(again)}`, first, again);
      // An account holds a limited number of keys.
      const ids = [first, again].filter(wasAccepted).map((reply) => identifierOf('key', dataOf(reply)));
      for (const id of new Set(ids)) await revokeKey(api.as(spare), id);
    },
  ),
];
