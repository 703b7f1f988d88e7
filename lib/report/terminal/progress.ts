// How far a run is, in words: what is done, how long it took and will take, what it waits for.
import type { RunEvent, Waiting } from '../../events.ts';
import { counted, duration } from '../../runtime/text.ts';
import { inert } from './layout.ts';

/** Shorter waits are not worth a line, in milliseconds. */
const shownWaitMsMin = 2000;

interface Wait {
  readonly why: string;
  readonly until: number;
}

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(11, 19)} UTC`;

/** The text up to the last word that fits, with `…` where that is not all of it; a word is never cut. */
export function fitted(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = text.lastIndexOf(' ', width - 2);
  return end <= 0 ? '…' : `${text.slice(0, end)} …`;
}

export class RunState {
  private startedAt: number | undefined;
  /** When the run should have ended: as it was forecast, so that what is left only shrinks. */
  private due = 0;
  private cases = { done: 0, total: 0 };
  private cleaning: { readonly done: number; readonly total: number } | undefined;
  private readonly failed = new Set<string>();
  private readonly waits = new Map<string, Wait>();

  /** Says whether this is the first failure of its requirement. */
  hear(event: RunEvent): boolean {
    if (event.event === 'started') this.start(event.at, event.cases);
    else if (event.event === 'case-finished') this.cases = { ...this.cases, done: event.done };
    else if (event.event === 'phase' && event.plan) this.due = Date.parse(event.at) + event.plan.duration_ms;
    else if (event.event === 'wait') this.wait(event);
    else if (event.event === 'phase' && event.phase === 'clean-up')
      this.cleaning = { done: 0, total: event.things ?? 0 };
    else if (event.event === 'cleaned') this.cleaning = { done: event.done, total: event.total };
    else if (event.event === 'failure' && !this.failed.has(event.requirement)) {
      this.failed.add(event.requirement);
      return true;
    }
    return false;
  }

  /** What is done first, then each wait. */
  lines(now: number): string[] {
    const waits = this.pending(now).map(({ why, until }) => `waits until ${timeOf(until)}: ${inert(why)}`);
    return this.startedAt === undefined ? waits : [this.standing(now, this.startedAt), ...waits];
  }

  private standing(now: number, startedAt: number): string {
    const elapsed = now - startedAt;
    const { done, total } = this.cleaning ?? this.cases;
    const what = this.cleaning
      ? `cleaning up, ${done} of ${counted(total, 'thing')}`
      : `${done} of ${counted(total, 'case')}${done > 0 && done === total ? ', now the checks at the end' : ''}`;
    const failed = this.failed.size === 0 ? [] : [`${this.failed.size} failed`];
    return [what, ...failed, duration(elapsed), ...this.left(now)].join(', ');
  }

  /** Nothing where it is late, or waits for longer. */
  private left(now: number): string[] {
    if (this.cleaning) return [];
    const waitMs = Math.max(0, ...this.pending(now).map(({ until }) => until - now));
    const left = this.due - now;
    return left < 1000 || left < waitMs ? [] : [`about ${duration(left)} left`];
  }

  private start(at: string, cases: number): void {
    this.startedAt = Date.parse(at);
    this.due = 0;
    this.cases = { done: 0, total: cases };
    this.cleaning = undefined;
    this.failed.clear();
    this.waits.clear();
  }

  /** Requests that wait for the same allowance wait together. */
  private wait({ accounts, class: rate, why, until }: Waiting): void {
    const key = `${rate} ${accounts.join()}`;
    const known = this.waits.get(key)?.until ?? 0;
    this.waits.set(key, { why, until: Math.max(known, Date.parse(until)) });
  }

  private pending(now: number): Wait[] {
    for (const [key, { until }] of this.waits) if (until <= now) this.waits.delete(key);
    return [...this.waits.values()].filter(({ until }) => until - now > shownWaitMsMin);
  }
}
