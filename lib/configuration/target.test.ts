// Configuration: what beats what, and one clear sentence for each wrong input, without any secret in it.
import { describe, expect, test } from 'vitest';
import { defined } from '../runtime/defined.ts';
import { UsageError } from './settings.ts';
import { configuration, type RunFlags, type Sources } from './target.ts';

const jwt = (claims: object): string =>
  [{ alg: 'HS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('c2lnbmF0dXJl')
    .join('.');

const requirements = {
  'billing-summary-scope': { level: 'must' },
  'note-create-blank': { level: 'must' },
  'jwt-lifetime': { level: 'untestable' },
} as const;

const secret = 'svc_sk_canary_1234';
const working = { COVENANT_BASE_URL: 'https://staging.example.com', COVENANT_API_KEY: secret };

function read(environment: Sources['environment'], flags: RunFlags = {}, envFile?: string) {
  return configuration({ flags, environment, freshSeed: 7, requirements, ...defined({ envFile }) });
}

function complaint(environment: Sources['environment'], flags: RunFlags = {}, envFile?: string): string {
  try {
    read(environment, flags, envFile);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.message).not.toContain('canary');
    expect(error.message).not.toContain('\n');
    return error.message;
  }
  throw new Error('was accepted');
}

describe('the sources of the configuration', () => {
  test('the configuration takes flag before environment before .env', () => {
    const file = 'COVENANT_BASE_URL=https://file.example.com\nCOVENANT_API_KEY=svc_sk_file';
    const environment = { COVENANT_BASE_URL: 'https://environment.example.com' };
    expect(read({}, {}, file).target?.baseUrl).toBe('https://file.example.com');
    expect(read(environment, {}, file).target?.baseUrl).toBe('https://environment.example.com');
    expect(read(environment, { baseUrl: 'https://flag.example.com' }, file).target).toMatchObject({
      baseUrl: 'https://flag.example.com',
      credentials: { COVENANT_API_KEY: 'svc_sk_file' },
    });
  });

  test('the configuration counts an empty variable as not set', () => {
    const { target } = read({ ...working, COVENANT_JWT: '' }, {}, `COVENANT_JWT=${jwt({ sub: 1 })}`);
    expect(target?.credentials.COVENANT_JWT).toBe(jwt({ sub: 1 }));
    expect(read({ COVENANT_API_KEY: '', COVENANT_JWT: '' }).target).toBeUndefined();
  });

  test('the configuration takes an empty target for the bundled reference where nobody is misled by it', () => {
    const empty = { COVENANT_BASE_URL: '' };
    for (const environment of [empty, { ...empty, CI: 'false' }])
      expect(read(environment).notices).toEqual([expect.stringContaining('no server of yours')]);
    expect(read({ CI: 'true' }).target).toBeUndefined();
    expect(complaint({ ...empty, CI: 'true' })).toContain('COVENANT_BASE_URL is set and empty');
    expect(complaint({ ...empty, CI: '1' }, {}, 'COVENANT_BASE_URL=https://a.example')).toContain('set and empty');
    expect(read({ CI: 'true' }, {}, 'COVENANT_BASE_URL=').notices).toEqual([]);
    const bundled = { bundled: true };
    for (const environment of [
      { ...empty, CI: 'true' },
      { ...working, CI: 'true' },
    ])
      expect(read(environment, bundled)).toMatchObject({ notices: [] });
    expect(read(working, bundled).target).toBeUndefined();
    expect(complaint(working, { ...bundled, baseUrl: 'https://a.example' })).toContain('leave it off, or --base-url');
  });

  test('the configuration uses the documented defaults', () => {
    expect(read(working)).toEqual({
      notices: [],
      network: { secrets: {} },
      settings: {
        seed: 7,
        readOnly: false,
        exhaustion: true,
        allowIncomplete: false,
        concurrency: 4,
        effort: 'standard',
        profile: 'full',
      },
      target: {
        baseUrl: 'https://staging.example.com',
        credentials: { COVENANT_API_KEY: secret },
        limits: {},
        minuteMs: 60_000,
        originApp: 'covenant',
        timeoutMs: 10_000,
      },
    });
  });

  test('the configuration reads everything that can be set', () => {
    const environment = {
      ...working,
      COVENANT_BASE_URL: 'http://localhost:4010/prefix/',
      COVENANT_FOREIGN_SLUG: 'other-people',
      COVENANT_LIMIT_READ: '20',
      COVENANT_LIMIT_WRITE: '5',
      COVENANT_LIMIT_VALIDATE: '3',
      COVENANT_MINUTE_MS: '2000',
      COVENANT_ORIGIN_APP: 'ci job 7',
      COVENANT_TIMEOUT_MS: '1500',
    };
    const flags = {
      area: ['billing', 'notes', 'billing'],
      requirement: ['note-create-blank'],
      seed: '0',
      effort: 'quick',
    };
    expect(read(environment, { ...flags, concurrency: '2', readOnly: true, exhaustion: false })).toMatchObject({
      settings: {
        areas: ['billing', 'notes'],
        requirements: ['note-create-blank'],
        seed: 0,
        effort: 'quick',
        exhaustion: false,
      },
      target: {
        baseUrl: 'http://localhost:4010/prefix',
        foreignSlug: 'other-people',
        limits: { read: 20, write: 5, validate: 3 },
        minuteMs: 2000,
        originApp: 'ci job 7',
        timeoutMs: 1500,
      },
    });
  });

  test('the configuration means the bundled reference where no target is configured, and says so where one was perhaps meant', () => {
    expect(read({})).toMatchObject({ notices: [] });
    expect(read({}).target).toBeUndefined();
    expect(() => read({ COVENANT_HEADER_HOST: 'x' })).toThrow('belongs to the connection');
    expect(read({ COVENANT_MINUTE_MS: '900' }).minuteMs).toBe(900);
    expect(complaint({ COVENANT_API_KEY: secret })).toContain('no target');
    expect(complaint({}, { baseUrl: '' })).toContain('--base-url is empty');
  });
});

describe('the address of the target', () => {
  test.each([
    ['https://example.com/api/external/v2', 'https://example.com'],
    ['https://example.com/prefix/api/external/v2/', 'https://example.com/prefix'],
  ])('the address %s is used without the path of the interface', (url, baseUrl) => {
    const { target, notices } = read({ ...working, COVENANT_BASE_URL: url });
    expect(target?.baseUrl).toBe(baseUrl);
    expect(notices).toEqual([expect.stringMatching(/COVENANT_BASE_URL.*is used without it/)]);
  });

  test.each([
    ['staging.example.com', 'http:// or https:// in front'],
    ['localhost:4010', 'http:// or https:// in front'],
    ['http://', 'is not a URL'],
    ['http://exa mple.com', 'is not a URL'],
    ['ftp://example.com', 'neither http nor https'],
    ['https://user:canary@example.com', 'user or password'],
    ['https://example.com?key=canary', 'query or fragment'],
    ['https://example.com/#canary', 'query or fragment'],
  ])('the address %s is refused', (url, why) => {
    expect(complaint({ ...working, COVENANT_BASE_URL: url })).toContain(why);
    expect(complaint(working, { baseUrl: url })).toContain('--base-url');
  });
});

describe('credentials', () => {
  test('the configuration asks for the primary key once there is a target', () => {
    expect(complaint({ COVENANT_BASE_URL: working.COVENANT_BASE_URL })).toContain('COVENANT_API_KEY is not set');
  });

  test.each([
    ['svc_sk canary', 'white space'],
    [`${secret}\n`, 'control character'],
    [`${secret}\u0007`, 'control character'],
    [`"${secret}"`, 'quotes'],
    [`${secret}'`, 'quotes'],
    [`Bearer ${secret}`, 'Bearer'],
    ['<canary>', 'placeholder'],
    ['svc_sk_canary_é', 'header'],
    [jwt({ sub: 'canary' }), 'is a JWT'],
  ])('the key %j is refused', (value, why) => {
    const message = complaint({ ...working, COVENANT_API_KEY_SECONDARY: value });
    expect(message).toContain(why);
    expect(message).toContain('COVENANT_API_KEY_SECONDARY');
  });

  test.each(['canary', 'canary.canary.canary', `${jwt({})}.x`, jwt({}).split('.').slice(0, 2).join('.')])(
    'the JWT %s is refused',
    (value) => expect(complaint({ ...working, COVENANT_JWT_EXPIRED: value })).toContain('is not a JWT'),
  );

  test.each([
    ['COVENANT_API_KEY', 'COVENANT_API_KEY_RESTRICTED'],
    ['COVENANT_API_KEY', 'COVENANT_API_KEY_SECONDARY'],
    ['COVENANT_API_KEY_RESTRICTED', 'COVENANT_API_KEY_SECONDARY'],
    ['COVENANT_API_KEY_RESTRICTED', 'COVENANT_RATE_API_KEY'],
    ['COVENANT_RATE_API_KEY', 'COVENANT_RATE_API_KEY_SIBLING'],
    ['COVENANT_API_KEY', 'COVENANT_RATE_API_KEY_SIBLING'],
  ])('one key as %s and %s is refused', (first, second) => {
    const message = complaint({ ...working, [first]: 'svc_sk_canary', [second]: 'svc_sk_canary' });
    expect(message).toContain(first);
    expect(message).toContain(second);
  });

  test('one JWT in two roles is refused', () => {
    const message = complaint({ ...working, COVENANT_JWT: jwt({}), COVENANT_JWT_EXPIRED: jwt({}) });
    expect(message).toContain('COVENANT_JWT and COVENANT_JWT_EXPIRED');
  });

  test('the primary account may be the one that is exhausted', () => {
    const rate = { COVENANT_RATE_API_KEY: secret, COVENANT_RATE_API_KEY_SIBLING: 'svc_sk_other' };
    expect(read({ ...working, ...rate }).target?.credentials).toMatchObject(rate);
  });
});

describe('selections, numbers and names', () => {
  test.each<[RunFlags, string]>([
    [{ area: ['biling'] }, 'did you mean billing?'],
    [{ area: [''] }, 'No area'],
    [{ requirement: ['billing-sumary-scope'] }, 'did you mean billing-summary-scope?'],
    [{ requirement: ['constructor'] }, 'No requirement'],
    [{ requirement: ['jwt-lifetime'] }, 'cannot be tested from outside'],
    [{ effort: 'thorogh' }, 'did you mean thorough?'],
    [{ seed: '-1' }, 'between 0 and'],
    [{ seed: '1.5' }, '--seed'],
    [{ seed: '' }, '--seed'],
    [{ concurrency: '0' }, 'between 1 and 64'],
    [{ concurrency: 'four' }, '--concurrency'],
  ])('the flags %j are refused', (flags, why) => expect(complaint(working, flags)).toContain(why));

  test.each([
    ['COVENANT_MINUTE_MS', '0'],
    ['COVENANT_MINUTE_MS', '60s'],
    ['COVENANT_TIMEOUT_MS', '-5'],
    ['COVENANT_TIMEOUT_MS', '1e3'],
    ['COVENANT_LIMIT_WRITE', '0'],
    ['COVENANT_LIMIT_READ', '99999999999999999999'],
  ])('%s=%s is refused', (name, value) => {
    expect(complaint({ ...working, [name]: value })).toContain(name);
    expect(complaint({ [name]: value })).toContain(name);
  });

  test('a header that cannot be sent is refused', () => {
    expect(complaint({ ...working, COVENANT_ORIGIN_APP: 'a\nb' })).toContain('COVENANT_ORIGIN_APP');
  });

  test('a mistyped variable is refused in the environment and in .env', () => {
    expect(complaint({ ...working, COVENANT_API_KEY_SECONDRY: secret })).toContain('COVENANT_API_KEY_SECONDARY?');
    expect(complaint({}, {}, '\nCOVENANT_BASEURL=https://x.example')).toMatch(/line 2 of \.env.*COVENANT_BASE_URL\?/);
    expect(complaint({ COVENANT_ZZZZZZZZZZZZZZZZZZZ: '1' })).toMatch(/is not a variable of Covenant\.$/);
  });
});
