// A command line whose console and parts are made up, for tests.

import { NoReply, type Transport } from '../client/transports/transport.ts';
import { failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import type { Plan, Report } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { keptConsole } from './console.test-data.ts';
import type { Console } from './console.ts';
import type { Examination, Listening, Parts, ServeChoices } from './parts.ts';
import { covenant } from './program.ts';

export interface Trial {
  readonly code: number;
  readonly out: string;
  readonly stderr: string;
  readonly examined: readonly Examination[];
  readonly served: readonly ServeChoices[];
  readonly closed: number;
  readonly left: readonly number[];
}

interface Setting {
  readonly environment?: Console['environment'];
  readonly folder?: string;
  /** Absent: nobody sits at a terminal. */
  readonly ask?: NonNullable<Console['ask']>;
  readonly stdoutIsTerminal?: boolean;
  /** Absent: there is no browser. */
  readonly open?: NonNullable<Console['open']>;
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
  const { environment = {}, folder = '/nonexistent', stdoutIsTerminal = false, ask, open } = setting;
  const { console, written, left, stop } = keptConsole({
    environment,
    folder,
    stdoutIsTerminal,
    ...defined({ ask, open }),
  });
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
      setting.judge ??
      (() => ({ suites: [], own: { version: '9.8.7', catalogue: 'a'.repeat(64), code: 'b'.repeat(64) } })),
    catalogue,
    rulings,
    clock: { now: () => 0, sleep: async () => {} },
    freshSeed: () => 77,
    needsOf: (id) => (id === 'billing-summary-scope' ? ['billing', 'restricted'] : []),
    testOf: () => ({ everyReply: false, cases: 1, writes: false, exhausts: false, companions: ['notes-order'] }),
    example: async (id) => {
      const result = requirement('failed', { cases: [failedCase()] });
      return id === result.id ? { mutant: 'shows-it-to-all', report: report([result]), result } : undefined;
    },
    operationsOf: (id) => (id === 'billing-summary-scope' ? ['GET /billing/summary'] : []),
    examine: async (examination) => {
      examined.push(examination);
      const examine = setting.examine ?? (() => report([requirement('passed')]));
      return { report: await examine(examination, stop), transcript: [] };
    },
    bounds: () => [noPlan, noPlan],
    dearest: () => [],
    forecast: async () => noPlan,
    dryRun: async () => report([]),
    connect: () => ({ send: setting.transport ?? unconnected, close: async () => {} }),
    controls: () => ({ musts: 1, shown: 1, notShown: [] }),
    openapi: async (baseUrl) => ({ openapi: '3.1.0', servers: [{ url: baseUrl }] }),
    serve: async (choices) => {
      served.push(choices);
      if (setting.serve) return setting.serve(choices, stop);
      return { url: announced.COVENANT_BASE_URL, env: announced, close };
    },
  };
  const code = await covenant(words, console, parts);
  return { code, ...written, examined, served, closed, left };
}
