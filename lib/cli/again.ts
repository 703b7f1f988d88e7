// The command line that examines one requirement again, as it works where this one was started.
import { basename, relative } from 'node:path';
import type { Report } from '../result.ts';
import type { Console } from './console.ts';

/** The line for a requirement and a seed. */
export type Again = (requirement: string, seed: number) => string;

const plain = /^[\w@%+=:,./~-]+$/;
const quoted = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** How the program was called, up to where the options of `run` begin. */
function called({ environment, entry = 'covenant', folder }: Console): string {
  const { npm_lifecycle_event: script, npm_command: command } = environment;
  if (script === 'certify') return 'npm run certify --';
  if (script === 'covenant') return 'npm run covenant -- run';
  if (command === 'exec') return 'npx covenant-conformance run';
  if (entry.includes('node_modules')) return 'npx covenant run';
  return basename(entry) === 'covenant' ? 'covenant run' : `node ${quoted(relative(folder, entry) || entry)} run`;
}

/** `bundled`: the run started its own target, and the next one starts another. */
export function againFrom(console: Console, { target, run }: Report, bundled = false): Again {
  const options = [
    ...(bundled ? [] : [`--base-url ${quoted(target.base_url)}`]),
    ...(run.options.effort === undefined || run.options.effort === 'standard'
      ? []
      : [`--effort ${run.options.effort}`]),
  ];
  return (requirement, seed) =>
    [called(console), ...options, `--requirement ${requirement}`, `--seed ${seed}`].join(' ');
}
