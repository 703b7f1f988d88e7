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

/**
 * What is left, in milliseconds: for the share that is not done the plan counts, and ever more what happened so far.
 * Never less than what is waited for.
 */
export function remainingMs(share: number, plannedMs: number, elapsedMs: number, waitMs = 0): number {
  return Math.max(waitMs, (1 - share) * ((1 - share) * plannedMs + elapsedMs));
}

/** The text up to the last word that fits, with `…` where that is not all of it; a word is never cut. */
export function fitted(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = text.lastIndexOf(' ', width - 2);
  return end <= 0 ? '…' : `${text.slice(0, end)} …`;
}

export class RunState {
  private startedAt: number | undefined;
  private plannedMs = 0;
  private cases = { done: 0, total: 0 };
  private share = 0;
  private cleaning: { readonly done: number; readonly total: number } | undefined;
  private readonly failed = new Set<string>();
  private readonly waits = new Map<string, Wait>();

  /** Says whether this is the first failure of its requirement. */
  hear(event: RunEvent): boolean {
    if (event.event === 'started') this.start(event.at, event.cases, event.plan?.duration_ms ?? 0);
    else if (event.event === 'case-finished') this.caseEnds(event.done, event.share);
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
      : `${done} of ${counted(total, 'case')}${done > 0 && done === total ? ', and now what is asked after all others' : ''}`;
    const failed = this.failed.size === 0 ? [] : [`${this.failed.size} failed`];
    return [what, ...failed, duration(elapsed), ...this.left(now, elapsed)].join(', ');
  }

  private left(now: number, elapsed: number): string[] {
    if (this.cleaning) return [];
    const waitMs = Math.max(0, ...this.pending(now).map(({ until }) => until - now));
    const left = remainingMs(this.share, this.plannedMs, elapsed, waitMs);
    return left < 1000 ? [] : [`about ${duration(left)} left`];
  }

  private start(at: string, cases: number, plannedMs: number): void {
    this.startedAt = Date.parse(at);
    this.plannedMs = plannedMs;
    this.cases = { done: 0, total: cases };
    this.share = 0;
    this.cleaning = undefined;
    this.failed.clear();
    this.waits.clear();
  }

  private caseEnds(done: number, share: number): void {
    this.cases = { ...this.cases, done };
    this.share = share;
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
