// What one attempt at a case found, kept back until it is known whether the attempt counts.

import type { JudgedId, ObservedId, RequirementId } from '../catalogue/index.ts';
import type { Reply } from '../client/reply.ts';
import type { Finding, Findings } from './findings.ts';

interface Entry {
  readonly finding?: Finding;
  readonly write: (findings: Findings) => void;
}

export class Draft {
  /** Checks under way. */
  readonly under = new Set<Promise<void>>();
  /** What is put off to the end of the run. */
  readonly later: (() => Promise<void>)[] = [];
  private readonly entries: Entry[] = [];

  add(id: RequirementId, finding: Finding): void {
    this.entries.push({ finding, write: (findings) => findings.add(id, finding) });
  }

  observe(id: JudgedId | ObservedId, answer: string, replies: readonly Reply[]): void {
    this.entries.push({ write: (findings) => findings.observe(id, answer, replies) });
  }

  /** The network left a check open. */
  get isOpen(): boolean {
    return this.entries.some(({ finding }) => finding?.undecided);
  }

  write(findings: Findings): void {
    for (const entry of this.entries) entry.write(findings);
  }

  /** What failed on the target's own word stands, whatever became of the rest. */
  writeFailures(findings: Findings): void {
    for (const { finding, write } of this.entries) if (finding?.verdict === 'failed') write(findings);
  }
}
