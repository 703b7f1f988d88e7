// The vitest face: a run against the configured target, or the bundled reference, shown as one test a requirement.
import { beforeAll, describe, type TestContext, test } from 'vitest';
import { serveReference } from '../lab/reference/index.ts';
import { catalogue } from '../lib/catalogue/index.ts';
import { areas } from '../lib/catalogue/requirement.ts';
import { envText } from '../lib/cli/env-text.ts';
import { liveTransport } from '../lib/client/transports/live.ts';
import { configuration, type Sources } from '../lib/configuration/target.ts';
import type { Report } from '../lib/result.ts';
import { run } from '../lib/run/run.ts';
import { wallClock } from '../lib/runtime/clock.ts';
import { suites } from './index.ts';

/** The rate-limit minute of the bundled reference. */
const minuteMs = 1000;

async function examined(sources: Sources): Promise<Report> {
  const { target, settings } = configuration(sources);
  if (target) {
    const { send, close } = liveTransport();
    return (await run({ suites, target, settings, transport: send, clock: wallClock }).finally(close)).report;
  }
  const reference = await serveReference({ port: 0, minuteMs });
  const environment = { ...sources.environment, ...reference.env, COVENANT_MINUTE_MS: String(minuteMs) };
  return examined({ ...sources, environment }).finally(reference.close);
}

/** Nothing that was not tested looks green: it is skipped, with the reason; a failed SHOULD is a warning. */
async function show(report: Report, id: string, context: TestContext): Promise<void> {
  const found = report.requirements.find((one) => one.id === id) ?? context.skip('not selected');
  const { verdict, level, reason, cases } = found;
  const observed = report.observations.find((one) => one.id === id);
  if (verdict === 'observed') context.skip(`observed: ${observed?.answer}`);
  if (verdict === 'not-tested') context.skip(reason ?? verdict);
  if (verdict === 'passed') return;
  const failures = cases.flatMap(({ failure, operation = '' }) =>
    failure ? [`${operation} ${failure.message}`, ...failure.curl] : [],
  );
  const details = [
    reason ?? verdict,
    ...failures,
    `again: covenant run --requirement ${id} --seed ${report.run.seed}`,
  ].join('\n');
  if (level !== 'should' || verdict !== 'failed') throw new Error(details);
  await context.annotate(details, 'warning');
}

let report: Report;
beforeAll(async () => {
  const envFile = await envText(process.cwd());
  const text = envFile === undefined ? {} : { envFile };
  const sources = { flags: {}, environment: process.env, freshSeed: 1, requirements: catalogue, ...text };
  report = await examined(sources);
});

describe.each(areas)('%s', (area) => {
  const rows = Object.entries(catalogue).filter(([, row]) => row.area === area && row.level !== 'untestable');
  for (const [id, { statement }] of rows) test(`${id}: ${statement}`, (context) => show(report, id, context));
});
