// GET /me: rate limits, scopes, and that it speaks of the caller.
import {
  type Api,
  at,
  conforms,
  dataOf,
  everyReply,
  expectSuccess,
  expectThat,
  keyMaximum,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { profileOf } from '../shared/profile.ts';
import { namesScope, probeScopes } from '../shared/scopes.ts';
import { shapeOf } from '../shared/shape.ts';
import { readSample } from '../walk/sample-reads.ts';

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

async function expectScopes(api: Api, me: Reply): Promise<void> {
  const opened = (await probeScopes(api)).filter((probe) => probe.opened);
  if (opened.length === 0) throw new NotTested(`${api.credential.name} opened no operation that needs a scope`);
  for (const { scope, reply } of opened)
    expectThat(namesScope(dataOf(me), scope), `GET /me should name ${scope}, which the token has`, {
      expected: `${scope} in the data`,
      actual: 'not named',
      replies: [reply, me],
    });
}

function maximumIn(me: Reply): string {
  const found = keyMaximum(me);
  return found ? `${found.path.join('.')}: ${found.value}` : 'not found';
}

function expectOthers(one: Reply, other: Reply): void {
  expectThat(profileOf(dataOf(one)) !== profileOf(dataOf(other)), 'two users should get their own profiles', {
    expected: 'two profiles',
    actual: 'the same profile',
    replies: [one, other],
  });
}

export const me = [
  everyReply(
    'account-me-rate-limits',
    { over: [], applies: (reply) => reply.operation === 'GET /me' && wasAccepted(reply) },
    expectRateLimits,
  ),

  conforms(
    ['account-me-rate-limits', 'account-me-scopes', 'account-me-key-maximum', 'account-me-fields'],
    {},
    async ({ api, check, observe }) => {
      const reply = await readMe(api);
      await check('account-me-rate-limits', () => expectRateLimits(reply));
      await check('account-me-scopes', () => expectScopes(api, reply));
      observe('account-me-key-maximum', maximumIn(reply), reply);
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

  conforms('account-me-caller', { needs: ['restricted'] }, async ({ api, restricted, random, effort, check }) => {
    const [one, other] = [await readMe(api), await readMe(api.as(restricted))];
    await check('account-me-caller', () => expectOthers(one, other));
    if (effort !== 'quick') await readSample(api.as(restricted), random);
  }),
];
