// What a lawful client does with accounts and credentials: it reads who it is, makes and revokes keys, switches accounts.
import type { Caller, Client, MadeKey } from './client.ts';
import { given } from './exchange.ts';
import { companyPath } from './flows-of-records.ts';
import { nameFrom } from './inputs.ts';

const ownReads: readonly [string, ...string[]] = [
  '/me',
  '/me/accounts',
  '/me/team-accounts',
  '/account/team',
  '/billing/summary',
  '/billing/credits/balance',
];
const anyReads: readonly [string, ...string[]] = [
  ...ownReads,
  '/companies?limit=2',
  '/contacts?limit=2',
  '/api-keys?limit=2',
];

export async function whoAmI(client: Client): Promise<void> {
  const as = client.deal('readers', [
    client.anyone,
    client.anyone,
    client.restricted,
    client.sibling,
    client.homeless,
  ])();
  for (const path of client.some('own reads', ownReads, 3)) await client.ask('GET', path, { as });
  if (client.chance(3)) await client.ask('GET', '/health', { as: nobody });
}

const nobody: Caller = { who: 'nobody', authorization: '', account: '' };

async function validate(client: Client, api_key: string): Promise<void> {
  // What the validation answers to a text without the prefix of keys is not shown.
  const also = api_key.startsWith('svc_sk_') ? [] : [400, 404, 422];
  await client.ask('POST', '/auth/validate-api-key', { as: nobody, body: { api_key }, also });
}
const secretOf = ({ authorization }: Caller): string => authorization.replace('Bearer ', '');

/** Made, used, listed, and revoked sooner or later; a made key makes another. */
export async function keys(client: Client): Promise<void> {
  const maker = client.random.pick([
    client.primary,
    client.session,
    client.session,
    client.secondary,
    client.restricted,
    client.anyone,
  ])();
  const made = await client.makeKey(maker, nameFrom(client));
  if (made === undefined) return;
  for (const path of client.some('any reads', anyReads, 2)) await client.ask('GET', path, { as: made.caller });
  if (client.chance(2)) await validate(client, secretOf(made.caller));
  if (maker.who === 'the restricted key') return restrictedStill(client, made);
  if (client.chance(2)) await client.makeKey(made.caller, nameFrom(client));
  if (client.chance(2)) await client.ask('GET', '/api-keys?limit=200', { as: maker });
  if (client.chance(2)) await revoke(client, maker, made);
}

/** A key that a restricted user has made may do no more than its maker. */
async function restrictedStill(client: Client, made: MadeKey): Promise<void> {
  const as = made.caller;
  await client.ask('GET', '/billing/summary', { as });
  await client.ask('POST', '/companies', { as, body: { name: 'No', company_type: 'lender' } });
  client.keys.splice(client.keys.indexOf(made), 1);
}

async function revoke(client: Client, as: Caller, key: MadeKey): Promise<void> {
  const { data } = await client.ask('DELETE', `/api-keys/${given('key', key.id)}`, { as });
  if (data.deleted !== true) return;
  client.keys.splice(client.keys.indexOf(key), 1);
  if (client.chance(2)) await client.ask('GET', '/api-keys?limit=200', { as });
  for (const path of client.some('any reads', anyReads, 3)) {
    await client.ask('GET', path, { as: { ...key.caller, who: 'a revoked key' } }, client.chance(2));
  }
  if (client.chance(2))
    await client.ask('POST', '/companies', { as: key.caller, body: { name: 'No', company_type: 'lender' } });
  const company = client.one(client.known(key.caller.account));
  const body = { text: 'too late' };
  if (company !== undefined && client.chance(2)) {
    await client.ask('POST', `${companyPath(company)}/notes`, { as: key.caller, body }, client.chance(2));
  }
  if (client.chance(2)) await validate(client, secretOf(key.caller));
  if (client.chance(2)) await client.ask('GET', '/api-keys', { as });
}

/** Revokes an old key by its maker's session or key, or by itself. */
export async function oldKeys(client: Client): Promise<void> {
  const key = client.one(client.keys);
  if (key === undefined) return;
  const owner = { 'harbor-point': client.primary, lakeshore: client.secondary }[key.caller.account] ?? client.session;
  await revoke(client, client.chance(4) ? key.caller : owner(), key);
}

/** Tries to revoke somebody else's key, which goes on working. */
export async function foreignKeys(client: Client): Promise<void> {
  const key = client.one(client.keys);
  if (key === undefined) return;
  const stranger = key.caller.account === 'lakeshore' ? client.primary() : client.secondary();
  await client.ask('DELETE', `/api-keys/${given('key', key.id)}`, { as: stranger, judged: 'open' });
  await client.ask('GET', '/me', { as: key.caller });
}

export async function validations(client: Client): Promise<void> {
  const known = client.random.pick(['API_KEY', 'API_KEY_RESTRICTED', 'API_KEY_SECONDARY', 'RATE_API_KEY']);
  await validate(client, client.env[`COVENANT_${known}`] ?? '');
  const unknown = client.random.pick([
    'svc_sk_unknown',
    'nonsense',
    'svc_sk_',
    'SVC_SK_A',
    client.env.COVENANT_JWT ?? '',
  ]);
  if (client.chance(2)) await validate(client, unknown);
}

async function switchTo(client: Client, slug: unknown, judged: 'exact' | 'refused' = 'exact'): Promise<void> {
  const as = client.session();
  const body = slug === undefined ? {} : { slug };
  const { status } = await client.ask('PATCH', '/me/active-account', { as, body, judged });
  if (status === 200) client.stored = String(slug);
  const after = client.session();
  for (const path of client.some('any reads', anyReads, 2)) await client.ask('GET', path, { as: after });
}

export async function switches(client: Client): Promise<void> {
  await switchTo(client, client.random.pick(['summit-west', 'summit-east']));
  if (client.chance(2)) {
    const as = client.sessionIn(client.stored === 'summit-west' ? 'summit-east' : 'summit-west');
    for (const path of client.some('any reads', anyReads, 3)) await client.ask('GET', path, { as });
    await client.ask('GET', '/billing/summary', { as: client.session() });
  }
  const made = client.one(client.keys.filter(({ caller }) => caller.account.startsWith('summit')));
  if (made) await client.ask('GET', '/me', { as: made.caller });
}

export async function refusedSwitches(client: Client): Promise<void> {
  const slug = client.deal('slugs', [undefined, 'no-such-account', 'lakeshore', 'old-mill']);
  // refusal-status: 404 is named for those who are not members, and this membership is there without being active.
  await switchTo(client, slug, slug === 'old-mill' ? 'refused' : 'exact');
  if (client.chance(2)) await switchTo(client, client.deal('wrong slugs', [null, 7, '', ['summit-west']]), 'refused');
}

/** X-Active-Account of an account that is not the session's. */
export async function foreignHeaders(client: Client): Promise<void> {
  const account = client.deal('foreign', ['lakeshore', 'harbor-point', 'no-such-account', 'old-mill']);
  const as = client.sessionIn(account);
  const reads = client.some('any reads', anyReads, 3);
  // active-account-header: a foreign value opens nothing, and whether it is refused or ignored is open.
  for (const path of reads) await client.ask('GET', path, { as, judged: 'ignorable' });
  const made = client.one(client.keys)?.caller ?? client.primary();
  // The same beside a key, which it never moves, not even to another account of its user.
  const sibling = { 'summit-west': 'summit-east', 'summit-east': 'summit-west' }[made.account] ?? account;
  for (const [index, path] of reads.slice(0, 2).entries()) {
    const named = index === 0 ? account : sibling;
    const as = { ...made, who: `${made.who} with X-Active-Account`, headers: { 'x-active-account': named } };
    await client.ask('GET', path, { as, also: named === made.account ? [] : [400, 403, 404, 422] });
  }
}
