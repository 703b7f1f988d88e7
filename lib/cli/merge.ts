// `covenant merge`: joins the reports of shards into one, with one verdict and the exit code that one run would have.
import { exitCode } from '../gate/exit-code.ts';
import { merged } from '../gate/merge.ts';
import { readReport } from '../report/read.ts';
import { chosenReporters } from '../report/reporters.ts';
import type { GuardedConsole } from './console.ts';
import { type GateOptions, gated, gateFrom } from './gate.ts';
import { namedFile } from './named-file.ts';
import { outFolder } from './out-folder.ts';
import type { Parts } from './parts.ts';
import { show } from './shown.ts';

export interface MergeOptions extends GateOptions {
  readonly reporter?: readonly string[];
  readonly out: string;
  readonly allowIncomplete?: boolean;
  readonly quiet?: boolean;
}

/**
 * Joins, shows and says the exit code.
 * @throws UsageError on a file that is not the report of a shard, and on shards that do not belong together.
 */
export async function merge(
  files: readonly string[],
  options: MergeOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const reporters = chosenReporters(options.reporter ?? []);
  const out = outFolder(options.out, console.folder);
  const gate = await gateFrom(options, console, parts);
  const named = [];
  for (const file of files) named.push({ file, report: readReport(await namedFile(console.folder, file), file) });
  const joined = merged(named, options.allowIncomplete);
  const { report } = gated({ report: joined, transcript: joined.exchanges }, gate, parts.clock.now());
  const { quiet } = options;
  for (const notice of quiet ? [] : gate.notices) console.stderr(`note: ${notice}\n`);
  await show(report, { reporters, out, baseline: gate.baseline, quiet }, console, parts);
  return exitCode(report, { interrupted: false });
}
