// Command lines for tests: with a console that keeps what is written, parts that are made up or real, and a folder of their own.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { NoReply, type Transport } from '../client/transports/transport.ts';
import { failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import type { Plan, Report } from '../result.ts';
import { compose } from './compose.ts';
import { type Console, guarded } from './console.ts';
import type { Examination, Listening, Parts, ServeChoices } from './parts.ts';
import { covenant } from './program.ts';

/** The folder of the test that is running. */
export let folder = '';

/** From now on each test of the file has a folder of its own. */
export function useFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'covenant-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
}

export const inFolder = (name: string): string => join(folder, name);
export const read = (name: string): string => readFileSync(inFolder(name), 'utf8');
export const put = (name: string, value: unknown): void =>
  writeFileSync(inFolder(name), typeof value === 'string' ? value : JSON.stringify(value));
/** All that is in it, or in a folder of it, with what is below. */
export const files = (name = ''): string[] => readdirSync(inFolder(name), { recursive: true }).map(String).sort();

/** A target that is configured. */
export const environment = {
  COVENANT_BASE_URL: 'https://staging.example.com',
  COVENANT_API_KEY: 'svc_sk_canary_primary',
};

/** One sentence says why, without a secret, and nothing was sent. */
export function expectRefused({ code, out, stderr, examined, served }: Trial, ...why: readonly string[]): void {
  expect([code, out, examined, served]).toEqual([2, '', [], []]);
  for (const part of why) expect(stderr).toContain(part);
  expect(stderr).not.toContain('canary');
  expect(stderr).toMatch(/^covenant: [^\n]+\n$/);
}

type ConsoleSetting = Partial<
  Pick<Console, 'environment' | 'folder' | 'columns' | 'stdoutIsTerminal' | 'stderrIsTerminal' | 'open'>
>;

/** `text` is stdout and stderr together, as a person sees them; `left` the exit codes that were asked for; `stop` is Ctrl-C. */
export function keptConsole(setting: ConsoleSetting) {
  const written = { text: '', out: '', stderr: '' };
  const left: number[] = [];
  const stops = new Set<() => void>();
  const writer = (stream: 'out' | 'stderr') => (more: string) => {
    written[stream] += more;
    written.text += more;
  };
  const console = guarded({
    stdout: writer('out'),
    stderr: writer('stderr'),
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    environment: {},
    folder: folder || '/nonexistent',
    ...setting,
    onStop: (stop) => {
      stops.add(stop);
      return () => stops.delete(stop);
    },
    leave: (code) => left.push(code),
  });
  const stop = (): void => {
    for (const each of stops) each();
  };
  return { console, written, left, stop };
}

export interface Trial {
  readonly code: number;
  readonly out: string;
  readonly stderr: string;
  readonly examined: readonly Examination[];
  readonly served: readonly ServeChoices[];
  readonly closed: number;
  readonly left: readonly number[];
}

interface Setting extends ConsoleSetting {
  /** What the run reports, or throws; `stop` is Ctrl-C. */
  readonly examine?: (examination: Examination, stop: () => void) => Report | Promise<Report>;
  /** The way to the target of the commands that are not a run. */
  readonly transport?: Transport;
  readonly judge?: Parts['judge'];
  readonly serve?: (choices: ServeChoices, stop: () => void) => Promise<Listening>;
}

const announced = {
  COVENANT_BASE_URL: 'http://127.0.0.1:4999',
  COVENANT_API_KEY: 'svc_sk_reference_canary',
};

const catalogue: Parts['catalogue'] = {
  'billing-summary-scope': {
    level: 'must',
    area: 'billing',
    section: 'Endpoints / Billing',
    statement: 'refused | with 403',
    rulings: ['scope-status'],
  },
  'notes-order': { level: 'observe', area: 'notes', section: 'Endpoints / Companies', statement: 'which order?' },
  'idempotency-life': {
    level: 'untestable',
    area: 'idempotency',
    section: 'Limits / Other limits',
    statement: 'a key lives for 24 hours',
    reason: 'no run lasts that long',
  },
};

const rulings: Parts['rulings'] = {
  'scope-status': { question: '403 or 401?', readings: ['403', '401'], ruling: '403', why: 'It is named.' },
};

const unconnected: Transport = async () => {
  throw new NoReply('nothing listens there (connection refused)');
};

const noPlan: Plan = { requests: [], residue: [], duration_ms: 0 };

/** What a command line did, from its words to its exit code. */
export async function trial(words: readonly string[], setting: Setting = {}): Promise<Trial> {
  const { examine = () => report([requirement('passed')]), transport, judge, serve, ...how } = setting;
  const { console, written, left, stop } = keptConsole(how);
  const examined: Examination[] = [];
  const served: ServeChoices[] = [];
  let closed = 0;
  const close = async (): Promise<void> => {
    closed += 1;
  };
  const parts: Parts = {
    version: '9.8.7',
    digest: `${'abc'.repeat(21)}d`,
    judge:
      judge ?? (() => ({ suites: [], own: { version: '9.8.7', catalogue: 'a'.repeat(64), code: 'b'.repeat(64) } })),
    catalogue,
    rulings,
    clock: { now: () => 0, sleep: async () => {} },
    freshSeed: () => 77,
    needsOf: (id) => (id === 'billing-summary-scope' ? ['billing', 'restricted'] : []),
    testOf: () => ({ everyReply: false, cases: 1, writes: false, exhausts: false }),
    example: async (id) => {
      const result = requirement('failed', { cases: [failedCase()] });
      return id === result.id ? { mutant: 'shows-it-to-all', report: report([result]), result } : undefined;
    },
    operationsOf: (id) => (id === 'billing-summary-scope' ? ['GET /billing/summary'] : []),
    examine: async (examination) => {
      examined.push(examination);
      return { report: await examine(examination, stop), transcript: [] };
    },
    bounds: () => [noPlan, noPlan],
    forecast: async () => noPlan,
    dryRun: async () => report([]),
    connect: () => ({ send: transport ?? unconnected, close: async () => {} }),
    controls: () => ({ musts: 1, shown: 1, notShown: [] }),
    openapi: (baseUrl) => ({ openapi: '3.1.0', servers: [{ url: baseUrl }] }),
    serve: async (choices) => {
      served.push(choices);
      if (serve) return serve(choices, stop);
      return { url: announced.COVENANT_BASE_URL, env: announced, close };
    },
  };
  const code = await covenant(words, console, parts);
  return { code, ...written, examined, served, closed, left };
}

/** What it printed, stdout and stderr together as a person sees them, and each for itself. */
export async function command(folder: string, words: readonly string[], environment: Console['environment'] = {}) {
  const { console, written } = keptConsole({ environment, folder });
  return { code: await covenant(words, console, compose()), ...written };
}

/** Inside the project, where its packages are found; git knows the folder as one to ignore. */
const built = resolve(`.covenant-${process.pid}`);

/** The program. */
export const builtMain = join(built, 'lib/cli/main.js');

export function build(): void {
  // Types are checked elsewhere.
  const options = ['-p', 'tsconfig.build.json', '--noCheck', '--declaration', 'false', '--outDir', built];
  execFileSync('npx', ['tsc', ...options], { stdio: 'inherit' });
  cpSync('schemas', join(built, 'schemas'), { recursive: true });
}

export const removeBuild = (): void => rmSync(built, { recursive: true, force: true });
