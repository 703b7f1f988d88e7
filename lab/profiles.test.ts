// A profile leaves out what needs a credential that does not exist there, names it, and judges everything else.
import { expect, test } from 'vitest';
import type { Handler } from '../lib/client/transports/handler.ts';
import { efforts, type Settings } from '../lib/configuration/settings.ts';
import { exitCode } from '../lib/gate/exit-code.ts';
import { filters } from '../lib/report/wording.ts';
import { examine } from './examine.ts';

const isJwt = (headers: Headers): boolean => /^bearer\s+[^.]+\.[^.]+\./i.test(headers.get('authorization') ?? '');

/** A server that has no sessions: to it a JWT is a token like any other that it never issued, and a key switches no account. */
const withoutSessions =
  (toSwitch: number | undefined) =>
  (honest: Handler): Handler =>
  async (request) => {
    const headers = new Headers(request.headers);
    if (isJwt(headers)) headers.set('authorization', 'Bearer never-issued');
    const response = await honest(new Request(request, { headers }));
    const switched = request.url.endsWith('/me/active-account') && request.method === 'PATCH' && response.ok;
    if (toSwitch === undefined || !switched) return response;
    return Response.json(
      { request_id: 'refused', error: { code: 'FORBIDDEN', message: 'Keys have one account.' } },
      { status: toSwitch },
    );
  };

const examined = async (toSwitch: number | undefined, settings: Partial<Settings>) => {
  const { report } = await examine({
    wrap: withoutSessions(toSwitch),
    env: ({ COVENANT_JWT: _, COVENANT_JWT_EXPIRED: __, COVENANT_JWT_NO_ACCOUNT: ___, ...keys }) => keys,
    settings: { profile: 'server-to-server', ...settings },
  });
  return report;
};

test.each<[number | undefined, Partial<Settings>]>([
  [undefined, { effort: 'quick' }],
  [404, { effort: 'quick' }],
  [403, { effort: 'standard' }],
  [400, { effort: 'standard', readOnly: true, exhaustion: false }],
  [undefined, { effort: 'thorough', readOnly: true, exhaustion: false }],
])(
  'a server without sessions that answers %s to a switch by a key is conformant in its profile: %j',
  async (...run) => {
    const report = await examined(...run);
    expect(report.requirements.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'observed')).toEqual([]);
    expect(exitCode(report, { interrupted: false })).toBe(0);
    expect(report.run.options.profile).toBe('server-to-server');
  },
);

test('only what a session alone can show is out of scope, and it is named', async () => {
  const { requirements, out_of_scope: left = [] } = await examined(undefined, {});
  const whole = await examine();
  expect(whole.report.out_of_scope).toBeUndefined();
  expect([...requirements, ...left].map(({ id }) => id).sort()).toEqual(
    whole.report.requirements.map(({ id }) => id).sort(),
  );
  expect(left.filter(({ level }) => level === 'must').map(({ id }) => id)).toEqual([
    'authentication-jwt-accepted',
    'authentication-tampered-signature',
    'authentication-tampered-payload',
    'authentication-alg-none',
    'authentication-expired',
    'account-me-slug',
    'account-accounts-complete',
    'account-accounts-only-own',
    'account-accounts-slugs',
    'account-team-accounts-undetermined',
    'account-active-switch-effect',
    'account-active-missing-slug',
    'account-active-invalid-slug',
    'account-active-foreign-slug',
    'account-active-refused-effect',
    'account-active-key-unmoved',
    'account-header-selects',
    'account-header-wins',
    'account-header-key-unmoved',
    'account-header-foreign',
  ]);
});

test.each(efforts)('--read-only is conformant with every credential, at %s effort', async (effort) => {
  const { report, transcript } = await examine({ settings: { readOnly: true, effort } });
  expect(report.requirements.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'observed')).toEqual([]);
  expect(exitCode(report, { interrupted: false })).toBe(0);
  expect(report.totals.must.passed).toBeGreaterThan(60);
  expect(filters(report).join()).toContain('nor what only a write makes observable');
  const writes = transcript.filter(
    ({ request, operation }) => request.method !== 'GET' && operation !== 'POST /auth/validate-api-key',
  );
  expect(writes.map(({ operation }) => operation)).toEqual([]);
});

test('what a write makes observable at one operation is still judged at the others', async () => {
  const { report } = await examine({ settings: { readOnly: true, exhaustion: false } });
  const row = report.requirements.find(({ id }) => id === 'pagination-cursor-members');
  const seen = row?.cases.map(({ operation }) => operation);
  expect(row?.verdict).toBe('passed');
  expect(seen).toContain('GET /companies');
});
