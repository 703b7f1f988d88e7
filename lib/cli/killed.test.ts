// Runs killed at random moments over real HTTP, or stopped by a closed terminal: their ledgers and `covenant cleanup` leave no key, no note and no switched account behind.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveReference } from '../../lab/reference/index.ts';
import { seededRandom } from '../runtime/random.ts';
import { build, builtMain, command, removeBuild } from './trial.test-data.ts';

/** Three take a few seconds; continuous integration asks for twenty. */
const kills = Number(process.env.KILLS ?? 3);
/** The run writes from its first moments on; later than this it is mostly over. */
const aliveMsMax = 2000;
const limits = { read: 4000, write: 2000, validate: 400 };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
  build();
}, 120_000);
afterAll(() => {
  removeBuild();
  rmSync(folder, { recursive: true, force: true });
});

type Variables = Readonly<Record<string, string>>;

function started(seed: number, env: Variables, cwd = folder): ChildProcess {
  const words = ['run', '--seed', String(seed), '--concurrency', '8', '--no-exhaustion'];
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [builtMain, ...words], { cwd, env: { ...env, PATH } });
}

/** Resolves when the run has said what it costs, which is when it begins to send. */
const begun = (run: ChildProcess): Promise<void> =>
  new Promise((done, fail) => {
    let said = '';
    run.on('exit', () => fail(new Error(`the run ended before it was killed: ${said}`)));
    run.stderr?.on('data', (text) => {
      said += String(text);
      if (/This takes about/.test(said)) done();
    });
  });

/** A terminal that is closed: the run takes back what it made, and says that it was stopped. */
test('a run whose terminal is closed takes back what it made', { timeout: 120_000 }, async () => {
  const reference = await serveReference({ tiers: { starter: limits, standard: limits, business: limits } });
  try {
    const before = await remains(reference.env);
    const run = started(7, reference.env);
    const ended = new Promise<number | null>((done) => run.on('exit', done));
    await begun(run);
    await new Promise((wake) => setTimeout(wake, aliveMsMax / 2));
    run.kill('SIGHUP');
    expect(await ended).toBe(130);
    expect(existsSync(join(folder, 'reports/ledgers'))).toBe(false);
    expect(await remains(reference.env)).toEqual(before);
  } finally {
    await reference.close();
  }
});

test('in a folder that was deleted nothing can be judged, which one sentence says', () => {
  const gone = mkdtempSync(join(tmpdir(), 'covenant-'));
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `cd ${gone} && rm -r ${gone} && exec "$0" "$1" run`, process.execPath, builtMain],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([
    4,
    'covenant: the working directory does not exist any more; change to another one.\n',
  ]);
});

async function killedAfter(run: ChildProcess, ms: number): Promise<void> {
  const ended = new Promise<void>((done) => run.on('exit', () => done()));
  await begun(run);
  await new Promise((wake) => setTimeout(wake, ms));
  run.kill('SIGKILL');
  await ended;
}

/** Every key, every note, and the active accounts, as the interface itself lists them. */
async function remains(env: Variables): Promise<string[]> {
  const ask = async (path: string, name: string, account?: string): Promise<Record<string, unknown>[]> => {
    const headers = {
      authorization: `Bearer ${env[name]}`,
      ...(account === undefined ? {} : { 'x-active-account': account }),
    };
    const reply = await fetch(`${env.COVENANT_BASE_URL}/api/external/v2${path}`, { headers });
    const { data } = (await reply.json()) as { data: Record<string, unknown>[] };
    if (!reply.ok) throw new Error(`${path} as ${name}: ${reply.status}`);
    return data;
  };
  const found: string[] = [];
  const names = Object.keys(env).filter((name) => /API_KEY|JWT$/.test(name));
  for (const name of names) {
    const accounts = name === 'COVENANT_JWT' ? await ask('/me/accounts', name) : [undefined];
    for (const account of accounts) {
      const slug = account && String(account.slug);
      const keys = await ask('/api-keys?limit=200', name, slug);
      found.push(...keys.map(({ id }) => `key ${id} of ${name} ${slug}`));
      found.push(`${name} ${slug} ${account?.is_active}`);
    }
    if (name === 'COVENANT_JWT') continue;
    const companies = await ask('/companies?limit=200', name);
    for (const { id } of companies) {
      const notes = await ask(`/companies/${id}/notes?limit=200`, name);
      found.push(...notes.map((note) => `note ${note.id} of company ${id}`));
    }
  }
  return found.sort();
}

/** In a folder of its own; returns how much was taken back. */
async function killedAndCleanedUp(kill: number, afterMs: number): Promise<number> {
  const reference = await serveReference({ tiers: { starter: limits, standard: limits, business: limits } });
  const cwd = mkdtempSync(join(folder, `kill-${kill}-`));
  try {
    const before = await remains(reference.env);
    await killedAfter(started(kill, reference.env, cwd), afterMs);
    const { code, text } = await command(cwd, ['cleanup'], reference.env);
    expect(code, text).toBe(0);
    expect(existsSync(join(cwd, 'reports/ledgers'))).toBe(false);
    expect(await remains(reference.env), `after kill ${kill}: ${text}`).toEqual(before);
    return Number(/(\d+) things? taken back/.exec(text)?.[1] ?? 0);
  } finally {
    await reference.close();
  }
}

test(`${kills} runs killed at random moments leave nothing that could be taken back`, {
  timeout: 300_000,
}, async () => {
  const random = seededRandom(20_260_301);
  const moments = Array.from({ length: kills }, () => random.int(0, aliveMsMax));
  // Each mostly waits.
  const taken = await pLimit(2).map(moments, (afterMs, kill) => killedAndCleanedUp(kill, afterMs));
  const sum = taken.reduce((all, one) => all + one, 0);
  expect(sum, 'there was something to take back').toBeGreaterThan(kills);
});
