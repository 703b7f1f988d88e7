// `covenant serve`: the reference as a sandbox, until Ctrl-C; its .env alone goes to the standard output.

import type { Command } from 'commander';
import { documentedMinuteMs } from '../catalogue/operations.ts';
import { optionalNumber, wholeNumber } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import { defined } from '../runtime/defined.ts';
import { codeOf } from '../runtime/disk.ts';
import { type Console, stoppable } from './console.ts';
import type { Finish } from './options.ts';
import type { Listening, Parts, ServeChoices } from './parts.ts';

interface ServeOptions {
  readonly port: string;
  readonly host: string;
  readonly minuteMs?: string;
  readonly seed?: string;
  readonly limits?: string;
}

const explanations: Readonly<Record<string, (at: string) => string>> = {
  EADDRINUSE: (at) => `${at} is already in use; choose another port with --port, or 0 for any free one.`,
  EACCES: (at) => `You may not listen on ${at}; choose a port above 1023 with --port.`,
  EADDRNOTAVAIL: (at) => `This machine has no such address as ${at}; leave --host off for 127.0.0.1.`,
  ENOTFOUND: (at) => `The host of ${at} is unknown; leave --host off for 127.0.0.1.`,
};

/** Three numbers separated by commas. */
function limitsFrom(text: string): NonNullable<ServeChoices['limits']> {
  const given = /^\s*([1-9]\d{0,6})\s*,\s*([1-9]\d{0,6})\s*,\s*([1-9]\d{0,6})\s*$/.exec(text);
  const [, read = 0, write = 0, validate = 0] = given?.map(Number) ?? [];
  if (given) return { read, write, validate };
  throw new UsageError(
    `${JSON.stringify(text)} (--limits) is not three whole numbers from 1 to 9999999; give reads, writes and validations a minute, for example 200,30,10.`,
  );
}

function choices({ port, host, minuteMs, seed, limits }: ServeOptions): ServeChoices {
  if (host.trim() === '') throw new UsageError('--host is empty; leave it off for 127.0.0.1.');
  return {
    host,
    port: wholeNumber({ value: port, where: '--port' }, 0, 65_535),
    minuteMs: optionalNumber('--minute-ms', minuteMs, 100, 3_600_000) ?? documentedMinuteMs,
    ...defined({
      seed: optionalNumber('--seed', seed, 0, 0xffffffff),
      limits: limits === undefined ? undefined : limitsFrom(limits),
    }),
  };
}

async function listen(parts: Parts, chosen: ServeChoices): Promise<Listening> {
  try {
    return await parts.serve(chosen);
  } catch (error) {
    const explain = explanations[codeOf(error)];
    if (explain) throw new UsageError(explain(`${chosen.host}:${chosen.port}`));
    throw error;
  }
}

const dotenv = (env: Listening['env']): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${/[\s#'"`]/.test(value) ? JSON.stringify(value) : value}\n`)
    .join('');

/** Resolves once the sandbox was stopped. */
async function serve(options: ServeOptions, console: Console, parts: Parts): Promise<number> {
  const reference = await listen(parts, choices(options));
  const { signal, release } = stoppable(console, 'Stopped.');
  const stopped = new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
  console.stdout(dotenv(reference.env));
  console.stderr(
    `The reference listens on ${reference.url}; /openapi.json there describes it to other tools. Its .env is on the standard output: covenant serve > .env\n`,
  );
  console.stderr('Everything is kept in memory and forgotten at the end. Ctrl-C stops it.\n');
  await stopped;
  release();
  await reference.close();
  return 0;
}

export function addServe(program: Command, console: Console, parts: Parts, finish: Finish): void {
  program
    .command('serve')
    .description('start the bundled reference as a sandbox and print a ready .env')
    .option('--port <number>', '0 for any free one', '4010')
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--minute-ms <ms>', 'length of the rate-limit minute, 60000 by default')
    .option('--seed <number>', 'what its invented records and keys follow from')
    .option('--limits <numbers>', 'reads, writes and validations a minute of every account, for example 200,30,10')
    .action((options: ServeOptions) => finish(serve(options, console, parts)));
}
