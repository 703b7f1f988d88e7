// A refusal that is blamed because nothing else shows it, where another part of the run does show it.
import type { CaseResult, ReportedExchange, RequirementResult } from '../result.ts';
import { blamedOn } from '../run/refusals.ts';
import { overall } from '../run/verdict.ts';

/** The operations at which requirements failed, each with the first that did. */
function shownBy(
  rows: readonly RequirementResult[],
  exchanges: readonly ReportedExchange[],
): ReadonlyMap<string, string> {
  const operationOf = new Map(exchanges.map(({ id, operation }) => [id, operation]));
  const shown = new Map<string, string>();
  for (const { id, cases } of rows.filter((row) => row.id !== blamedOn)) {
    const failed = cases.filter(({ verdict }) => verdict === 'failed');
    const operations = failed.flatMap(({ operation, failure }) => [
      operation,
      ...(failure?.exchanges ?? []).map((exchange) => operationOf.get(exchange)),
    ]);
    for (const operation of operations) {
      if (operation !== undefined && !shown.has(operation)) shown.set(operation, id);
    }
  }
  return shown;
}

/** Waits for what shows the refusal, and no longer for what does not fail any more. */
const waitingFor = (row: RequirementResult, cause: string): RequirementResult =>
  row.waits_for === blamedOn ? { ...row, waits_for: cause, reason: (row.reason ?? '').replace(blamedOn, cause) } : row;

/** Each part blames what nothing in it shows; over all parts a refusal is blamed once, and only where no failure is of its operation. */
export function withoutShownBlame(
  rows: readonly RequirementResult[],
  exchanges: readonly ReportedExchange[],
): readonly RequirementResult[] {
  const shown = shownBy(rows, exchanges);
  const blamed = new Set<string | undefined>();
  const stays = ({ verdict, operation }: CaseResult): boolean => {
    if (verdict !== 'failed') return true;
    const again = blamed.has(operation) || shown.has(operation ?? '');
    blamed.add(operation);
    return !again;
  };
  const row = rows.find(({ id }) => id === blamedOn);
  if (row?.verdict !== 'failed') return rows;
  const cases = row.cases.filter(stays);
  const verdict = overall(cases);
  const [cause] = row.cases.flatMap(({ operation }) => shown.get(operation ?? '') ?? []);
  const kept = rows.map((one) => (one === row ? { ...row, verdict, cases } : one));
  return verdict === 'failed' || cause === undefined ? kept : kept.map((one) => waitingFor(one, cause));
}
