// Which accounts have room for another request of a class in this minute, so that nobody has to wait while others could go on.
import { type Credential, defaultLimits, type RateClass, type Tools } from '../../lib/index.ts';

export class Allowance {
  private readonly tools: Pick<Tools, 'clock' | 'limits'>;
  /** When the requests of the last minute were sent, by class and account. */
  private readonly sent = new Map<string, readonly number[]>();

  constructor(tools: Pick<Tools, 'clock' | 'limits'>) {
    this.tools = tools;
  }

  has(credential: Credential, rate: RateClass): boolean {
    // A profile is about its account, and need not say what its client may validate.
    const other = rate === 'validate' ? defaultLimits.validate : Number.POSITIVE_INFINITY;
    const most = this.tools.limits.reported(credential, rate) ?? other;
    return this.recent(credential, rate).length < most;
  }

  spend(credential: Credential, rate: RateClass): void {
    this.sent.set(nameOf(credential, rate), [...this.recent(credential, rate), this.tools.clock.now()]);
  }

  private recent(credential: Credential, rate: RateClass): readonly number[] {
    const { clock, limits } = this.tools;
    const since = clock.now() - limits.minuteMs;
    return (this.sent.get(nameOf(credential, rate)) ?? []).filter((at) => at > since);
  }
}

/** Validations are limited for the whole client. */
const nameOf = ({ accounts }: Credential, rate: RateClass): string =>
  rate === 'validate' ? rate : `${rate} ${accounts.join(' ')}`;
