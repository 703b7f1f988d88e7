// A command line whose console and parts are made up, for tests.
import type { Report } from '../report/model.ts';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import { type Console, guarded } from './console.ts';
import type { Examination, Listening, Parts, ServeChoices } from './parts.ts';
import { covenant } from './program.ts';

export interface Trial {
  readonly code: number;
  readonly out: string;
  readonly aside: string;
  readonly examined: readonly Examination[];
  readonly served: readonly ServeChoices[];
  readonly closed: number;
  readonly left: readonly number[];
}

interface Setting {
  readonly environment?: Console['environment'];
  readonly folder?: string;
  /** What the run reports, or throws; `stop` is Ctrl-C. */
  readonly examine?: (examination: Examination, stop: () => void) => Report | Promise<Report>;
  readonly serve?: (choices: ServeChoices, stop: () => void) => Promise<Listening>;
}

const announced = {
  COVENANT_BASE_URL: 'http://127.0.0.1:4999',
  COVENANT_API_KEY: 'svc_sk_reference_canary',
};

export async function trial(words: readonly string[], setting: Setting = {}): Promise<Trial> {
  let out = '';
  let aside = '';
  let closed = 0;
  const examined: Examination[] = [];
  const served: ServeChoices[] = [];
  const left: number[] = [];
  const stops = new Set<() => void>();
  const stop = (): void => {
    for (const each of stops) each();
  };
  const console: Console = {
    out: (text) => {
      out += text;
    },
    aside: (text) => {
      aside += text;
    },
    outIsTerminal: false,
    asideIsTerminal: false,
    columns: 80,
    environment: setting.environment ?? {},
    folder: setting.folder ?? '/nonexistent',
    onStop: (each) => {
      stops.add(each);
      return () => stops.delete(each);
    },
    leave: (code) => left.push(code),
  };
  const parts: Parts = {
    version: '9.8.7',
    digest: 'abc'.repeat(21),
    catalogue: {
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
    },
    rulings: {
      'scope-status': { question: '403 or 401?', readings: ['403', '401'], ruling: '403', why: 'It is named.' },
    },
    clock: { now: () => 0, sleep: async () => {} },
    freshSeed: () => 77,
    examine: async (examination) => {
      examined.push(examination);
      const result = await (setting.examine ?? (() => report([requirement('passed')])))(examination, stop);
      return { report: result, transcript: [] };
    },
    serve: async (choices) => {
      served.push(choices);
      if (setting.serve) return setting.serve(choices, stop);
      return {
        url: announced.COVENANT_BASE_URL,
        env: announced,
        close: async () => {
          closed += 1;
        },
      };
    },
  };
  const code = await covenant(words, guarded(console), parts);
  return { code, out, aside, examined, served, closed, left };
}
