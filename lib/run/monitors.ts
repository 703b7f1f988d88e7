// The duties of every reply, judged as each arrives, whatever case caused it.
import type { Invariant } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { type Difference, Mismatch } from '../client/errors.ts';
import type { Reply } from '../client/reply.ts';
import type { OnJudged } from '../model/judge.ts';
import { type Findings, failuresMax } from './findings.ts';
import { but, type ClockChanges, changedDuring, clockSet, type Decision, decide, passed } from './verdict.ts';

/** As soon as a reply breaks a duty. */
type OnFailure = (id: RequirementId, difference: Difference, operation: OperationId) => void;

class Monitor {
  readonly invariant: Invariant;
  readonly past = new Map<string, Reply>();
  readonly seen = new Map<OperationId, unknown[]>();
  readonly broken: Reply[] = [];
  readonly judged = new Map<OperationId, number>();
  private readonly clockChanges: ClockChanges;
  private readonly onFailure: OnFailure;
  private readonly onJudged: OnJudged;

  constructor(invariant: Invariant, clockChanges: ClockChanges, onFailure: OnFailure, onJudged: OnJudged) {
    this.invariant = invariant;
    this.clockChanges = clockChanges;
    this.onFailure = onFailure;
    this.onJudged = onJudged;
  }

  judge(reply: Reply): void {
    const { anyInput, applies, id } = this.invariant;
    if (reply.operation === undefined || (reply.undocumented && !anyInput) || !applies(reply)) return;
    this.onJudged(id, reply);
    const thrown = this.thrownOn(reply.operation);
    this.judged.set(reply.operation, (this.judged.get(reply.operation) ?? 0) + 1);
    try {
      this.invariant.judge(reply, this.past);
    } catch (error) {
      if (error instanceof Mismatch) this.broken.push(reply);
      const decision = this.decided(error);
      // What is excused by now may yet turn out a failure, and leaves room for others.
      const excused = thrown.filter((one) => this.decided(one).undecided);
      if (thrown.length - excused.length >= failuresMax) return;
      if (decision.undecided && excused.length >= failuresMax) return;
      thrown.push(error);
      if (decision.verdict === 'failed' && decision.difference)
        this.onFailure(this.invariant.id, decision.difference, reply.operation);
    }
  }

  /** A clock that was set excuses what depends on it, and nothing else. */
  decided(thrown: unknown): Decision {
    const { byClock } = this.invariant;
    const replies = byClock && thrown instanceof Mismatch ? (thrown.difference.replies ?? []) : [];
    return changedDuring(this.clockChanges(), replies) ? but(thrown, clockSet) : decide(thrown, 'check');
  }

  private thrownOn(operation: OperationId): unknown[] {
    const known = this.seen.get(operation);
    if (known) return known;
    const thrown: unknown[] = [];
    this.seen.set(operation, thrown);
    return thrown;
  }
}

export class Monitors {
  private readonly monitors: readonly Monitor[];

  constructor(
    invariants: readonly Invariant[],
    clockChanges: ClockChanges,
    onFailure: OnFailure = () => {},
    onJudged: OnJudged = () => {},
  ) {
    this.monitors = invariants.map((invariant) => new Monitor(invariant, clockChanges, onFailure, onJudged));
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
    for (const monitor of this.monitors) {
      const { invariant, seen } = monitor;
      for (const operation of new Set([...invariant.over, ...seen.keys()])) {
        const thrown = seen.get(operation)?.map((one) => monitor.decided(one));
        const judged = thrown?.length === 0 ? [passed] : thrown;
        const decisions = judged ?? [whyUnseen(invariant, operation)].filter((one) => one !== undefined);
        for (const [place, decision] of decisions.entries()) {
          const judged = place === 0 ? (monitor.judged.get(operation) ?? 0) : 0;
          findings.add(invariant.id, { ...decision, operation, durationMs: 0, judged });
        }
      }
    }
  }
}
