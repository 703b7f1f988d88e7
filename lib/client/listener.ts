// What a run reports while it runs, for the terminal and for tests.
import type { CaseVerdict } from '../result.ts';

export interface RunListener {
  /** Once, before the first case. */
  onStart?(start: {
    readonly runId: string;
    readonly seed: number;
    readonly cases: number;
    readonly requirements: number;
  }): void;
  /** A notice about the target that a person should read: a credential that is not what it should be, limits that cannot be read. */
  onNotice?(notice: string): void;
  /** A case begins; `title` names its suite and first requirement. */
  onCaseStart?(title: string): void;
  onCaseEnd?(title: string, done: number, total: number): void;
  /** A check was judged. */
  onVerdict?(requirement: string, verdict: CaseVerdict, operation?: string): void;
  /** The run waits, for what and for how long; several cases may wait at once. */
  onWait?(wait: { readonly why: string; readonly ms: number }): void;
}
