// The face for vitest: one test a requirement, which ends as soon as its requirement is decided.
import { afterAll, describe, type RunnerTestCase, type RunnerTestSuite, type TestContext, test, vi } from 'vitest';
import type { RequirementId } from '../catalogue/index.ts';
import { Face, type Row } from './face.ts';
import type { ExamineOptions } from './options.ts';

type Task = RunnerTestCase | RunnerTestSuite;

/** The names of the tests that `-t`, `.only` and the like leave to be run. */
const running = (task: Task): string[] => {
  if (task.mode === 'skip' || task.mode === 'todo') return [];
  return task.type === 'suite' ? task.tasks.flatMap((one) => running(one)) : [task.name];
};

/** Found when the first test begins: by then vitest has decided which ones will run. */
function selected({ rows }: Face, { task }: TestContext): RequirementId[] {
  const all = task.suite?.suite;
  const titles = new Set(all ? running(all) : []);
  return rows.filter(({ title }) => titles.has(title)).map(({ id }) => id);
}

async function show(face: Face, { id }: Row, context: TestContext): Promise<void> {
  if (!face.hasBegun) face.start(selected(face, context));
  const outcome = await face.outcome(id);
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
  const face = new Face(options);
  const { rows, timeoutMs } = face;
  // Every test waits for its requirement from the beginning; with fewer at a time it would end when its turn comes.
  vi.setConfig({ maxConcurrency: rows.length });
  describe.concurrent('External REST Interface v2', () => {
    afterAll(() => face.end(), timeoutMs);
    for (const group of face.groups) {
      describe(group.heading, () => {
        for (const row of group.rows) test(row.title, { timeout: timeoutMs }, (context) => show(face, row, context));
      });
    }
  });
}
