// The command line: its commands and options, and the one place where an error becomes a sentence and an exit code.
import { Command, CommanderError } from 'commander';
import { checkedBaseUrl, didYouMean } from '../configuration/checked.ts';
import { credentialNames, UsageError } from '../configuration/settings.ts';
import type { Environment } from '../configuration/settings-sources.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { views } from '../report/views.ts';
import { NotWritten } from '../runtime/disk.ts';
import { addAgain } from './again.ts';
import { addCleanup } from './cleanup.ts';
import { type Console, callable, type GuardedConsole } from './console.ts';
import { addDoctor } from './doctor.ts';
import { addCompare, addWaive } from './gate.ts';
import { addHelp } from './help.ts';
import { addInit } from './init.ts';
import { addFormat, addTargetOptions, each, type Finish, list, profileHelp, textOrJson } from './options.ts';
import type { Parts } from './parts.ts';
import { addMatrix, addMerge, addReport, addShow } from './report.ts';
import { addExplain, addRequirements } from './requirements.ts';
import { type RunCommandOptions, run } from './run.ts';
import { addServe } from './serve.ts';
import { addCertificate, addKeygen, addSign } from './sign.ts';
import { addVerify } from './verify.ts';

function addRun(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('run', { isDefault: true })
    .description('examine a target, or the bundled reference where none is configured');
  addFormat(addTargetOptions(command), textOrJson, '; json prints the events of the run on stdout, one object a line')
    .option('--profile <name>', profileHelp)
    .option('--bundled', 'the bundled reference, whatever target is configured')
    .option('--area <names>', 'only these areas, separated by commas', list)
    .option('--requirement <ids>', 'only these requirements, separated by commas', list)
    .option('--out <folder>', 'where reports go', 'reports/')
    .option('--seed <number>', 'repeat the choices of an earlier run')
    .option('--effort <effort>', 'quick, standard or thorough; standard by default')
    .option('--concurrency <number>', 'how many cases at a time, 4 by default')
    .option('--suite <file>', 'rules of your own, judged beside the suite and shown apart; may be repeated', each)
    .option('--max-minutes <number>', 'end after so many minutes; what is left is inconclusive')
    .option('--bail [count]', 'stop after so many failed MUST requirements, 1 by default; what is left is inconclusive')
    .option('--read-only', 'send no write')
    .option('--no-exhaustion', 'leave out what exceeds a rate limit')
    .option('--allow-incomplete', 'exit with 0 when nothing failed, even if something was not tested')
    .option('--strict', 'exit with 1 also where only a recommendation (SHOULD) failed')
    .option(
      '--reporter <names>',
      `further reports, separated by commas: ${Object.keys(views).join(', ')}, or all; none: no page after a failure either`,
      list,
    )
    .option('--baseline <file>', 'an earlier report.json, to say what changed since')
    .option('--waivers <file>', 'accepted failures, which let the gate pass and change no verdict')
    .option('--repeat <times>', 'how many times to run what --requirement names; the report says how often it failed')
    .option(
      '--last-failed',
      'only what failed or stayed open by the reports in the --out folder, with the seed of the whole run',
    )
    .option('--resume', 'go on with the run into the --out folder that was cut off; results so far are kept')
    .option('--shard <part>', 'run this part of the cases, for example 2/3; covenant merge joins the reports')
    .option('--evidence', 'record the run in evidence.jsonl.gz, for covenant verify')
    .option('--sign [key]', 'sign it: the file of a private key, or COVENANT_SIGNING_KEY; with --evidence')
    .option('--plan', 'say what the run would cost, and send nothing')
    .option('--quiet', 'print nothing but errors')
    .action((options: RunCommandOptions) => finish(run(options, console, parts)));
}

function addOpenapi(program: Command, console: Console, parts: Parts, finish: Finish): void {
  program
    .command('openapi')
    .description('print OpenAPI 3.1 of the interface as this suite reads it')
    .option('--base-url <url>', 'the server that it names', 'http://127.0.0.1:4010')
    .action((options: OpenapiOptions) => finish(openapi(options, console, parts)));
}

/** npm keeps options for itself that stand before `--`; a word is all that is left of them. */
function refuseWords(program: Command, words: readonly string[], { npm_lifecycle_event: script }: Environment): void {
  const [word] = words;
  if (word === undefined) return;
  const commands = program.commands.map((command) => command.name());
  const hint = isOurs(script) ? ' Options given through npm go after --: npm run certify -- --base-url URL' : '';
  throw new UsageError(
    `covenant does not know what to do with ${JSON.stringify(word)}${didYouMean(word, commands)}${hint}`,
  );
}

/** Commander's complaints span lines and begin with `error:`. */
const sentence = (message: string): string => {
  const line = message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*\(Did you mean (.+)\?\)/, ': did you mean $1?')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  return `${line}${/[.?]$/.test(line) ? '' : '.'} See covenant --help.`;
};

/** Says what went wrong in one sentence, and which exit code that is. */
export function explain(error: unknown, console: Console): number {
  const say = (text: string, code: number): number => {
    console.stderr(`covenant: ${text}\n`);
    return code;
  };
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.conformant : say(sentence(error.message), exitCodes.usage);
  if (error instanceof UsageError) return say(error.message, exitCodes.usage);
  if (error instanceof NotWritten)
    return say(`${error.message}. Make room there, or choose another folder with --out.`, exitCodes.couldNotJudge);
  const message = (error instanceof Error ? error.message : String(error)).replace(/[.\s]*$/, '.');
  const hint =
    error instanceof Error && console.environment.COVENANT_DEBUG === '1'
      ? `\n${error.stack}`
      : ' COVENANT_DEBUG=1 shows where.';
  return say(`an error of our own, not of the target: ${message}${hint}`, exitCodes.couldNotJudge);
}

/** Hidden from the first word on, also by commands that send none of them. */
const credentialsIn = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    [...credentialNames, 'COVENANT_SIGNING_KEY'].flatMap((name) =>
      environment[name] ? [[name, environment[name]]] : [],
    ),
  );

/** Runs a command line, without the program's name, and resolves with the exit code; it never rejects. */
export async function covenant(words: readonly string[], console: GuardedConsole, parts: Parts): Promise<number> {
  let code: number = exitCodes.conformant;
  console.conceal(credentialsIn(console.environment));
  const finish: Finish = async (result) => {
    code = await result;
  };
  const program = new Command('covenant');
  program
    .description('Conformance suite for the External REST Interface v2')
    .version(parts.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.stdout(callable(text, console)),
      writeErr: console.stderr,
      outputError: () => {},
    })
    .hook('preAction', (_, action) => {
      refuseSwallowed(
        console.environment,
        action.options.map(({ long }) => long ?? ''),
      );
      const { args, registeredArguments: named } = action;
      refuseWords(program, named.at(-1)?.variadic ? [] : args.slice(named.length), console.environment);
    })
    .allowExcessArguments();
  const commands = [
    addRun,
    addServe,
    addOpenapi,
    addRequirements,
    addDoctor,
    addReport,
    addShow,
    addCompare,
    addExplain,
    addAgain,
    addMatrix,
    addMerge,
    addWaive,
    addCleanup,
    addVerify,
    addSign,
    addKeygen,
    addCertificate,
    addInit,
  ];
  for (const add of commands) add(program, console, parts, finish);
  for (const command of program.commands) command.allowExcessArguments();
  addHelp(program);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    return explain(error, console);
  }
}

/** Whether npm runs one of the scripts of the repository. */
const isOurs = (script: string | undefined): boolean => script === 'certify' || script === 'covenant';

/**
 * `options` are the long names of ours, `--read-only` or `--no-exhaustion`.
 * @throws UsageError where npm was given one of them.
 */
function refuseSwallowed(environment: Environment, options: readonly string[]): void {
  const script = environment.npm_lifecycle_event;
  if (!isOurs(script)) return;
  const swallowed = options.find((option) => {
    const name = option.replace(/^--(?:no-)?/, '').replaceAll('-', '_');
    return environment[`npm_config_${name}`] !== undefined;
  });
  if (swallowed === undefined) return;
  throw new UsageError(`npm kept ${swallowed} for itself; put -- before it: npm run ${script} -- ${swallowed}`);
}

interface OpenapiOptions {
  readonly baseUrl: string;
}

/**
 * Prints and says the exit code.
 * @throws UsageError on a base URL that cannot be used.
 */
function openapi({ baseUrl }: OpenapiOptions, console: Console, parts: Parts): number {
  const { url } = checkedBaseUrl({ value: baseUrl, where: '--base-url' });
  console.stdout(`${JSON.stringify(parts.openapi(url), null, 2)}\n`);
  return 0;
}
