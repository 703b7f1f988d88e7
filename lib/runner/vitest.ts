// The tests for vitest: one for each requirement, which ends once its requirement is decided, over one run.
import { afterAll, describe, type RunnerTestCase, type RunnerTestSuite, type TestContext, test, vi } from 'vitest';
import { suites } from '../../suites/index.ts';
import type { RequirementId } from '../catalogue/index.ts';
import { areas } from '../catalogue/requirement.ts';
import type { Decided, Failed, RunEvent } from '../events.ts';
import { type Selection, select } from '../run/selection.ts';
import { examine } from './examine.ts';
import { checked, type ExamineOptions } from './options.ts';

/** One requirement, as one test. */
interface Row {
  readonly id: RequirementId;
  readonly title: string;
}

/** The requirements under one heading. */
interface Group {
  readonly heading: string;
  readonly rows: readonly Row[];
}

/** The outcome of one test; `text` says why. */
export type Outcome =
  | { readonly is: 'passed' }
  | { readonly is: 'skipped' | 'warned'; readonly text: string }
  | { readonly is: 'failed'; readonly error: Error };

/** A requirement failed, or could not be judged. */
export class NotConformant extends Error {
  override readonly name = 'NotConformant';
  readonly code = 'ERR_ASSERTION';
  readonly requirement: string;
  readonly expected?: unknown;
  readonly actual?: unknown;

  constructor(requirement: string, message: string, failure?: Failed) {
    super(message);
    this.requirement = requirement;
    if (failure?.expected !== undefined) Object.assign(this, { expected: failure.expected, actual: failure.actual });
    // The stack of the suite says nothing about the server.
    this.stack = `${this.name}: ${message}`;
  }
}

/** Tests wait for the run, and the run waits for the rate limits. */
const minutesMax = 60;

function shown({ operation, message, request }: Failed): string {
  if (request === undefined) return [operation, message].filter(Boolean).join(': ');
  const { method, url, credential, status, request_id } = request;
  const id = request_id === undefined ? '' : `, request_id ${request_id}`;
  const as = credential === 'none' ? 'without credentials' : `as ${credential}`;
  return `${message}\n  ${method} ${url} ${as}: ${status}${id}`;
}

type Settle = (outcome: Outcome | Promise<never>) => void;

export class ConformanceRun {
  readonly rows: readonly Row[];
  /** Milliseconds that a test may take. */
  readonly timeoutMs: number;
  /** The same rows by heading, in the document's order, own rules last. */
  readonly groups: readonly Group[];
  private readonly selection: Selection;
  private readonly options: ExamineOptions;
  private readonly failures = new Map<string, Failed[]>();
  private readonly outcomes = new Map<string, Promise<Outcome>>();
  private readonly settle = new Map<string, Settle>();
  private run: Promise<unknown> = Promise.resolve();

  /** @throws UsageError where the options are wrong; nothing is sent before `start`. */
  constructor(options: ExamineOptions) {
    const { settings, own } = checked(options);
    // The run and the advice on repeating a failure use the same seed.
    this.options = { ...options, seed: settings.seed };
    this.timeoutMs = ((settings.maxMinutes ?? minutesMax) + 1) * 60_000;
    this.selection = select([...suites, ...own], settings);
    const { ids, rows } = this.selection;
    const rowOf = (id: RequirementId): Row => ({ id, title: `${id}: ${rows[id].statement}` });
    this.rows = [...ids].map(rowOf);
    this.groups = [...areas, 'own']
      .map((area) => ({
        heading: area === 'own' ? 'rules of your own' : area,
        rows: this.rows.filter(({ id }) => rows[id].area === area),
      }))
      .filter((group) => group.rows.length > 0);
  }

  get hasBegun(): boolean {
    return this.outcomes.size > 0;
  }

  /** Begins the run, for these requirements only. */
  start(ids: readonly RequirementId[]): void {
    for (const id of ids) this.outcomes.set(id, new Promise((resolve) => this.settle.set(id, resolve)));
    const some = ids.length < this.rows.length ? { requirements: ids } : {};
    const { onEvent } = this.options;
    this.run = examine({
      ...this.options,
      ...some,
      onEvent: (event) => {
        this.hear(event);
        onEvent?.(event);
      },
    }).catch((error: unknown) => {
      for (const settle of this.settle.values()) settle(Promise.reject(error));
    });
  }

  /** Resolves once it is decided; rejects if the run itself failed. */
  async outcome(id: RequirementId): Promise<Outcome> {
    const outcome = await this.outcomes.get(id);
    if (outcome === undefined) throw new Error(`${id} was not among what the run began with`);
    return outcome;
  }

  /** Resolves when the run has ended, the clean-up included. */
  async end(): Promise<void> {
    await this.run;
  }

  private hear(event: RunEvent): void {
    if (event.event === 'failure') {
      this.failures.set(event.requirement, [...(this.failures.get(event.requirement) ?? []), event]);
    } else if (event.event === 'decided') this.settle.get(event.requirement)?.(this.outcomeOf(event));
  }

  private outcomeOf({ requirement, verdict, level, reason = verdict, answer }: Decided): Outcome {
    if (verdict === 'passed') return { is: 'passed' };
    if (verdict === 'observed') return { is: 'skipped', text: `observed: ${answer ?? ''}` };
    if (verdict === 'not-tested') return { is: 'skipped', text: reason };
    const failures = this.failures.get(requirement) ?? [];
    const text = verdict === 'failed' ? this.details(requirement, failures) : `could not be judged: ${reason}`;
    if (level === 'should' && verdict === 'failed') return { is: 'warned', text };
    return { is: 'failed', error: new NotConformant(requirement, text, failures[0]) };
  }

  private details(requirement: string, failures: readonly Failed[]): string {
    const { section, impact } = this.selection.rows[requirement as RequirementId];
    const again = `again: { requirements: ['${requirement}'], seed: ${this.options.seed} }`;
    return [...failures.map(shown), section, ...(impact ? [impact] : []), again].join('\n');
  }
}

type Task = RunnerTestCase | RunnerTestSuite;

/** The names of the tests that `-t`, `.only` and the like select. */
const running = (task: Task): string[] => {
  if (task.mode === 'skip' || task.mode === 'todo') return [];
  return task.type === 'suite' ? task.tasks.flatMap((one) => running(one)) : [task.name];
};

/** Called when the first test begins: only then has vitest decided which ones run. */
function selected({ rows }: ConformanceRun, { task }: TestContext): RequirementId[] {
  const all = task.suite?.suite;
  const titles = new Set(all ? running(all) : []);
  return rows.filter(({ title }) => titles.has(title)).map(({ id }) => id);
}

async function show(examination: ConformanceRun, { id }: Row, context: TestContext): Promise<void> {
  if (!examination.hasBegun) examination.start(selected(examination, context));
  const outcome = await examination.outcome(id);
  if (outcome.is === 'skipped') context.skip(outcome.text);
  if (outcome.is === 'warned') await context.annotate(outcome.text, 'warning');
  if (outcome.is === 'failed') throw outcome.error;
}

/**
 * Defines a test for each requirement that the options select, and one run behind them, which examines what is to be run
 * and nothing else. A test that is skipped says why. Not for two files at a time against the same accounts.
 * @throws UsageError where the options are wrong, before anything is sent.
 */
export function conformance(options: ExamineOptions): void {
  const examination = new ConformanceRun(options);
  const { rows, timeoutMs } = examination;
  // All tests must wait from the beginning; otherwise a test would end only when its turn comes.
  vi.setConfig({ maxConcurrency: rows.length });
  describe.concurrent('External REST Interface v2', () => {
    afterAll(() => examination.end(), timeoutMs);
    for (const group of examination.groups) {
      describe(group.heading, () => {
        for (const row of group.rows)
          test(row.title, { timeout: timeoutMs }, (context) => show(examination, row, context));
      });
    }
  });
}
