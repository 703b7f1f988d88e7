// API keys: labels, creation, revocation, and requests with a revoked key to every operation.
import {
  type Api,
  at,
  type Call,
  type Credential,
  dataOf,
  expectSuccess,
  identifierOf,
  itemsOf,
  type Reply,
  type Tools,
  wordOf,
} from '../../lib/index.ts';
import { answerOf, slugsInMe, wasAccepted } from './answer.ts';
import { protectedIds, protectedReads } from './groups.ts';
import { optionalHeaders } from './optional-headers.ts';
import { validCall } from './refusals.ts';
import { trickyCall } from './tricky-texts.ts';
import { unlessMismatch } from './unless.ts';

export const keyPrefix = 'svc_sk_';
/** The rules know a revoked key by this name. */
export const revokedName = 'a revoked key';

/** An undefined identifier is sent as an empty path segment. */
export const revokeKey = (api: Api, id: number | string | undefined): Promise<Reply> =>
  api.send('DELETE /api-keys/{key_id}', { path: { key_id: id ?? '' } });

/** `deleted true`, or `refused with 404`. */
export const revocationAnswer = (reply: Reply): string =>
  wasAccepted(reply) ? `deleted ${wordOf(at(dataOf(reply), 'deleted'))}` : answerOf(reply);

/** Whether the reply confirms the revocation. */
export const isRevoked = (reply: Reply): boolean => wasAccepted(reply) && at(dataOf(reply), 'deleted') === true;

/** A key's identifier and credential. */
export interface Keyed {
  readonly id: number | string | undefined;
  readonly credential: Credential;
}

/** Undefined where the key is not created. It does not wait for the rate limit, and no requirement judges it. */
export async function keyBy(
  api: Api,
  label: string,
  make: Tools['make'],
  under: Call = {},
): Promise<Keyed | undefined> {
  const reply = await api.send('POST /api-keys', { body: { label }, ...under });
  if (!wasAccepted(reply) || typeof at(dataOf(reply), 'api_key') !== 'string') return undefined;
  return { id: identifierOf('key', dataOf(reply)), credential: make.credential(api.credential, reply) };
}

export const labelMax = 255;

/** A text of this many characters, all of them precomposed. */
export const padded = (start: string, letters: string, length: number): string =>
  [...start, ...letters.repeat(length)].slice(0, length).join('');

/** Labels one character too long, of different kinds; all begin with the name. */
export const longLabels: readonly ((name: string) => string)[] = [
  ...['K', 'k', 'é', 'Lender '].map(
    (letters) => (name: string) => padded(name, letters, labelMax + 1).replace(/ $/, 'r'),
  ),
  (name) => padded(name.toLowerCase(), 'k', labelMax + 1),
];

const readsAfter = 5;

/**
 * Revokes a key with itself and then sends a few reads with it. If that is refused, revokes it with another token of
 * its account. Resolves to the last reply of a revocation.
 */
export async function revokeByItself(
  live: Api,
  key: Credential,
  id: number | string | undefined,
  { random }: Pick<Tools, 'random'>,
): Promise<Reply> {
  const own = await revokeKey(live.as(key), id);
  if (!isRevoked(own)) return revokeKey(live, id);
  const revoked = live.as({ ...key, accounts: [] });
  const reads = random.derive(String(id)).shuffled(protectedReads);
  for (const operation of reads.slice(0, readsAfter)) await revoked.send(operation);
  return own;
}

/** A key created and revoked here, if possible. */
export async function revokedToken(
  { make, invalid, random }: Pick<Tools, 'make' | 'invalid' | 'random'>,
  api: Api,
): Promise<readonly Credential[]> {
  const key = await unlessMismatch(make.key(api, make.wholeText(1)));
  if (key === undefined) return [];
  expectSuccess(await revokeByItself(api, key.credential, key.id, { random }));
  return [invalid(revokedName, key.credential.token ?? '')];
}

/** Sends every operation with a revoked key; rules judge the replies. `live`: another token of the same account. */
export async function tryRevoked(
  live: Api,
  key: Credential,
  { random, make }: Pick<Tools, 'random' | 'make'>,
): Promise<void> {
  const companies = await live.send('GET /companies', { query: { limit: 200 } });
  // Companies of the run, or any one if the caller sees none of them.
  const own = itemsOf(companies).filter(({ name }) => typeof name === 'string' && make.isOwn(name));
  const drawn = random.derive('companies').shuffled(own.length > 0 ? own : itemsOf(companies).slice(0, 1));
  const [slug] = await slugsInMe(live);
  const mark = make.name('refused');
  const companyFor = (place: number) => ({ id: identifierOf('company', drawn[place % drawn.length]) });
  const revoked = live.as({ ...key, accounts: [] });
  const addHeaders = optionalHeaders(random, []);
  await Promise.all(
    protectedIds.map(async (operation, place) => {
      const call = validCall(operation, { company: companyFor(place), slug }, mark);
      if (call !== undefined) await revoked.send(operation, addHeaders(operation, trickyCall(operation, call, random)));
    }),
  );
}
