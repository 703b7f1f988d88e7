// The real command line in a folder of its own, for tests.
import { compose } from './compose.ts';
import { type Console, guarded } from './console.ts';
import { covenant } from './program.ts';

/** What it printed, stdout and stderr together as a person sees them, and each for itself. */
export async function command(folder: string, words: readonly string[], environment: Console['environment'] = {}) {
  let text = '';
  let out = '';
  const console = guarded({
    stdout: (more) => {
      text += more;
      out += more;
    },
    stderr: (more) => {
      text += more;
    },
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    environment,
    folder,
    onStop: () => () => {},
    leave: () => {},
  });
  return { code: await covenant(words, console, compose()), text, out };
}
