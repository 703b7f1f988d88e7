// The parts that the command line really uses: this suite, the network, the bundled reference, the machine's clock.
import { randomInt } from 'node:crypto';
import { serveReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import { catalogue, catalogueDigest } from '../catalogue/index.ts';
import { rulings } from '../catalogue/rulings.ts';
import { liveTransport } from '../client/transports/live.ts';
import type { RunResult } from '../result.ts';
import { estimate } from '../run/plan-estimate.ts';
import { run } from '../run/run.ts';
import { select } from '../run/selection.ts';
import { wallClock } from '../runtime/clock.ts';
import { version } from '../runtime/version.ts';
import type { Examination, Parts } from './parts.ts';
import { dryRun } from './plan.ts';

async function examine(examination: Examination): Promise<RunResult> {
  const transport = liveTransport();
  try {
    return await run({ ...examination, suites, transport: transport.send, clock: wallClock });
  } finally {
    await transport.close();
  }
}

export const compose = (): Parts => ({
  version,
  digest: catalogueDigest(),
  catalogue,
  rulings,
  clock: wallClock,
  freshSeed: () => randomInt(2 ** 32),
  examine,
  estimate: (settings, target, minuteMs) => estimate(select(suites, settings), settings, target, minuteMs),
  dryRun: (settings, target, minuteMs) => dryRun(suites, settings, target, minuteMs),
  connect: liveTransport,
  serve: serveReference,
});
