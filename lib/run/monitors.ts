// The duties of every reply, judged as each arrives, whatever case caused it.
import type { Invariant } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { type Difference, Mismatch } from '../client/errors.ts';
import type { Reply } from '../client/reply.ts';
import type { Findings } from './findings.ts';
import { type Decision, decide, passed } from './verdict.ts';

/** How many failures of one duty on one operation a report shows. */
const failuresMax = 3;

/** As soon as a reply breaks a duty. */
type OnFailure = (id: RequirementId, difference: Difference, operation: OperationId) => void;

class Monitor {
  readonly invariant: Invariant;
  readonly past = new Map<string, Reply>();
  readonly seen = new Map<OperationId, Decision[]>();
  readonly broken: Reply[] = [];
  private readonly onFailure: OnFailure;

  constructor(invariant: Invariant, onFailure: OnFailure) {
    this.invariant = invariant;
    this.onFailure = onFailure;
  }

  judge(reply: Reply): void {
    if (reply.operation === undefined || !this.invariant.applies(reply)) return;
    const failures = this.failuresOf(reply.operation);
    try {
      this.invariant.judge(reply, this.past);
    } catch (error) {
      if (error instanceof Mismatch) this.broken.push(reply);
      if (failures.length >= failuresMax) return;
      const decision = decide(error, 'check');
      failures.push(decision);
      if (decision.verdict === 'failed' && decision.difference)
        this.onFailure(this.invariant.id, decision.difference, reply.operation);
    }
  }

  private failuresOf(operation: OperationId): Decision[] {
    const known = this.seen.get(operation);
    if (known) return known;
    const failures: Decision[] = [];
    this.seen.set(operation, failures);
    return failures;
  }
}

export class Monitors {
  private readonly monitors: readonly Monitor[];

  constructor(invariants: readonly Invariant[], onFailure: OnFailure) {
    this.monitors = invariants.map((invariant) => new Monitor(invariant, onFailure));
  }

  judge(reply: Reply): void {
    for (const one of this.monitors) one.judge(reply);
  }

  /** Every reply that broke a duty, by the duty. */
  broken(): ReadonlyMap<RequirementId, readonly Reply[]> {
    return new Map(this.monitors.map(({ invariant, broken }) => [invariant.id, broken]));
  }

  /**
   * One finding an operation: failed, passed, or not seen, with the reason why the cases that should have shown it did not;
   * none where `whyUnseen` has no reason, because the target need not offer it.
   */
  conclude(
    findings: Findings,
    whyUnseen: (invariant: Invariant, operation: OperationId) => Decision | undefined,
  ): void {
    for (const { invariant, seen } of this.monitors) {
      for (const operation of new Set([...invariant.over, ...seen.keys()])) {
        const failures = seen.get(operation);
        const judged = failures?.length === 0 ? [passed] : failures;
        const decisions = judged ?? [whyUnseen(invariant, operation)].filter((one) => one !== undefined);
        for (const decision of decisions) findings.add(invariant.id, { ...decision, operation, durationMs: 0 });
      }
    }
  }
}
