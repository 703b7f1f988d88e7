// The real command line in a folder of its own, for tests.
import { compose } from './compose.ts';
import { keptConsole } from './console.test-data.ts';
import type { Console } from './console.ts';
import { covenant } from './program.ts';

/** What it printed, stdout and stderr together as a person sees them, and each for itself. */
export async function command(folder: string, words: readonly string[], environment: Console['environment'] = {}) {
  const { console, written } = keptConsole({ environment, folder });
  return { code: await covenant(words, console, compose()), ...written };
}
