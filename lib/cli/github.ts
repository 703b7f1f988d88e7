// The step of a GitHub workflow: a run with the inputs as options, then outputs, job summary and annotations.
import { appendFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isWaived } from '../gate/exit-code.ts';
import { readReport } from '../report/read.ts';
import { failedAt, targetOf, verdictSentence, verdictWord } from '../report/wording.ts';
import { quoting } from '../reproduce/shell.ts';
import type { Report, RequirementResult } from '../result.ts';
import { oneLine, short, visible } from '../runtime/text.ts';
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

/** GitHub shows no more of a kind for one step. */
const most = 10;
const valueSize = 200;

/** Ends neither the line nor, in a property, the property: so nothing that a target sent can begin a command. */
const data = (text: string): string => oneLine(visible(text)).replaceAll('%', '%25');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Commands whose titles name the target: one workflow may examine several, or another than it was meant to. */
const commandsOf =
  (target: string) =>
  (name: 'error' | 'warning' | 'notice', title: string, message: string): string =>
    `::${name} title=${property(`${title} at ${target}`)}::${data(message)}\n`;

function messageOf({ section, statement, cases }: RequirementResult, report: Report): string {
  const failed = cases.find(({ failure }) => failure !== undefined);
  if (failed?.failure === undefined) return `${statement}. (${section})`;
  const { message, expected, actual } = failed.failure;
  const quote = quoting(failed.failure, report);
  const value = (of: unknown): string => short(quote(of), valueSize);
  const where = failed.operation === undefined ? '' : ` at ${failed.operation}`;
  return `${message}${where}. Expected: ${value(expected)}. Received: ${value(actual)}. (${section})`;
}

/** The failures of a run as workflow commands, one a line: errors that decide, warnings that do not. */
export function annotations(report: Report): string {
  const own = (report.own?.requirements ?? []).filter(({ verdict }) => verdict === 'failed');
  const must = [...failedAt(report, 'must'), ...own.filter(({ level }) => level === 'must')];
  const should = [...failedAt(report, 'should'), ...own.filter(({ level }) => level === 'should')];
  const command = commandsOf(targetOf(report));
  const waived = must.filter((row) => isWaived(report, row));
  const errors = must.filter((row) => !waived.includes(row));
  const warnings = [
    ...waived.map((row) => command('warning', `${row.id} (waived)`, messageOf(row, report))),
    ...should.map((row) => command('warning', `${row.id} (recommended)`, messageOf(row, report))),
  ];
  return [
    ...errors.slice(0, most).map((row) => command('error', row.id, messageOf(row, report))),
    ...warnings.slice(0, most),
    command('notice', `Covenant: ${verdictWord(report)}`, verdictSentence(report)),
  ].join('');
}

/** `name=value` lines for GITHUB_OUTPUT; `path` is where report.json is. */
export function outputs(report: Report, path: string): string {
  const values = { verdict: report.verdict, counts: JSON.stringify(report.totals), report: path };
  return Object.entries(values)
    .map(([name, text]) => `${name}=${oneLine(text)}\n`)
    .join('');
}
