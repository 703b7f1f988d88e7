#!/usr/bin/env node
// The command `covenant`: runs the command line in this process and leaves with its exit code.
import { exitCodes } from '../gate/exit-code.ts';
import { optimiseLater } from '../runtime/engine.ts';
import { compose } from './compose.ts';
import { guarded, processConsole } from './console.ts';
import { covenant, explain } from './program.ts';

/** What was written is on its way before the process ends; a reader that has left does not hold it up. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((done) => {
    stream.write('', () => done());
  });

optimiseLater(process.version);
const console = guarded(processConsole());
process.on('uncaughtException', (error) => console.leave(explain(error, console)));
// Where it waits for something that never comes, the process ends by itself.
process.exitCode = exitCodes.couldNotJudge;
const code = await covenant(process.argv.slice(2), console, compose());
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
console.leave(code);
