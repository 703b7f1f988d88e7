// `covenant doctor`: says what is fine, what is missing and how to get it, and what a run will then cover, cost and leave.
import type { Command } from 'commander';
import { describeNetwork } from '../configuration/network.ts';
import type { Check, State } from '../doctor/checks.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { planText } from '../report/terminal/before.ts';
import { indented, type Style } from '../report/terminal/layout.ts';
import { outOfScope, profileOf, unjudgedByReason } from '../report/wording.ts';
import type { Plan, Report } from '../result.ts';
import { counted } from '../runtime/text.ts';
import { documentText } from '../schema/schema.ts';
import { callable, type GuardedConsole, styleOf } from './console.ts';
import {
  addFormat,
  addTargetOptions,
  type Finish,
  type FormatOptions,
  formatFrom,
  networkOptions,
  profileHelp,
  type TargetOptions,
  targetFrom,
  textOrJson,
} from './options.ts';
import type { Parts } from './parts.ts';
import { displayOf, Progress } from './progress.ts';

type DoctorOptions = TargetOptions & FormatOptions;

const marks: Readonly<Record<State, string>> = { fine: '✓', missing: '-', wrong: '✗', open: '?' };

function shown({ what, state, says, remedy }: Check, style: Style): string {
  const { colors } = style;
  const paint = { fine: colors.green, missing: colors.yellow, wrong: colors.red, open: colors.dim }[state];
  return [
    `${paint(marks[state])} ${colors.bold(what)}`,
    ...indented(says, style, 4),
    ...(remedy === undefined ? [] : indented(remedy, style, 4).map(colors.dim)),
    '',
  ].join('\n');
}

/** What a run with the fitting credentials would test, found by a dry run. */
function coverage(report: Report, style: Style): string {
  const musts = report.requirements.filter(({ level }) => level === 'must');
  const tested = musts.filter(({ verdict }) => verdict !== 'not-tested' && verdict !== 'inconclusive');
  const groups = unjudgedByReason(report).map(
    ([reason, rows]) => `${counted(rows.length, 'requirement')} not tested: ${reason}.`,
  );
  const left = outOfScope(report);
  const scope = left === undefined ? [] : [`Out of scope of the ${profileOf(report)}, by declaration: ${left}.`];
  return [
    style.colors.bold('What a run will cover'),
    '',
    ...indented(`${tested.length} of ${counted(musts.length, 'MUST requirement')}.`, style, 2),
    ...[...scope, ...groups].flatMap((group) => indented(group, style, 2)),
    '',
    '',
  ].join('\n');
}

/** The forecast of a run, if one can start. */
interface RunForecast {
  readonly dry: Report;
  readonly plan: Plan;
}

function text(checks: readonly Check[], forecast: RunForecast | undefined, style: Style): string {
  const plan = forecast ? `\n${coverage(forecast.dry, style)}${planText([forecast.plan], style)}` : '';
  return `${checks.map((check) => shown(check, style)).join('')}${plan}`;
}

/** The checks, and what a run will cost and cover, where one can begin. */
function json(checks: readonly Check[], forecast: RunForecast | undefined): string {
  const runs = forecast && { plan: forecast.plan, totals: forecast.dry.totals };
  return documentText('diagnosis', { format: 'covenant-doctor/1', checks, ...runs });
}

const noTarget =
  'No target is configured; set COVENANT_BASE_URL and COVENANT_API_KEY, or start one with covenant serve.';
type Reached = Awaited<ReturnType<typeof targetFrom>>;

/** Where something is set that changes how requests get there, it is named: it may be why they do not. */
function wayChecks({ network }: Reached): readonly Check[] {
  const way = describeNetwork(network);
  const says = `Requests go ${network.proxy ? '' : 'straight to the target, '}${way}.`;
  return way === '' ? [] : [{ what: 'network', state: 'fine', says }];
}

async function diagnosed(
  { target, network, settings }: Reached,
  console: GuardedConsole,
  parts: Parts,
): Promise<{ readonly checks: readonly Check[]; readonly forecast?: RunForecast }> {
  const connection = parts.connect(network);
  const progress = new Progress(displayOf(console, parts.clock));
  try {
    const { checks, usable, probed } = await diagnose(
      { target, transport: connection.send, clock: parts.clock, onEvent: progress.hear },
      settings.profile,
    );
    if (usable === undefined || probed === undefined) return { checks };
    return {
      checks,
      forecast: { plan: await parts.forecast(settings, probed), dry: await parts.dryRun(settings, usable) },
    };
  } finally {
    progress.stop();
    await connection.close();
  }
}

/**
 * Looks and says the exit code: 0 everything is there that a full run needs, 3 something will not be tested,
 * 4 the target cannot be reached or refuses the primary key.
 * @throws UsageError on a configuration that is wrong before anything is sent.
 */
async function doctor(options: DoctorOptions, console: GuardedConsole, parts: Parts): Promise<number> {
  const asJson = formatFrom(options, textOrJson) === 'json';
  const reached = await targetFrom(networkOptions(options), console, parts, noTarget);
  for (const notice of reached.notices) console.stderr(`note: ${notice}\n`);
  const { checks: found, forecast } = await diagnosed(reached, console, parts);
  const checks = [...wayChecks(reached), ...found];
  console.stdout(asJson ? json(checks, forecast) : callable(text(checks, forecast, styleOf(console)), console));
  if (forecast === undefined) return exitCodes.couldNotJudge;
  const short = checks.some(({ state }) => state === 'missing' || state === 'wrong');
  const untested = forecast.dry.requirements.some(
    ({ verdict }) => verdict === 'not-tested' || verdict === 'inconclusive',
  );
  return short || untested ? exitCodes.incomplete : exitCodes.conformant;
}

export function addDoctor(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('doctor')
    .description('check configuration and credentials with a handful of reads, and say what a run will test');
  addFormat(addTargetOptions(command).option('--profile <name>', profileHelp)).action((options: DoctorOptions) =>
    finish(doctor(options, console, parts)),
  );
}
