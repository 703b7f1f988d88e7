// The step of a GitHub workflow: a run with the inputs as options, then outputs, job summary and annotations.
import { appendFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { annotations, outputs } from '../report/github.ts';
import { readReport } from '../report/read.ts';
import type { GuardedConsole } from './console.ts';
import type { Parts } from './parts.ts';
import { covenant } from './program.ts';

/** The inputs of action.yml, as its step hands them over, by the options that they stand for. */
const inputs = {
  INPUT_AREAS: '--area',
  INPUT_EFFORT: '--effort',
  INPUT_BASELINE: '--baseline',
  INPUT_WAIVERS: '--waivers',
  INPUT_SHARD: '--shard',
  INPUT_SEED: '--seed',
} as const;

/** The default of the input base-url: COVENANT_BASE_URL, or else the bundled reference. */
const leftOut = 'unset';

/** The jobs of one workflow run share its number, as shards need it; what they leave to each other is not tested. */
function wordsFrom(environment: GuardedConsole['environment'], out: string): readonly string[] {
  const given = Object.entries(inputs).flatMap(([name, option]) => {
    const value = environment[name]?.trim() ?? '';
    return value === '' ? [] : [`${option}=${value}`];
  });
  // An empty input is not one that is left out: that has its default.
  const address = environment.INPUT_BASE_URL?.trim() ?? leftOut;
  const bundled = environment.INPUT_BUNDLED === 'true';
  const isShard = (environment.INPUT_SHARD ?? '') !== '';
  const seed =
    isShard && (environment.INPUT_SEED ?? '') === '' ? [`--seed=${environment.GITHUB_RUN_NUMBER ?? '1'}`] : [];
  return [
    'run',
    `--out=${out}`,
    '--reporter=markdown,html,junit',
    ...(address === leftOut || (bundled && address === '') ? [] : [`--base-url=${address}`]),
    ...(bundled ? ['--bundled'] : []),
    ...given,
    ...seed,
    ...(isShard ? ['--allow-incomplete'] : []),
  ];
}

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

/**
 * Resolves with the exit code of the run. `command` prints what the service is to obey; everything else that is printed
 * goes through the console, which leaves no command whole. A report that was there before is never taken for this run's.
 */
export async function githubStep(
  console: GuardedConsole,
  parts: Parts,
  command: (text: string) => void,
): Promise<number> {
  const { environment, folder } = console;
  const out = environment.INPUT_OUT?.trim() || 'reports';
  const path = join(out, 'report.json');
  const before = await textOf(resolve(folder, path));
  const code = await covenant(wordsFrom(environment, out), console, parts);
  const text = await textOf(resolve(folder, path));
  if (text === undefined || text === before) {
    command('::error title=Covenant::No report was written; the log above says why.\n');
    return code;
  }
  const report = readReport(text, path);
  command(annotations(report));
  const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = environment;
  if (GITHUB_OUTPUT) await appendFile(GITHUB_OUTPUT, outputs(report, path));
  if (GITHUB_STEP_SUMMARY) await appendFile(GITHUB_STEP_SUMMARY, await readFile(resolve(folder, out, 'summary.md')));
  return code;
}
