// Key validations are limited for the whole client: whoever exceeds that limit waits until no case validates any more, and keeps later ones waiting.
import type { Case } from '../case.ts';
import { clientPool } from '../client/client.ts';
import type { Pacing } from '../client/pacing.ts';

export class ValidationTurn {
  private readonly pacing: Pacing;
  private readonly open: Set<Case>;
  private readonly ended: Promise<void>;
  private end = () => {};
  private readonly releases = new Map<Case, () => void>();

  /** `validating`: the cases that are known to validate without exceeding the limit. */
  constructor(pacing: Pacing, validating: readonly Case[]) {
    this.pacing = pacing;
    this.open = new Set(validating);
    this.ended = new Promise((done) => {
      this.end = done;
    });
    if (this.open.size === 0) this.end();
  }

  /** For the rest of the case no other one validates. */
  async take(one: Case, signal?: AbortSignal): Promise<void> {
    await this.ended;
    if (!this.releases.has(one)) this.releases.set(one, await this.pacing.hold(clientPool, 'validate', signal));
    await this.pacing.quiet([clientPool], 'validate', signal);
  }

  /** To be called when a case has ended, however it ended. */
  leave(one: Case): void {
    this.releases.get(one)?.();
    this.open.delete(one);
    if (this.open.size === 0) this.end();
  }
}
