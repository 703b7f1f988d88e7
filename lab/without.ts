// What a case is worth: the mutants that survive where it is left out.
import type { Console } from '../lib/cli/console.ts';
import { UsageError } from '../lib/configuration/settings.ts';
import { dearest } from '../lib/run/plan-estimate.ts';
import { select } from '../lib/run/selection.ts';
import { counted } from '../lib/runtime/text.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings } from './examine.ts';
import { type Extent, outcomesOf } from './matrix/pool.ts';
import type { Subject } from './matrix/subject.ts';

/** The titles that begin with the text. */
function titlesOf(text: string): readonly string[] {
  const titles = [...select(suites, defaultSettings).titles.values()].filter((title) => title.startsWith(text));
  if (titles.length > 0) return titles;
  throw new UsageError(
    `No case has a title that begins with ${JSON.stringify(text)} (--without); covenant run --plan --verbose names them.`,
  );
}

/** Prints which of the mutants no requirement fails any more; returns the exit code. */
export async function survivorsWithout(
  text: string,
  subjects: readonly Subject[],
  extent: Extent,
  threads: number,
  console: Console,
): Promise<number> {
  const without = titlesOf(text);
  const mutants = subjects.filter(({ kind }) => kind === 'mutant');
  const outcomes = await outcomesOf(mutants, threads, { ...extent, without });
  const survivors = outcomes.filter(({ failed }) => failed.length === 0).map(({ subject }) => subject);
  const cost = dearest(select(suites, defaultSettings), defaultSettings).reduce(
    (sum, { title, writes }) => sum + (without.includes(title) ? writes : 0),
    0,
  );
  console.stdout(
    `Without ${without.join('; ')} (${counted(cost, 'write')} of a standard run): ${survivors.length} of ${counted(mutants.length, 'mutant')} survive\n`,
  );
  console.stdout(survivors.map((id) => `  ${id}\n`).join(''));
  return 0;
}
