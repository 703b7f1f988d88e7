// GET /me: rate limits, scopes, and that it speaks of the caller.
import {
  type Api,
  at,
  conforms,
  dataOf,
  expectSuccess,
  expectThat,
  isObject,
  NotTested,
  type Reply,
  walk,
} from '../../lib/index.ts';
import { probeScopes } from '../shared/scopes.ts';
import { shapeOf } from '../shared/shape.ts';

async function readMe(api: Api): Promise<Reply> {
  const reply = await api.send('GET /me');
  expectSuccess(reply);
  return reply;
}

function expectRateLimits(reply: Reply): void {
  const limits = at(dataOf(reply), 'platform', 'rate_limits');
  expectThat(limits !== undefined && limits !== null, 'GET /me should hold platform.rate_limits', {
    expected: 'data.platform.rate_limits',
    actual: limits === undefined ? 'absent' : limits,
    replies: reply,
  });
}

/** A scope is named by a text that holds it as a word, or by a member of that name that is not denied. */
const names = (data: unknown, scope: string): boolean =>
  walk(data).some(
    ({ path, value }) =>
      (typeof value === 'string' && value.split(/[^\w:.-]+/).includes(scope)) ||
      (path.at(-1) === scope && value !== false && value !== null),
  );

async function expectScopes(api: Api, me: Reply): Promise<void> {
  const opened = (await probeScopes(api)).filter((probe) => probe.opened);
  if (opened.length === 0) throw new NotTested(`${api.credential.name} opened no operation that needs a scope`);
  for (const { scope, reply } of opened)
    expectThat(names(dataOf(me), scope), `GET /me should name ${scope}, which the token has`, {
      expected: `${scope} in the data`,
      actual: 'not named',
      replies: [reply, me],
    });
}

/** Where a record seems to say how many keys an account may have. */
function keyMaximum(data: unknown): string {
  const found = walk(data).find(({ path, value }) => {
    const name = path.filter((step) => typeof step === 'string').join('.');
    return typeof value === 'number' && /key/i.test(name) && /max|limit|allow|quota|per/i.test(name);
  });
  return found ? `${found.path.join('.')}: ${found.value}` : 'not found';
}

const scopeLike = /^[a-z_-]+[:.][a-z_*.-]+$/i;

/** What a profile says of its user: everything but scopes, which two users may share or not. */
const profileOf = (data: unknown): string =>
  walk(data)
    .filter(({ value }) => !isObject(value) && !Array.isArray(value))
    .filter(({ value }) => !(typeof value === 'string' && scopeLike.test(value)))
    .filter(({ path }) => !path.includes('platform'))
    .map(({ path, value }) => `${path.filter((step) => typeof step === 'string').join('.')}=${JSON.stringify(value)}`)
    .sort()
    .join('\n');

function expectOthers(one: Reply, other: Reply): void {
  expectThat(profileOf(dataOf(one)) !== profileOf(dataOf(other)), 'two users should get their own profiles', {
    expected: 'two profiles',
    actual: 'the same profile',
    replies: [one, other],
  });
}

export const me = [
  conforms(
    ['account-me-rate-limits', 'account-me-scopes', 'account-me-key-maximum', 'account-me-fields'],
    {},
    async ({ api, check, observe }) => {
      const reply = await readMe(api);
      await check('account-me-rate-limits', () => expectRateLimits(reply));
      await check('account-me-scopes', () => expectScopes(api, reply));
      observe('account-me-key-maximum', keyMaximum(dataOf(reply)), reply);
      observe('account-me-fields', `for a key: ${shapeOf(dataOf(reply))}`, reply);
    },
  ),

  conforms(
    ['account-me-rate-limits', 'account-me-scopes', 'account-me-fields'],
    { needs: ['session'] },
    async ({ api, session, check, observe }) => {
      const own = api.as(session);
      const reply = await readMe(own);
      await check('account-me-rate-limits', () => expectRateLimits(reply));
      await check('account-me-scopes', () => expectScopes(own, reply));
      observe('account-me-fields', `for a session: ${shapeOf(dataOf(reply))}`, reply);
    },
  ),

  conforms('account-me-caller', { needs: ['secondary'] }, async ({ api, secondary, check }) => {
    const [one, other] = [await readMe(api), await readMe(api.as(secondary))];
    await check('account-me-caller', () => expectOthers(one, other));
  }),

  conforms('account-me-caller', { needs: ['restricted'] }, async ({ api, restricted, check }) => {
    const [one, other] = [await readMe(api), await readMe(api.as(restricted))];
    await check('account-me-caller', () => expectOthers(one, other));
  }),
];
