// Which accounts have room for another write in this minute, so that nobody has to wait while others could go on.
import type { Credential, Tools } from '../../lib/index.ts';

export class Allowance {
  private readonly tools: Pick<Tools, 'clock' | 'limits'>;
  /** When the writes of the last minute were sent, by account. */
  private readonly sent = new Map<string, readonly number[]>();

  constructor(tools: Pick<Tools, 'clock' | 'limits'>) {
    this.tools = tools;
  }

  has(credential: Credential): boolean {
    const most = this.tools.limits.reported(credential, 'write') ?? Number.POSITIVE_INFINITY;
    return this.recent(credential).length < most;
  }

  spend(credential: Credential): void {
    this.sent.set(nameOf(credential), [...this.recent(credential), this.tools.clock.now()]);
  }

  private recent(credential: Credential): readonly number[] {
    const { clock, limits } = this.tools;
    const since = clock.now() - limits.minuteMs;
    return (this.sent.get(nameOf(credential)) ?? []).filter((at) => at > since);
  }
}

const nameOf = ({ accounts }: Credential): string => accounts.join(' ');
