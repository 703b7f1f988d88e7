// Shows a run while it runs: one line redrawn on a terminal, few plain lines elsewhere.

import type { RunListener } from '../client/listener.ts';
import { inert } from '../report/terminal/layout.ts';
import type { Clock } from '../runtime/clock.ts';
import { duration } from '../runtime/text.ts';

export interface Display {
  readonly clock: Clock;
  /** Redraw one line, instead of printing lines. */
  readonly live: boolean;
  readonly columns: number;
  write(text: string): void;
}

/** Plain lines are this far apart, in milliseconds. */
const plainEveryMs = 5000;
/** Shorter waits are not worth a line. */
const announcedWaitMs = 2000;
const redrawEveryMs = 250;
const clearLine = '\r\u001b[2K';

interface Wait {
  readonly why: string;
  readonly until: number;
}

export class Progress implements RunListener {
  private readonly display: Display;
  private readonly running = new Set<string>();
  private waits: Wait[] = [];
  private done = 0;
  private total = 0;
  private printedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(display: Display) {
    this.display = display;
  }

  onStart({ cases, requirements }: { cases: number; requirements: number }): void {
    this.done = 0;
    this.total = cases;
    this.printedAt = this.display.clock.now();
    this.line(`${requirements} requirements in ${cases} cases`);
    if (!this.display.live) return;
    this.timer = setInterval(() => this.redraw(), redrawEveryMs);
    this.timer.unref();
  }

  onNotice(notice: string): void {
    this.line(`note: ${notice}`);
  }

  onCaseStart(title: string): void {
    this.running.add(title);
    this.redraw();
  }

  onCaseEnd(title: string): void {
    this.running.delete(title);
    this.done += 1;
    this.redraw();
    const now = this.display.clock.now();
    if (this.display.live || (now - this.printedAt < plainEveryMs && this.done < this.total)) return;
    this.printedAt = now;
    this.line(this.share());
  }

  onWait({ why, ms }: { why: string; ms: number }): void {
    const now = this.display.clock.now();
    const known = this.pending(now).some((wait) => wait.why === why);
    this.waits.push({ why, until: now + ms });
    if (this.display.live) this.redraw();
    else if (!known && ms > announcedWaitMs) this.line(`waiting ${duration(ms)}: ${why}`);
  }

  /** Takes the redrawn line away; nothing is shown after that. */
  stop(): void {
    clearInterval(this.timer);
    if (this.display.live) this.display.write(clearLine);
  }

  /** What the redrawn line says now. */
  status(): string {
    const now = this.display.clock.now();
    const [wait] = this.pending(now).sort((one, other) => other.until - one.until);
    const waiting = wait && wait.until - now > announcedWaitMs && `waiting ${duration(wait.until - now)}: ${wait.why}`;
    return [this.share(), waiting || [...this.running].at(-1)].filter(Boolean).join('  ');
  }

  private share(): string {
    return `${String(this.done).padStart(String(this.total).length)}/${this.total} cases`;
  }

  private pending(now: number): Wait[] {
    this.waits = this.waits.filter(({ until }) => until > now);
    return [...this.waits];
  }

  private line(text: string): void {
    this.display.write(`${this.display.live ? clearLine : ''}  ${inert(text)}\n`);
  }

  private redraw(): void {
    if (!this.display.live || this.total === 0) return;
    this.display.write(`${clearLine}  ${inert(this.status()).slice(0, this.display.columns - 3)}`);
  }
}
