// The failures as files for `sh`: one a failed case, named after its requirement.
import { script } from '../reproduce/script.ts';
import type { Report, RunResult } from '../result.ts';
import { failedAt } from './wording.ts';

/** More of one requirement differ in little but the operation. */
const filesMax = 3;

function scriptsOf(report: Report): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const requirement of [...failedAt(report, 'must'), ...failedAt(report, 'should')]) {
    const failed = requirement.cases.flatMap(({ failure, operation }) =>
      failure && failure.exchanges.length > 0 ? [{ failure, operation }] : [],
    );
    for (const [index, { failure, operation }] of failed.slice(0, filesMax).entries()) {
      const name = index === 0 ? requirement.id : `${requirement.id}-${index + 1}`;
      files.set(
        `${name}.sh`,
        script({ requirement, failure, ...(operation === undefined ? {} : { operation }) }, report),
      );
    }
  }
  return files;
}

/** By the names of the files; nothing of what failed without an exchange. */
export const scripts = ({ report }: RunResult): ReadonlyMap<string, string> => scriptsOf(report);
