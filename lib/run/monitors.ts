// The duties of every reply, judged as each arrives, whatever case caused it.
import type { Invariant } from '../case.ts';
import type { OperationId } from '../catalogue/operations.ts';
import type { Reply } from '../client/reply.ts';
import type { Findings } from './findings.ts';
import { type Decision, decide, passed } from './verdict.ts';

/** How many failures of one duty on one operation a report shows. */
const failuresMax = 3;

class Monitor {
  readonly invariant: Invariant;
  readonly past = new Map<string, Reply>();
  readonly seen = new Map<OperationId, Decision[]>();

  constructor(invariant: Invariant) {
    this.invariant = invariant;
  }

  judge(reply: Reply): void {
    if (reply.operation === undefined || !this.invariant.applies(reply)) return;
    const failures = this.failuresOf(reply.operation);
    try {
      this.invariant.judge(reply, this.past);
    } catch (error) {
      if (failures.length < failuresMax) failures.push(decide(error, 'check'));
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

  constructor(invariants: readonly Invariant[]) {
    this.monitors = invariants.map((invariant) => new Monitor(invariant));
  }

  judge(reply: Reply): void {
    for (const one of this.monitors) one.judge(reply);
  }

  /** One finding an operation: failed, passed, or not seen, with the reason why the cases that should have shown it did not. */
  conclude(findings: Findings, whyUnseen: (invariant: Invariant, operation: OperationId) => string): void {
    for (const { invariant, seen } of this.monitors) {
      for (const operation of new Set([...invariant.over, ...seen.keys()])) {
        const failures = seen.get(operation);
        const unseen: Decision = { verdict: 'not-tested', reason: whyUnseen(invariant, operation) };
        const decisions = failures === undefined ? [unseen] : failures.length > 0 ? failures : [passed];
        for (const decision of decisions) findings.add(invariant.id, { ...decision, operation, durationMs: 0 });
      }
    }
  }
}
