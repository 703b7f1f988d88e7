// The verdict on one requirement, from all that was found on it.
import type { RequirementId } from '../catalogue/index.ts';
import type { RequirementResult } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import type { Findings } from './findings.ts';
import { overall } from './verdict.ts';

/** With why, where it says nothing about the target. */
export function judgedOf(id: RequirementId, findings: Findings): Pick<RequirementResult, 'verdict' | 'reason'> {
  const cases = findings.of(id);
  const verdict = overall(cases);
  // What one case finds not offered may have failed in another.
  if (findings.answer(id) && verdict !== 'failed') return { verdict: 'observed' };
  const reasons = cases.flatMap((one) => (one.verdict === verdict && one.reason !== undefined ? [one.reason] : []));
  const reason = cases.length === 0 ? 'no case judged it' : [...new Set(reasons)].sort().join('; ');
  return { verdict, ...defined({ reason: reason || undefined }) };
}

/** What was seen where it is only observed; undefined where nothing was. */
export function answerOf(id: RequirementId, findings: Findings): string | undefined {
  const found = findings.answer(id);
  return found && [...found.answers].sort().join('; ');
}
