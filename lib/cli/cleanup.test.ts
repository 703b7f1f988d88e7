// Ledgers as files, and `covenant cleanup` without and with something to do: what is stored when, what a torn line costs, whose target it is.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../client/ledger.ts';
import { LedgerFile, storedLedgers } from './cleanup.ts';
import { environment, folder, trial, useFolder } from './trial.test-data.ts';

useFolder();

const head: Entry = {
  entry: 'run',
  id: 'a1b2c3',
  base_url: 'https://staging.example.com',
  started_at: '2026-03-01T00:00:00Z',
};
const intent: Entry = {
  entry: 'intend',
  n: 1,
  kind: 'key',
  name: 'Covenant key',
  digest: 'd',
  credential: 'COVENANT_API_KEY',
  at: 0,
};
const made: Entry = { entry: 'made', n: 1, id: '7' };
const gone: Entry = { entry: 'gone', kind: 'key', id: '7' };
const ledgers = (): string => join(folder, 'ledgers');
const file = (): string => join(ledgers(), 'a1b2c3.ndjson');

function kept(...entries: Entry[]): LedgerFile {
  const ledger = new LedgerFile(folder);
  for (const entry of [head, ...entries]) ledger.record(entry);
  return ledger;
}

describe('the ledger of a run', () => {
  test('the ledger of a run is only a file once there is something to take back, with one line an entry', () => {
    const ledger = kept();
    expect(existsSync(ledgers())).toBe(false);
    ledger.record(intent);
    const lines = readFileSync(file(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{ ...head, pid: process.pid }, intent]);
  });

  test('the ledger of a run goes when nothing is left that could be taken back, and stays otherwise', () => {
    expect(kept(intent, made, gone).close()).toBe(0);
    expect(existsSync(ledgers())).toBe(false);
    expect(kept(intent, made).close()).toBe(1);
    expect(readdirSync(ledgers())).toEqual(['a1b2c3.ndjson']);
  });

  test('the ledger of a run is written before the request is sent: what cannot be stored throws', () => {
    writeFileSync(ledgers(), 'a file in its place');
    expect(() => kept(intent)).toThrow(`${ledgers()} could not be written: it is a file, not a folder`);
  });

  test.runIf(existsSync('/dev/full'))('a full disk is named where there is no room for a line', () => {
    mkdirSync(ledgers());
    symlinkSync('/dev/full', file());
    expect(() => kept(intent)).toThrow(`${file()} could not be written: the disk is full`);
  });
});

describe('a stored ledger', () => {
  test('a stored ledger is read back, a torn last line left out, and goes on where it ended', () => {
    kept(intent, made).close();
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}{"entry":"gone","ki`);
    const [stored] = storedLedgers(folder);
    expect(stored).toMatchObject({ run: 'a1b2c3', baseUrl: 'https://staging.example.com', underWay: false });
    expect(stored?.ledger.deletable()).toHaveLength(1);
    stored?.ledger.add(gone);
    stored?.ledger.add({ ...intent, n: 2 });
    const [again] = storedLedgers(folder);
    expect(again?.ledger.deletable().map(([n]) => n)).toEqual([2]);
  });

  test('a stored ledger knows that its run is under way', () => {
    kept(intent).close();
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(`"pid":${process.pid}`, `"pid":${process.ppid}`));
    expect(storedLedgers(folder)[0]?.underWay).toBe(true);
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(/"host":"[^"]*"/, '"host":"another machine"'));
    expect(storedLedgers(folder)[0]?.underWay).toBe(false);
  });
});

describe('cleanup', () => {
  const cleanup = (env: Record<string, string> = environment, ...words: string[]) =>
    trial(['cleanup', '--out', '.', ...words], { environment: env });

  test('covenant cleanup has nothing to do where there is no ledger, and says so', async () => {
    expect(await cleanup({})).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to clean up') });
  });

  test('covenant cleanup takes a ledger away in which nothing is left', async () => {
    kept(intent, made).close();
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}${JSON.stringify(gone)}\n`);
    expect((await cleanup()).code).toBe(0);
    expect(existsSync(ledgers())).toBe(false);
  });

  test('covenant cleanup keeps the ledger where the target cannot be reached', async () => {
    kept(intent, made).close();
    const { code, stderr } = await cleanup();
    expect(code).toBe(4);
    expect(stderr).toContain('connection refused');
    expect(existsSync(file())).toBe(true);
  });

  test.each<[string, () => void, Record<string, string>, string]>([
    [
      'another target',
      () => {},
      { ...environment, COVENANT_BASE_URL: 'https://other.example.com' },
      'is of a run against https://staging',
    ],
    ['no target', () => {}, {}, 'no target is configured'],
    [
      'damage in the middle',
      () => writeFileSync(file(), `${JSON.stringify(head)}\n{"entry\n${JSON.stringify(intent)}\n`),
      environment,
      'damaged at line 2',
    ],
    ['a foreign file', () => writeFileSync(file(), '{"a":1}\n'), environment, 'is not a ledger'],
    [
      'a run under way',
      () =>
        writeFileSync(file(), readFileSync(file(), 'utf8').replace(`"pid":${process.pid}`, `"pid":${process.ppid}`)),
      environment,
      'seems to be under way',
    ],
  ])('covenant cleanup refuses %s in one sentence, and changes nothing', async (_, damage, env, why) => {
    mkdirSync(ledgers(), { recursive: true });
    kept(intent, made).close();
    damage();
    const before = readFileSync(file(), 'utf8');
    const { code, stderr } = await cleanup(env);
    expect([code, readFileSync(file(), 'utf8')]).toEqual([2, before]);
    expect(stderr).toContain(why);
    expect(stderr).toMatch(/^covenant: [^\n]+\n$/);
  });
});
