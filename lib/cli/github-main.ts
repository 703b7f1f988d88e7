// Started by ci/github.sh: runs the step in this process and leaves with the exit code of the run.
import { compose } from './compose.ts';
import { guarded, processConsole } from './console.ts';
import { githubStep } from './github.ts';
import { explain } from './program.ts';

const console = guarded(processConsole());
try {
  process.exitCode = await githubStep(console, compose(), (text) => process.stdout.write(text));
} catch (error) {
  process.exitCode = explain(error, console);
}
