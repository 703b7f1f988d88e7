// One case run: its needs provided, its checks judged, and what stops it attributed.

import { type Case, type Judge, type Tools, titleOf } from '../case.ts';
import { catalogue, type RequirementId } from '../catalogue/index.ts';
import type { FixtureName, FixtureSource, Fixtures } from '../fixtures/fixtures.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import type { Findings } from './findings.ts';
import { type Decision, decide, interrupted, passed } from './verdict.ts';

export interface CaseRunOptions {
  readonly clock: Clock;
  readonly findings: Findings;
  readonly fixtures: FixtureSource;
  readonly signal?: AbortSignal;
  /** Puts work at the end of the run. */
  later(work: () => Promise<void>): void;
}

export class CaseRun {
  readonly case: Case;
  /** Why it was stopped before its end. */
  blocked: Decision | undefined;
  private readonly options: CaseRunOptions;
  private readonly under = new Set<Promise<void>>();
  private outstanding = 0;

  constructor(one: Case, options: CaseRunOptions) {
    this.case = one;
    this.options = options;
  }

  async run(tools: Omit<Tools, 'atEnd'>): Promise<void> {
    await this.guard(async () => {
      const fixtures = await this.fixtures();
      await this.case.run({ ...tools, atEnd: (work) => this.atEnd(work), ...this.judge(), ...fixtures });
      await Promise.all(this.under);
    });
    this.close();
  }

  private atEnd(work: () => Promise<void>): void {
    this.outstanding += 1;
    this.options.later(async () => {
      await this.guard(async () => {
        await work();
        await Promise.all(this.under);
      });
      this.outstanding -= 1;
      this.close();
    });
  }

  private async fixtures(): Promise<Fixtures> {
    const had: Partial<Record<FixtureName, unknown>> = {};
    for (const name of this.case.needs ?? []) had[name] = await this.options.fixtures.get(name);
    // The case's type admits it only to the needs it declared.
    return had as unknown as Fixtures;
  }

  private judge(): Judge<RequirementId> {
    const { findings, clock } = this.options;
    return {
      check: (id, expectation, operation) => {
        const judged = (async () => {
          // Also where the requirement was not selected: what is sent here may be what another one is judged by.
          const started = clock.now();
          const decision = await this.decision(expectation);
          const durationMs = clock.now() - started;
          findings.add(id, { ...decision, durationMs, ...defined({ operation }) });
        })();
        this.under.add(judged);
        return judged;
      },
      notOffered: (id, how, ...replies) => findings.observe(id, how, replies),
      observe: (id, answer, ...replies) => findings.observe(id, answer, replies),
    };
  }

  private async decision(expectation: () => void | Promise<void>): Promise<Decision> {
    try {
      await expectation();
      return passed;
    } catch (error) {
      return this.options.signal?.aborted ? interrupted : decide(error, 'check');
    }
  }

  /** What stops a case blocks all its requirements, also those judged before: more checks might have come. */
  private async guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await Promise.all(this.under);
      const decision = this.options.signal?.aborted ? interrupted : decide(error, 'preparation');
      this.blocked = decision;
      for (const id of this.case.ids) this.block(id, decision);
    }
  }

  private block(id: RequirementId, decision: Decision): void {
    const { findings } = this.options;
    if (catalogue[id].level === 'observe' && findings.has(id)) return;
    findings.add(id, { ...decision, durationMs: 0 });
  }

  /** A requirement that was declared and not judged is an error of the case, never a pass. */
  private close(): void {
    if (this.outstanding > 0 || this.blocked) return;
    const { findings } = this.options;
    for (const id of this.case.ids.filter((one) => findings.ids.has(one) && !findings.has(one))) {
      const reason = `an error of the suite itself: ${titleOf(this.case)} ended without judging ${id}`;
      findings.add(id, { verdict: 'inconclusive', reason, durationMs: 0 });
    }
  }
}
