// The doctor against the reference and against what is wrong with targets and credentials: it finds each, and writes nothing.
import { describe, expect, test } from 'vitest';
import { targetOf } from '../../lab/examine.ts';
import { createReference, type ReferenceOptions } from '../../lab/reference/index.ts';
import type { ProfileName } from '../catalogue/profiles.ts';
import { type Handler, handlerTransport } from '../client/transports/handler.ts';
import { NoReply, type Transport } from '../client/transports/transport.ts';
import type { Target } from '../configuration/settings.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { diagnose } from './diagnose.ts';

interface DoctorSetting {
  readonly reference?: Omit<ReferenceOptions, 'clock'>;
  readonly skewMs?: number;
  readonly env?: (env: Record<string, string>) => Record<string, string>;
  readonly target?: Partial<Target>;
  readonly wrap?: (honest: Handler) => Handler;
  readonly profile?: ProfileName;
}

async function doctor({ reference, skewMs = 0, env = (same) => same, target, wrap, profile }: DoctorSetting = {}) {
  const clock = virtualClock();
  const inside = { now: () => clock.now() + skewMs, sleep: clock.inside.sleep };
  const made = await createReference({ ...reference, clock: inside });
  const asked: string[] = [];
  const handler: Handler = (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname.replace(/.*\/v2/, '')}`);
    return (wrap ? wrap(made.handler) : made.handler)(request);
  };
  const transport = handlerTransport(handler, clock);
  const whole: Target = { ...targetOf(env({ ...made.env })), ...target };
  const { checks, usable } = await diagnose({ target: whole, transport, clock }, profile);
  const wanting = checks.filter(({ state }) => state === 'wrong' || state === 'missing');
  return { checks, usable, asked, found: wanting.map(({ what, says }) => `${what}: ${says}`) };
}

const without =
  (...names: string[]) =>
  (env: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
const renamed =
  (from: string, to: string) =>
  (env: Record<string, string>): Record<string, string> => ({ ...env, [to]: env[from] ?? '' });

describe('a complete configuration', () => {
  test('a complete configuration is fine, found by a handful of reads and validations', async () => {
    const { found, usable, asked, checks } = await doctor();
    expect(found).toEqual([]);
    expect(Object.keys(usable?.credentials ?? {})).toHaveLength(8);
    expect(asked.filter((one) => !one.startsWith('GET ') && one !== 'POST /auth/validate-api-key')).toEqual([]);
    expect(asked.length).toBeLessThan(25);
    expect(checks.map(({ what }) => what)).toEqual(expect.arrayContaining(['clock', 'creation of keys']));
  });

  test('a complete configuration needs no dedicated key for the limits', async () => {
    expect((await doctor({ env: without('COVENANT_RATE_API_KEY', 'COVENANT_RATE_API_KEY_SIBLING') })).found).toEqual([
      expect.stringContaining('COVENANT_RATE_API_KEY_SIBLING: Not set'),
    ]);
  });
});

test('nothing is missing that does not exist in the profile', async () => {
  const env = without('COVENANT_JWT', 'COVENANT_JWT_EXPIRED', 'COVENANT_JWT_NO_ACCOUNT', 'COVENANT_FOREIGN_SLUG');
  const { found, checks } = await doctor({ env, profile: 'server-to-server' });
  expect(found).toEqual([]);
  expect(checks.find(({ what }) => what === 'COVENANT_JWT')?.says).toBe('Not needed in the server-to-server profile.');
  expect((await doctor({ env })).found).toHaveLength(4);
});

test('a wrong primary key does not hide the state of the other credentials', async () => {
  const wrongPrimary = (env: Record<string, string>) => ({
    ...without('COVENANT_JWT_NO_ACCOUNT')(env),
    COVENANT_API_KEY: `${env.COVENANT_API_KEY}x`,
    COVENANT_RATE_API_KEY: `${env.COVENANT_RATE_API_KEY}x`,
  });
  const { checks, usable, found } = await doctor({ env: wrongPrimary });
  expect(usable).toBeUndefined();
  expect(checks.map(({ what, state }) => `${what} ${state}`)).toEqual([
    'target fine',
    'COVENANT_API_KEY wrong',
    'COVENANT_API_KEY_RESTRICTED open',
    'COVENANT_API_KEY_SECONDARY open',
    'COVENANT_JWT open',
    'COVENANT_JWT_EXPIRED open',
    'COVENANT_JWT_NO_ACCOUNT missing',
    'COVENANT_RATE_API_KEY wrong',
    'COVENANT_RATE_API_KEY_SIBLING open',
    'COVENANT_FOREIGN_SLUG fine',
  ]);
  expect(found[0]).toMatch(/^COVENANT_API_KEY: The target refuses COVENANT_API_KEY with 401\. Check that /);
});

describe('each thing that is wrong or missing is found, and nothing else', () => {
  test.each<[string, DoctorSetting, string]>([
    ['not set', { env: without('COVENANT_JWT_EXPIRED') }, 'COVENANT_JWT_EXPIRED: Not set, so not tested: refusal'],
    ['no foreign slug', { env: without('COVENANT_FOREIGN_SLUG') }, 'COVENANT_FOREIGN_SLUG: Not set'],
    ['invalid', { env: (env) => ({ ...env, COVENANT_API_KEY_SECONDARY: 'svc_sk_unknown' }) }, 'is not a valid key'],
    ['with too many rights', { env: renamed('COVENANT_RATE_API_KEY', 'COVENANT_API_KEY_RESTRICTED') }, 'has the scope'],
    [
      'of the same account',
      { env: renamed('COVENANT_API_KEY_RESTRICTED', 'COVENANT_API_KEY_SECONDARY') },
      'belongs to the account of COVENANT_API_KEY',
    ],
    ['not expired', { env: renamed('COVENANT_JWT', 'COVENANT_JWT_EXPIRED') }, 'has not expired'],
    ['refused', { env: renamed('COVENANT_JWT_EXPIRED', 'COVENANT_JWT') }, 'is refused with 401'],
    ['without memberships', { env: renamed('COVENANT_JWT_NO_ACCOUNT', 'COVENANT_JWT') }, 'fewer than two memberships'],
    ['with an account', { env: renamed('COVENANT_JWT', 'COVENANT_JWT_NO_ACCOUNT') }, 'has an active account'],
    [
      'of another account',
      { env: renamed('COVENANT_API_KEY_SECONDARY', 'COVENANT_RATE_API_KEY_SIBLING') },
      'belongs to another account',
    ],
    ['a clock ahead', { skewMs: 90_000 }, 'clock: The target’s clock is 1 min 30 s ahead'],
    ['a clock behind', { skewMs: -30_000 }, 'behind this machine’s'],
  ])('the doctor finds what is wrong or missing, and nothing else: %s', async (_, setting, why) => {
    const { found, usable } = await doctor(setting);
    expect(found).toEqual([expect.stringContaining(why)]);
    expect(usable).toBeDefined();
  });

  test('the doctor reports limits that cannot be read, unless they are configured', async () => {
    const unreadable =
      (honest: Handler): Handler =>
      async (request) => {
        const reply = await honest(request);
        if (!request.url.endsWith('/me')) return reply;
        const text = (await reply.text()).replace(/"rate_limits":\{[^}]*\}/, '"rate_limits":{}');
        return new Response(text, { status: reply.status, headers: reply.headers });
      };
    expect((await doctor({ wrap: unreadable })).found).toEqual([
      expect.stringContaining('limits of COVENANT_RATE_API_KEY'),
    ]);
    expect((await doctor({ wrap: unreadable, target: { limits: { read: 1, write: 1, validate: 1 } } })).found).toEqual(
      [],
    );
  });
});

describe('a target with which no run can begin', () => {
  const target: Target = {
    ...targetOf({ COVENANT_API_KEY: 'svc_sk_canary' }),
    baseUrl: 'https://staging.example.com',
  };
  const reply =
    (status: number, headers: Record<string, string>, body = ''): Transport =>
    async () => ({ status, headers, body });
  test.each<[string, Transport, string]>([
    ['unknown host', () => Promise.reject(new NoReply('the host name is unknown')), 'host name is unknown'],
    ['TLS', () => Promise.reject(new NoReply('its TLS certificate has expired')), 'certificate has expired'],
    ['redirect', reply(301, { location: 'https://www.example.com/' }), 'redirects to https://www.example.com/'],
    ['HTML', reply(200, { 'content-type': 'text/html' }, '<html>'), 'text/html'],
    ['base path', reply(404, { 'content-type': 'application/json' }, '{"error":"no route"}'), 'host and path'],
  ])('the doctor says why no run can begin: %s', async (_, transport, why) => {
    const { checks, usable } = await diagnose({ target, transport, clock: virtualClock() });
    expect(usable).toBeUndefined();
    expect(checks).toEqual([{ what: 'target', state: 'wrong', says: expect.stringContaining(why) }]);
    expect(checks[0]?.says).toMatch(/[^.]\.$/);
  });
});
