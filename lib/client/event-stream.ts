// The events of a run, passed to the listener with their time and without secrets.
import type { Happening, OnEvent } from '../events.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Wait } from './pacing.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

export class EventStream {
  private readonly clock: Clock;
  private readonly onEvent: OnEvent | undefined;
  private readonly redact: (text: string) => string;

  constructor(clock: Clock, onEvent?: OnEvent, redact: (text: string) => string = (text) => text) {
    this.clock = clock;
    this.onEvent = onEvent;
    this.redact = redact;
  }

  /** Some events cost requests, so they are skipped if nobody listens. */
  get hasListeners(): boolean {
    return this.onEvent !== undefined;
  }

  emit(what: Happening): void {
    if (this.onEvent === undefined) return;
    const at = iso(this.clock.now());
    const { event, ...rest } = what;
    this.onEvent(JSON.parse(this.redact(JSON.stringify({ event, at, ...rest }))));
  }

  readonly wait = ({ accounts, rate, why, until }: Wait): void =>
    this.emit({ event: 'wait', accounts, class: rate, why, until: iso(until) });

  readonly notice = (message: string): void => this.emit({ event: 'notice', message });
}
