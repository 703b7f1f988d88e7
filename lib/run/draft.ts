// What one attempt at a case found, kept back until it is known whether the attempt counts.

import type { JudgedId, ObservedId, RequirementId } from '../catalogue/index.ts';
import type { Difference } from '../client/errors.ts';
import type { Reply } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';
import type { Finding, Findings } from './findings.ts';

interface Entry {
  readonly id?: RequirementId;
  readonly finding?: Finding;
  readonly write: (findings: Findings) => void;
}

const nameOf = ({ id, finding }: Entry): string => `${id} ${finding?.operation}`;

const failedOn = ({ operation, durationMs, case: owner }: Finding, difference: Difference): Finding => ({
  verdict: 'failed',
  difference,
  durationMs,
  ...defined({ operation, case: owner }),
});

export class Draft {
  /** Checks under way. */
  readonly under = new Set<Promise<void>>();
  /** What is put off to the end of the run. */
  readonly later: (() => Promise<void>)[] = [];
  private readonly entries: Entry[] = [];

  add(id: RequirementId, finding: Finding): void {
    this.entries.push({ id, finding, write: (findings) => findings.add(id, finding) });
  }

  observe(id: JudgedId | ObservedId, answer: string, replies: readonly Reply[]): void {
    this.entries.push({ write: (findings) => findings.observe(id, answer, replies) });
  }

  /** The network left a check open. */
  get isOpen(): boolean {
    return this.entries.some(({ finding }) => finding?.undecided);
  }

  /** The checks that failed on replies that may not be the target's. */
  get suspects(): ReadonlySet<string> {
    return new Set(this.entries.filter(({ finding }) => finding?.suspected).map(nameOf));
  }

  /** `condemned` failed so in every attempt: then what was suspect is the target's word. */
  write(findings: Findings, condemned: ReadonlySet<string> = new Set()): void {
    for (const entry of this.entries) {
      const { id, finding } = entry;
      if (id === undefined || !finding?.suspected || !condemned.has(nameOf(entry))) entry.write(findings);
      else findings.add(id, failedOn(finding, finding.suspected));
    }
  }

  /** What failed on the target's own word stands, whatever became of the rest. */
  writeFailures(findings: Findings): void {
    for (const { finding, write } of this.entries) if (finding?.verdict === 'failed') write(findings);
  }
}
