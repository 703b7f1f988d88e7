// `covenant cleanup`: takes back what interrupted runs left, from their ledgers, and lists what the interface keeps.
import type { Command } from 'commander';
import { defaultProfile } from '../catalogue/profiles.ts';
import { Inconclusive } from '../client/errors.ts';
import type { NetworkSettings } from '../configuration/network.ts';
import { type Target, UsageError } from '../configuration/settings.ts';
import { configuration } from '../configuration/target.ts';
import { Aborted } from '../fixtures/probe.ts';
import { exitCodes } from '../gate/exit-code.ts';
import type { Residue } from '../result.ts';
import { cleanUpLater } from '../run/cleanup.ts';
import { counted } from '../runtime/text.ts';
import type { GuardedConsole } from './console.ts';
import { removeLedger, type StoredLedger, storedLedgers } from './ledger-file.ts';
import { addTargetOptions, type Finish, networkOptions, type TargetOptions } from './options.ts';
import { outFolder } from './out-folder.ts';
import type { Parts } from './parts.ts';
import { displayOf, Progress } from './progress.ts';
import { sourcesFrom } from './sources.ts';

interface CleanupOptions extends TargetOptions {
  readonly out: string;
  readonly force?: boolean;
}

function checkLedger({ path, baseUrl, underWay, run }: StoredLedger, target: Target, force: boolean): void {
  if (baseUrl !== target.baseUrl) {
    throw new UsageError(
      `${path} is of a run against ${baseUrl}, but ${target.baseUrl} is configured; set COVENANT_BASE_URL and its credentials to that target.`,
    );
  }
  if (underWay && !force) {
    throw new UsageError(`run ${run} (${path}) seems to be under way; let it end, or give --force where it has ended.`);
  }
}

export interface Reached {
  readonly target: Target;
  readonly network: NetworkSettings;
}

async function targetFrom(options: CleanupOptions, console: GuardedConsole, parts: Parts): Promise<Reached> {
  // Whatever is declared now: a session may have made what is left.
  const flags = { ...networkOptions(options), profile: defaultProfile };
  const { target, network } = configuration(await sourcesFrom(flags, console, parts));
  if (target === undefined) {
    throw new UsageError('There are ledgers, but no target is configured; set COVENANT_BASE_URL and COVENANT_API_KEY.');
  }
  console.conceal({ ...target.credentials, ...network.secrets });
  return { target, network };
}

const named = ({ kind, id, name }: Residue): string => `${kind} ${id}: ${name}`;

/** Takes back what one ledger names; true where nothing is left that could be taken back. */
export async function finish(
  stored: StoredLedger,
  { target, network }: Reached,
  console: GuardedConsole,
  parts: Parts,
): Promise<boolean> {
  const { ledger, run, startedAt, path } = stored;
  const before = ledger.deletable().length + ledger.pendingSwitches().length;
  console.stdout(`Run ${run} of ${startedAt}: ${counted(before, 'thing')} to take back.\n`);
  const connection = parts.connect(network);
  const progress = new Progress(displayOf(console, parts.clock));
  const { clock } = parts;
  try {
    if (before > 0) await cleanUpLater({ target, transport: connection.send, clock, onEvent: progress.hear }, ledger);
  } finally {
    progress.stop();
    await connection.close();
  }
  const clear = ledger.isClear();
  const left = ledger.residue();
  if (clear) {
    removeLedger(path);
    console.stdout(`  ${counted(before, 'thing')} taken back; its ledger is finished and removed.\n`);
  } else {
    console.stdout(`  Not everything could be taken back; the ledger stays: ${path}\n`);
  }
  if (left.length > 0) console.stdout('  Left behind:\n');
  for (const one of left) console.stdout(`    ${named(one)}\n`);
  return clear;
}

/**
 * Takes back and says the exit code: 0 nothing is left to take back, 3 something is, 4 the target cannot be reached.
 * @throws UsageError on a ledger of another target, a damaged one, or one of a run that is under way.
 */
async function cleanup(options: CleanupOptions, console: GuardedConsole, parts: Parts): Promise<number> {
  const ledgers = storedLedgers(outFolder(options.out, console.folder).base);
  if (ledgers.length === 0) {
    console.stdout('Nothing to clean up: no run has left a ledger here.\n');
    return exitCodes.conformant;
  }
  const reached = await targetFrom(options, console, parts);
  for (const ledger of ledgers) checkLedger(ledger, reached.target, options.force ?? false);
  try {
    let clear = true;
    for (const ledger of ledgers) clear = (await finish(ledger, reached, console, parts)) && clear;
    return clear ? exitCodes.conformant : exitCodes.incomplete;
  } catch (error) {
    if (!(error instanceof Aborted || error instanceof Inconclusive)) throw error;
    console.stderr(`covenant: ${error.message}\n`);
    return exitCodes.couldNotJudge;
  }
}

export function addCleanup(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('cleanup')
    .description('take back what an interrupted run left behind, from its ledger');
  addTargetOptions(command)
    .option('--out <folder>', 'where reports go, and ledgers with them', 'reports/')
    .option('--force', 'also where the run seems to be under way')
    .action((options: CleanupOptions) => finish(cleanup(options, console, parts)));
}
