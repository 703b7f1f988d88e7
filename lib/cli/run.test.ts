// `covenant run` from words to exit code: what is examined, what is written, and every way to go wrong before anything is sent.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import type { Examination } from './parts.ts';
import { trial } from './trial.test-data.ts';

const key = 'svc_sk_canary_primary';
const environment = { COVENANT_BASE_URL: 'https://staging.example.com', COVENANT_API_KEY: key };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = (): string[] => readdirSync(folder, { recursive: true }).map(String).sort();

describe('a run', () => {
  test('a run examines the configured target, shows the report and writes it whole', async () => {
    const { code, out, examined, served } = await trial(['run', '--seed', '5'], { environment, folder });
    expect(code).toBe(0);
    expect(served).toEqual([]);
    expect(examined[0]?.target.baseUrl).toBe('https://staging.example.com');
    expect(examined[0]?.settings.seed).toBe(5);
    expect(out).toContain('CONFORMANT');
    expect(out).toContain(join(folder, 'reports/report.json'));
    expect(files()).toEqual(['reports', 'reports/report.json']);
    expect(JSON.parse(readFileSync(join(folder, 'reports/report.json'), 'utf8'))).toMatchObject({
      verdict: 'conformant',
    });
  });

  test('a run is the default command, and reads .env where it stands', async () => {
    writeFileSync(join(folder, '.env'), `COVENANT_BASE_URL=https://file.example.com\nCOVENANT_API_KEY=${key}\n`);
    const { code, examined } = await trial([], { folder });
    expect(code).toBe(0);
    expect(examined[0]?.target.baseUrl).toBe('https://file.example.com');
  });

  test('a run adds up repeated lists and passes every filter on', async () => {
    const words = [
      '--area',
      'billing,notes',
      '--area',
      'errors',
      '--read-only',
      '--no-exhaustion',
      '--allow-incomplete',
    ];
    const { examined } = await trial([...words, '--concurrency', '1', '--effort', 'quick'], { environment, folder });
    expect(examined[0]?.settings).toEqual({
      areas: ['billing', 'notes', 'errors'],
      seed: 77,
      readOnly: true,
      exhaustion: false,
      allowIncomplete: true,
      concurrency: 1,
      effort: 'quick',
      profile: 'full',
    });
  });

  test('a run with --strict fails where only a recommendation failed, and says so', async () => {
    const examine = ({ settings }: Examination) => {
      const options = settings.strict === true ? ({ strict: true } as const) : {};
      return report([requirement('passed'), requirement('failed', { level: 'should' })], { options });
    };
    const { code, out } = await trial(['--strict'], { environment, folder, examine });
    expect(code).toBe(1);
    expect(out.replace(/\s+/g, ' ')).toContain(
      'With --strict a failed recommendation fails the gate: 1 SHOULD requirement failed.',
    );
    const lenient = await trial([], { environment, folder, examine });
    expect(lenient.code).toBe(0);
    expect(lenient.out).not.toContain('--strict');
  });

  test('a run is silent with --quiet, and its exit code still speaks', async () => {
    const examine = () => report([requirement('failed')]);
    const { code, out, stderr } = await trial(['--quiet'], { environment, folder, examine });
    expect({ code, out, stderr }).toEqual({ code: 1, out: '', stderr: '' });
    expect(files()).toContain('reports/report.json');
  });

  test('a run that judged nothing says why with --quiet, too', async () => {
    const examine = () => report([], { verdict: 'aborted', reason: 'nothing listens there' });
    const { code, out, stderr } = await trial(['--quiet'], { environment, folder, examine });
    expect({ code, out, stderr }).toEqual({
      code: 4,
      out: '',
      stderr: 'The run could not judge the target: nothing listens there\n',
    });
  });

  test('a run makes the folder of --out with its parents', async () => {
    await trial(['--out', 'a/b/c'], { environment, folder });
    expect(files()).toContain('a/b/c/report.json');
  });

  test('a run shows no secret, not even one in a message of its own', async () => {
    const examine = () => {
      throw new Error(`header ${key} is broken`);
    };
    const { stderr, out } = await trial([], { environment, folder, examine });
    expect(stderr + out).not.toContain('canary');
    expect(stderr).toContain('<COVENANT_API_KEY>');
  });
});

describe('what it says and how it ends', () => {
  test.each([
    ['non-conformant', report([requirement('failed')]), 1],
    ['incomplete', report([requirement('not-tested', { reason: 'COVENANT_JWT is not set' })]), 3],
    ['nothing selected', report([]), 3],
    ['aborted', report([], { verdict: 'aborted', reason: 'nothing listens there' }), 4],
  ])('the exit code follows the verdict: %s', async (_, of, code) => {
    const ended = await trial([], { environment, folder, examine: () => of });
    expect(ended.code).toBe(code);
    expect(JSON.parse(readFileSync(join(folder, 'reports/report.json'), 'utf8')).verdict).toBe(of.verdict);
  });

  test('a run writes a partial report after Ctrl-C, and leaves at once after the second', async () => {
    const { code, stderr, left } = await trial([], {
      environment,
      folder,
      examine: ({ signal }, stop) => {
        stop();
        expect(signal.aborted).toBe(true);
        stop();
        return report([], { verdict: 'aborted', reason: 'interrupted' });
      },
    });
    expect(code).toBe(130);
    expect(left).toEqual([130]);
    expect(stderr).toContain('Stopping');
    expect(files()).toContain('reports/report.json');
  });

  test('a run calls an error of its own by that name, without a stack trace unless asked', async () => {
    const examine = () => {
      throw new Error('oh dear');
    };
    const brief = await trial([], { environment, folder, examine });
    expect(brief.code).toBe(4);
    expect(brief.stderr).toContain('an error of our own, not of the target: oh dear. COVENANT_DEBUG=1 shows where.\n');
    expect(brief.stderr).not.toContain('    at ');
    const full = await trial([], { environment: { ...environment, COVENANT_DEBUG: '1' }, folder, examine });
    expect(full.stderr).toContain('    at ');
    expect(files()).toEqual(['reports']);
  });
});

describe('what other suites got wrong', () => {
  test('a configuration that cannot be read is never a success', async () => {
    mkdirSync(join(folder, '.env'));
    expect((await trial([], { folder })).code).toBe(2);
  });

  test('one pass does not hide what was skipped', async () => {
    const rows = [requirement('passed'), requirement('not-tested', { reason: 'COVENANT_JWT is not set' })];
    const { code, out } = await trial([], { environment, folder, examine: () => report(rows) });
    expect(code).toBe(3);
    expect(out).toContain('INCOMPLETE');
    expect(out).toContain('set COVENANT_JWT');
  });

  test('what a filter left out is said, before the run and after it', async () => {
    const of = report([requirement('passed')], { options: { area: ['billing'], exhaustion: false } });
    const words = ['--area', 'billing', '--no-exhaustion'];
    const { out } = await trial(words, { environment, folder, examine: () => of });
    expect(out).toContain('selected    areas billing; no limit is exceeded');
    expect(out).toContain('This is a part of the suite: only the area billing was selected');
  });

  test('a run that selects nothing is never a success', async () => {
    const { code, out } = await trial([], { environment, folder, examine: () => report([]) });
    expect(code).toBe(3);
    expect(out).toContain('Nothing was selected');
  });

  test('a report that cannot be written swallows neither the verdict nor the failure', async () => {
    const examine = () => {
      rmSync(join(folder, 'reports'), { recursive: true });
      writeFileSync(join(folder, 'reports'), 'in the way');
      return report([requirement('failed')]);
    };
    const { code, out, stderr } = await trial([], { environment, folder, examine });
    expect(code).toBe(4);
    expect(out).toContain('NON-CONFORMANT');
    expect(stderr).toContain('could not be written');
    expect(files()).toEqual(['reports']);
  });
});

describe('wrong usage', () => {
  test.each([
    [['--base-ur', 'x'], '--base-url'],
    [['--base-url'], 'argument missing'],
    [['rnu'], 'did you mean run?'],
    [['https://staging.example.com'], 'does not know what to do with "https://staging.example.com".'],
    [['run', 'billing'], '"billing"'],
    [['--area', 'biling'], 'did you mean billing?'],
    [['--requirement', 'idempotency-life'], 'cannot be tested from outside'],
    [['--reporter', 'jsno'], 'did you mean json?'],
    [['--seed', 'x'], 'whole number'],
    [['--shard', '4/3', '--seed', '1'], 'for example 2/3'],
    [['--shard', '1/3'], 'needs --seed'],
    [['--base-url', 'ftp://x'], 'neither http nor https'],
  ])('%j is answered with one sentence and exit code 2', async (words, why) => {
    const { code, out, stderr, examined, served } = await trial(words, { environment, folder });
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(stderr).toContain(why);
    expect(stderr).toMatch(/^covenant: [^\n]+\n$/);
    expect([...examined, ...served]).toEqual([]);
    expect(files()).toEqual([]);
  });

  test.each([
    ['npm_config_read_only', 'true', '--read-only'],
    ['npm_config_exhaustion', '', '--no-exhaustion'],
    ['npm_config_base_url', 'true', '--base-url'],
  ])('covenant does not run without an option that npm kept for itself: %s', async (name, value, option) => {
    const swallowed = { ...environment, npm_lifecycle_event: 'certify', [name]: value };
    const { code, stderr, examined } = await trial([], { environment: swallowed, folder });
    expect([code, examined]).toEqual([2, []]);
    expect(stderr).toContain(`npm run certify -- ${option}`);
    expect((await trial([], { environment: { ...environment, [name]: value }, folder })).code).toBe(0);
  });

  test('where npm kept an option, what is left of it leads to how options are given', async () => {
    const words = ['https://staging.example.com'];
    const { code, stderr } = await trial(words, { environment: { npm_lifecycle_event: 'certify' }, folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('go after --: npm run certify -- --base-url URL')]);
  });

  test.each([
    ['a malformed line', () => writeFileSync(join(folder, '.env'), 'COVENANT_API_KEY svc_sk_canary'), 'Line 1 of .env'],
    ['a folder', () => mkdirSync(join(folder, '.env')), 'is a folder'],
    [
      'UTF-16',
      () => writeFileSync(join(folder, '.env'), Buffer.from('\ufeffCOVENANT_API_KEY=canary', 'utf16le')),
      'UTF-8',
    ],
  ])('a .env that is %s is refused in one sentence', async (_, make, why) => {
    make();
    const { code, stderr } = await trial([], { folder });
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain('canary');
  });

  test.each([
    ['a file in its place', (): void => writeFileSync(join(folder, 'reports'), ''), 'a file'],
    [
      'a folder in the place of the report',
      (): void => void mkdirSync(join(folder, 'reports/report.json'), { recursive: true }),
      'folder',
    ],
  ])('a run that could write nothing sends nothing: %s', async (_, make, why) => {
    make();
    const { code, stderr, examined } = await trial([], { environment, folder });
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(stderr).toContain('--out');
    expect(examined).toEqual([]);
  });
});

describe('help', () => {
  test.each([[['--help']], [['run', '--help']], [['serve', '--help']], [['--version']]])(
    '%j prints its text and exits with 0',
    async (words) => {
      const { code, out, stderr } = await trial(words, { folder });
      expect(code).toBe(0);
      expect(out).not.toBe('');
      expect(stderr).toBe('');
    },
  );
});
