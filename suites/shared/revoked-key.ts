// A key that was revoked, tried on every operation at once: it belongs to no account, so nothing holds the requests back.
import {
  type Api,
  type Call,
  type Credential,
  expectSuccess,
  identifierOf,
  itemsOf,
  type OperationId,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { orNothing } from './attempt.ts';
import { plainReads, protectedIds, protectedReads } from './groups.ts';
import { isRevoked, revokeKey } from './keys.ts';
import { optionalHeaders } from './optional-headers.ts';
import { slugsInMe } from './slugs.ts';
import { trickyCall } from './tricky-texts.ts';

const readsAfter = 5;

/**
 * By itself, which is followed by a few reads with it; by the other token of its account where that is refused. Resolves
 * to the last word on it.
 */
export async function revokeByItself(
  live: Api,
  key: Credential,
  id: number | string | undefined,
  { random }: Pick<Tools, 'random'>,
): Promise<Reply> {
  const own = await revokeKey(live.as(key), id);
  if (!isRevoked(own)) return revokeKey(live, id);
  const dead = live.as({ ...key, accounts: [] });
  const reads = random.derive(String(id)).shuffled(protectedReads);
  for (const operation of reads.slice(0, readsAfter)) await dead.send(operation);
  return own;
}

/** Made and revoked again, where that can be done. */
export async function revokedToken(
  { make, invalid, random }: Pick<Tools, 'make' | 'invalid' | 'random'>,
  api: Api,
): Promise<readonly Credential[]> {
  const key = await orNothing(make.key(api, make.wholeText(1)));
  if (key === undefined) return [];
  expectSuccess(await revokeByItself(api, key.credential, key.id, { random }));
  return [invalid('a revoked key', key.credential.token ?? '')];
}

/** `live` is another token of the same account. What is answered is judged when the run is over. */
export async function tryRevoked(
  live: Api,
  key: Credential,
  { random, make }: Pick<Tools, 'random' | 'make'>,
): Promise<void> {
  const companies = await live.send('GET /companies', { query: { limit: 200 } });
  // Those of the run, and if it has none here, any.
  const own = itemsOf(companies).filter(({ name }) => typeof name === 'string' && make.isOwn(name));
  const drawn = random.derive('companies').shuffled(own.length > 0 ? own : itemsOf(companies).slice(0, 1));
  const [slug] = await slugsInMe(live);
  const mark = make.name('refused');
  const companyFor = (place: number) => identifierOf('company', drawn[place % drawn.length]);
  const dead = live.as({ ...key, accounts: [] });
  const dress = optionalHeaders(random, []);
  await Promise.all(
    protectedIds.map(async (operation, place) => {
      const call = validCall(operation, companyFor(place), slug, mark);
      if (call !== undefined) await dead.send(operation, dress(operation, trickyCall(operation, call, random)));
    }),
  );
}

type Calls = Partial<Record<OperationId, Call>>;

const onCompany = (company: number | string, mark: string): Calls => {
  const path = { company_id: company };
  return {
    'GET /companies/{company_id}': { path },
    'PATCH /companies/{company_id}': { path, body: { name: mark, company_type: 'lender' } },
    'GET /companies/{company_id}/notes': { path },
    'POST /companies/{company_id}/notes': { path, body: { text: mark } },
    'POST /contacts': { body: { contact_type: 'lender_contact', company_id: company, last_name: mark } },
  };
};

/** A call that is valid in everything, on what is known of an account; undefined where that does not suffice. */
export function validCall(
  operation: OperationId,
  company: number | string | undefined,
  slug: string | undefined,
  mark: string,
): Call | undefined {
  const calls: Calls = {
    'POST /api-keys': { body: { label: mark } },
    'POST /companies': { body: { name: mark, company_type: 'lender' } },
    ...(slug === undefined ? {} : { 'PATCH /me/active-account': { body: { slug } } }),
    ...(company === undefined ? {} : onCompany(company, mark)),
  };
  return calls[operation] ?? (plainReads.includes(operation) ? {} : undefined);
}
