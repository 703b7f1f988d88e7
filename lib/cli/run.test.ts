// `covenant run` from words to exit code: what is examined, what is written, and every way to go wrong before anything is sent.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import type { Examination } from './parts.ts';
import { environment, expectRefused, files, inFolder, put, read, trial, useFolder } from './trial.test-data.ts';

useFolder();

describe('a run', () => {
  test('a run examines the configured target, shows the report and writes it whole', async () => {
    const { code, out, examined, served } = await trial(['run', '--seed', '5'], { environment });
    expect(code).toBe(0);
    expect(served).toEqual([]);
    expect(examined[0]?.target.baseUrl).toBe('https://staging.example.com');
    expect(examined[0]?.settings.seed).toBe(5);
    expect(out).toContain('CONFORMANT');
    expect(out).toContain(inFolder('reports/report.json'));
    expect(files()).toEqual(['reports', 'reports/report.json']);
    expect(JSON.parse(read('reports/report.json'))).toMatchObject({
      verdict: 'conformant',
    });
  });

  test('a run is the default command, and reads .env where it stands', async () => {
    put('.env', 'COVENANT_BASE_URL=https://file.example.com\nCOVENANT_API_KEY=svc_sk_1\n');
    const { code, examined } = await trial([]);
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
    const { examined } = await trial([...words, '--concurrency', '1', '--effort', 'quick'], { environment });
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
    const { code, out } = await trial(['--strict'], { environment, examine });
    expect(code).toBe(1);
    expect(out.replace(/\s+/g, ' ')).toContain(
      'With --strict a failed recommendation fails the gate: 1 SHOULD requirement failed.',
    );
    const lenient = await trial([], { environment, examine });
    expect(lenient.code).toBe(0);
    expect(lenient.out).not.toContain('--strict');
  });

  test('a run is silent with --quiet, and its exit code still speaks', async () => {
    const examine = () => report([requirement('failed')]);
    const { code, out, stderr } = await trial(['--quiet'], { environment, examine });
    expect({ code, out, stderr }).toEqual({ code: 1, out: '', stderr: '' });
    expect(files()).toContain('reports/report.json');
  });

  test('a run that judged nothing says why with --quiet, too', async () => {
    const examine = () => report([], { verdict: 'aborted', reason: 'nothing listens there' });
    const { code, out, stderr } = await trial(['--quiet'], { environment, examine });
    expect({ code, out, stderr }).toEqual({
      code: 4,
      out: '',
      stderr: 'The run could not judge the target: nothing listens there\n',
    });
  });

  test('a run makes the folder of --out with its parents', async () => {
    await trial(['--out', 'a/b/c'], { environment });
    expect(files()).toContain('a/b/c/report.json');
  });

  test('a run shows no secret, not even one in a message of its own', async () => {
    const examine = () => {
      throw new Error(`header ${environment.COVENANT_API_KEY} is broken`);
    };
    const { stderr, out } = await trial([], { environment, examine });
    expect(stderr + out).not.toContain('canary');
    expect(stderr).toContain('<COVENANT_API_KEY>');
  });
});

describe('what it says and how it ends', () => {
  test('a run writes a partial report after Ctrl-C, and leaves at once after the second', async () => {
    const { code, stderr, left } = await trial([], {
      environment,
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
    const brief = await trial([], { environment, examine });
    expect(brief.code).toBe(4);
    expect(brief.stderr).toContain('an error of our own, not of the target: oh dear. COVENANT_DEBUG=1 shows where.\n');
    expect(brief.stderr).not.toContain('    at ');
    const full = await trial([], { environment: { ...environment, COVENANT_DEBUG: '1' }, examine });
    expect(full.stderr).toContain('    at ');
    expect(files()).toEqual(['reports']);
  });
});

describe('what other suites got wrong', () => {
  test('one pass does not hide what was skipped', async () => {
    const rows = [requirement('passed'), requirement('not-tested', { reason: 'COVENANT_JWT is not set' })];
    const { code, out } = await trial([], { environment, examine: () => report(rows) });
    expect(code).toBe(3);
    expect(out).toContain('INCOMPLETE');
    expect(out).toContain('set COVENANT_JWT');
  });

  test('what a filter left out is said, before the run and after it', async () => {
    const of = report([requirement('passed')], { options: { area: ['billing'], exhaustion: false } });
    const words = ['--area', 'billing', '--no-exhaustion'];
    const { out } = await trial(words, { environment, examine: () => of });
    expect(out).toContain('selected    areas billing; no limit is exceeded');
    expect(out).toContain('This is a part of the suite: only the area billing was selected');
  });

  test('a run that selects nothing is never a success', async () => {
    const { code, out } = await trial([], { environment, examine: () => report([]) });
    expect(code).toBe(3);
    expect(out).toContain('Nothing was selected');
  });

  test('a report that cannot be written swallows neither the verdict nor the failure', async () => {
    const examine = () => {
      rmSync(inFolder('reports'), { recursive: true });
      put('reports', 'in the way');
      return report([requirement('failed')]);
    };
    const { code, out, stderr } = await trial([], { environment, examine });
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
    [['--reporter', 'jsno'], 'did you mean json?'],
    [['--shard', '4/3', '--seed', '1'], 'for example 2/3'],
    [['--shard', '1/3'], 'needs --seed'],
  ])('%j is answered with one sentence and exit code 2', async (words, why) => {
    expectRefused(await trial(words, { environment }), why);
    expect(files()).toEqual([]);
  });

  test.each([
    ['npm_config_read_only', 'true', '--read-only'],
    ['npm_config_exhaustion', '', '--no-exhaustion'],
    ['npm_config_base_url', 'true', '--base-url'],
  ])('covenant does not run without an option that npm kept for itself: %s', async (name, value, option) => {
    const swallowed = { ...environment, npm_lifecycle_event: 'certify', [name]: value };
    expectRefused(await trial([], { environment: swallowed }), `npm run certify -- ${option}`);
    expect((await trial([], { environment: { ...environment, [name]: value } })).code).toBe(0);
  });

  test('where npm kept an option, what is left of it leads to how options are given', async () => {
    const words = ['https://staging.example.com'];
    const ended = await trial(words, { environment: { npm_lifecycle_event: 'certify' } });
    expectRefused(ended, 'go after --: npm run certify -- --base-url URL');
  });

  const makeFolder = (name: string) => mkdirSync(inFolder(name), { recursive: true });
  const utf16 = Buffer.from('\ufeffCOVENANT_API_KEY=canary', 'utf16le');
  test.each<[string, () => unknown, ...string[]]>([
    ['a malformed line in .env', () => put('.env', 'COVENANT_API_KEY svc_sk_canary'), 'Line 1 of .env'],
    ['a .env that is a folder', () => makeFolder('.env'), 'is a folder'],
    ['a .env in UTF-16', () => writeFileSync(inFolder('.env'), utf16), 'UTF-8'],
    ['a file in the place of the reports', () => put('reports', ''), 'a file', '--out'],
    ['a folder in the place of the report', () => makeFolder('reports/report.json'), 'folder', '--out'],
  ])('%s is refused in one sentence, and nothing is sent', async (_, make, ...why) => {
    make();
    expectRefused(await trial([], { environment }), ...why);
  });
});

describe('help', () => {
  test('--version prints it', async () => {
    expect(await trial(['--version'])).toMatchObject({ code: 0, out: '9.8.7\n', stderr: '' });
  });
});
