// Bad tokens on every operation, and limits that are spent.
import type { Ask, Caller, Client } from './client.ts';
import { companyPath, notePath, partial } from './flows-of-records.ts';
import { type Asked, keyed, send } from './flows-of-refusals.ts';

/** Changes one character, to another that may stand there. */
const bent = (text: string, place: number): string =>
  text.slice(0, place) + (text[place] === 'A' ? 'B' : 'A') + text.slice(place + 1);

const partOf = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function badTokens({ env }: Client): Record<string, string> {
  const { COVENANT_API_KEY: key = '', COVENANT_JWT: jwt = '', COVENANT_JWT_EXPIRED: expired = '' } = env;
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const unsigned = (alg: string) => `${partOf({ alg, typ: 'JWT' })}.${payload}.`;
  return {
    'no token': '',
    'an unknown key': `svc_sk_${'Q'.repeat(40)}`,
    'a key with its last character changed': bent(key, key.length - 1),
    'a key with a character in the middle changed': bent(key, 28),
    'a key that is cut short': key.slice(0, -1),
    'half a key': key.slice(0, 30),
    'a key with a suffix': `${key}x`,
    'a key in capitals': key.toUpperCase(),
    'the prefix of a key': key.slice(0, 12),
    'a session with a bent signature': `${header}.${payload}.${bent(signature, 5)}`,
    'a session with the end of its signature bent': `${header}.${payload}.${bent(signature, 30)}`,
    'a session without a signature': `${header}.${payload}.`,
    'a session of algorithm none': unsigned('none'),
    'a session of algorithm NONE': unsigned('NONE'),
    'a session for another user': `${header}.${partOf({ ...claims, sub: '1' })}.${signature}`,
    'a session with another claim': `${header}.${partOf({ ...claims, admin: true })}.${signature}`,
    'an expired session': expired,
    'a word': 'nonsense',
    'three words': 'a.b.c',
  };
}

function strangersOf(client: Client): readonly [Caller, ...Caller[]] {
  const [first, ...more] = Object.entries(badTokens(client)).map(([who, token]) => ({
    who,
    account: '',
    authorization: token === '' ? '' : `Bearer ${token}`,
  }));
  if (first === undefined) throw new Error('there are bad tokens');
  return [first, ...more];
}

function everything(company: string, note: string): readonly [Asked, ...Asked[]] {
  const text = { text: 'Taken' };
  const reads = [
    ...['/me/accounts', '/me/team-accounts', '/account/team', '/api-keys', '/billing/summary'],
    ...['/billing/credits/balance', '/companies', company, `${company}/notes`, '/contacts?limit=2'],
  ];
  return [
    ['GET', '/me'],
    ...reads.map((path): Asked => ['GET', path]),
    ['PATCH', '/me/active-account', { slug: 'summit-east' }],
    ['POST', '/api-keys', { label: 'Taken' }],
    ['DELETE', '/api-keys/1'],
    ['POST', '/companies', { name: 'Taken', company_type: 'lender' }],
    ['PATCH', company, { name: 'Taken' }],
    ['POST', `${company}/notes`, text],
    ['PATCH', note, text],
    ['DELETE', note],
    ['POST', '/contacts', { contact_type: 'sponsor', company_id: 1 }],
  ];
}

/** A note that is not there. */
const nowhere = '/companies/1/notes/1';
/** otherwise-valid: where there is a second defect it may be refused for that. */
function second([method, path]: Asked): Partial<Ask> {
  if (path === nowhere) return { judged: 'refused' };
  return method === 'PATCH' && !path.includes('/notes') && path.startsWith('/companies') ? partial : {};
}

/** One bad token on some operations, writes now and then under a used Idempotency-Key. */
export async function strangers(client: Client): Promise<void> {
  const as = client.deal('strangers', strangersOf(client));
  const company = companyPath(client.one(client.known('harbor-point')) ?? 1);
  const known = client.notes.findLast(({ account }) => account === 'harbor-point');
  const note = known === undefined ? nowhere : notePath(known);
  const used = client.exchanges.findLast(({ sent }) => 'idempotency-key' in sent.headers)?.sent.headers;
  const key = used?.['idempotency-key'];
  for (const one of client.some('odd', everything(company, note), 8)) {
    const headers = one[0] === 'GET' || key === undefined || client.chance(2) ? {} : { 'idempotency-key': key };
    await send(client, one, { as, headers, ...second(one) }, client.chance(3));
  }
  if (client.chance(2)) await client.ask('GET', '/companies?limit=5', { as: client.primary() });
}

const reads = [
  ...(['/me', '/companies?limit=1', '/contacts?limit=1', '/billing/summary', '/account/team'] as const),
  ...(['/api-keys?limit=1', '/billing/credits/balance', '/me/team-accounts'] as const),
] as const;

type Rate = 'read' | 'write' | 'validate';

async function spendOne(client: Client, rate: Rate, as: Caller): Promise<number> {
  if (rate === 'read') return (await client.ask('GET', client.deal('spent reads', reads), { as }, true)).status;
  if (rate === 'validate') {
    const body = { api_key: as.authorization.replace('Bearer ', '') };
    const nobody = { ...as, authorization: '' };
    return (await client.ask('POST', '/auth/validate-api-key', { as: nobody, body }, true)).status;
  }
  const body = { name: 'Acme', company_type: 'lender' };
  return (await client.ask('POST', '/companies', { as, body, headers: keyed(client) }, true)).status;
}

/** Spends one class of the smallest account, looks at what is left, and waits for a new minute. */
export async function spending(client: Client, rate: Rate): Promise<void> {
  const both: readonly [Caller, Caller] = [client.rate(), client.sibling()];
  const as = client.random.pick(both);
  const most = { read: 45, write: 14, validate: 14 }[rate];
  client.wait(61_000);
  for (let sent = 0; sent < most; sent += 1) await spendOne(client, rate, client.chance(4) ? client.sibling() : as);
  for (const other of ['read', 'write', 'validate'] as const) if (other !== rate) await spendOne(client, other, as);
  // Whether the health check is a read that counts is not shown.
  await client.ask('GET', '/health', { as, also: rate === 'read' ? [429] : [] });
  await client.ask('GET', '/me', { as: client.primary() });
  await client.ask('POST', '/companies', { as: client.secondary(), body: { name: 'Acme', company_type: 'sponsor' } });
  client.wait(20_000);
  await spendOne(client, rate, as);
  client.wait(45_000);
  await spendOne(client, rate, as);
}
