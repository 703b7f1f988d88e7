#!/usr/bin/env node
// The command `covenant`: composes the parts, runs the command line, and leaves with its exit code.
import { randomInt } from 'node:crypto';
import { serveReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import { catalogue, catalogueDigest } from '../catalogue/index.ts';
import { rulings } from '../catalogue/rulings.ts';
import { wallClock } from '../clock.ts';
import { run } from '../run.ts';
import { liveTransport } from '../transport/live.ts';
import { version } from '../version.ts';
import { guarded, processConsole } from './console.ts';
import type { Examination, Parts } from './parts.ts';
import { covenant, explain } from './program.ts';

async function examine(examination: Examination) {
  const transport = liveTransport();
  try {
    return await run({ ...examination, suites, transport: transport.send, clock: wallClock });
  } finally {
    await transport.close();
  }
}

const parts: Parts = {
  version,
  digest: catalogueDigest(),
  catalogue,
  rulings,
  clock: wallClock,
  freshSeed: () => randomInt(2 ** 32),
  examine,
  serve: serveReference,
};

/** What was written is on its way before the process ends; a reader that has left does not hold it up. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((done) => {
    stream.write('', () => done());
  });

const console = guarded(processConsole());
process.on('uncaughtException', (error) => console.leave(explain(error, console)));
const code = await covenant(process.argv.slice(2), console, parts);
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
console.leave(code);
