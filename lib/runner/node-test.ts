// The face for node:test: one test a requirement, which ends as soon as its requirement is decided.
import { after, describe, type TestContext, test } from 'node:test';
import type { RequirementId } from '../catalogue/index.ts';
import { Face, type Row } from './face.ts';
import type { ExamineOptions } from './options.ts';

/** The tests that are to be run begin all at once; what has begun by then is examined. */
class Gathering {
  private readonly begun = new Set<RequirementId>();
  private readonly started: Promise<void>;
  private readonly open: () => void;

  constructor(face: Face) {
    let open = () => {};
    this.started = new Promise<void>((resolve) => {
      open = resolve;
    })
      .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
      .then(() => face.start([...this.begun]));
    this.open = open;
  }

  /** Resolves when the run has begun. */
  join(id: RequirementId): Promise<void> {
    this.begun.add(id);
    this.open();
    return this.started;
  }
}

async function show(face: Face, gathering: Gathering, { id }: Row, context: TestContext): Promise<void> {
  await gathering.join(id);
  const outcome = await face.outcome(id);
  if (outcome.is === 'skipped') context.skip(outcome.text);
  if (outcome.is === 'warned') context.diagnostic(outcome.text);
  if (outcome.is === 'failed') throw outcome.error;
}

/**
 * Defines a test for each requirement that the options select, and one run behind them, which examines what is to be run
 * (`--test-name-pattern`) and nothing else. A test that is skipped says why.
 * @throws UsageError where the options are wrong, before anything is sent.
 */
export function conformance(options: ExamineOptions): void {
  const face = new Face(options);
  const { rows, timeoutMs: timeout } = face;
  const gathering = new Gathering(face);
  const together = { concurrency: rows.length + face.groups.length, timeout };
  describe('External REST Interface v2', together, () => {
    after(() => face.end(), { timeout });
    for (const group of face.groups) {
      describe(group.heading, together, () => {
        for (const row of group.rows) test(row.title, { timeout }, (context) => show(face, gathering, row, context));
      });
    }
  });
}
