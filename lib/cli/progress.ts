// Shows a run while it runs: a few lines redrawn on a terminal, a plain line now and then elsewhere, and failures at once.
import type { RunEvent, Waiting } from '../events.ts';
import { forecastSentence } from '../report/terminal/before.ts';
import { inert, wrap } from '../report/terminal/layout.ts';
import type { RunVerdict } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import { counted, duration } from '../runtime/text.ts';
import { type Console, mayPaint } from './console.ts';

export interface Display {
  readonly clock: Clock;
  /** Redraw the same lines, instead of printing new ones. */
  readonly live: boolean;
  readonly columns: number;
  write(text: string): void;
}

const plainEveryMs = 15_000;
const redrawEveryMs = 250;
/** A plain line is cut at a word where it is longer. */
const plainWidth = 300;
const clearLine = '\r\u001b[2K';
const clearLineAbove = '\u001b[1A\u001b[2K';

/** The display of a console. */
export const displayOf = (console: Console, clock: Clock): Display => ({
  clock,
  live: mayPaint(console.stderrIsTerminal, console.environment),
  columns: console.columns || 80,
  write: console.stderr,
});

/** Lines about what is under way, said now and then, and others that stay. */
export class Ticker {
  private readonly display: Display;
  private readonly lines: (now: number) => readonly string[];
  /** How many lines stand there to be redrawn. */
  private drawn = 0;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(display: Display, lines: (now: number) => readonly string[]) {
    this.display = display;
    this.lines = lines;
  }

  start(): void {
    if (!this.stopped)
      this.timer ??= setInterval(() => this.tick(), this.display.live ? redrawEveryMs : plainEveryMs).unref();
  }

  /** Says how far it is; called now and then by a timer of its own. */
  tick(): void {
    const lines = this.lines(this.display.clock.now());
    if (this.display.live) this.draw(lines);
    else if (lines.length > 0) this.print(lines.join('; '), true);
  }

  /** Takes the redrawn lines away; nothing is shown after that. */
  stop(): void {
    clearInterval(this.timer);
    this.stopped = true;
    this.erase();
  }

  /** A line that stays, on one line where it is `brief`. */
  print(text: string, brief = false): void {
    if (this.stopped) return;
    const { live, columns, write } = this.display;
    const width = live ? columns - 3 : plainWidth;
    this.erase();
    const lines = brief ? [fitted(text, width)] : live ? wrap(text, width) : [text];
    write(lines.map((line) => `  ${line}\n`).join(''));
    if (live) this.tick();
  }

  private draw(lines: readonly string[]): void {
    const width = this.display.columns - 3;
    // A line that the terminal would break itself could not be taken away again.
    const shown = lines.flatMap((line) => wrap(line, width)).filter((line) => line.length <= width);
    this.erase();
    this.display.write(shown.map((line) => `  ${line}`).join('\n'));
    this.drawn = shown.length;
  }

  private erase(): void {
    if (this.drawn > 0) this.display.write(clearLine + clearLineAbove.repeat(this.drawn - 1));
    this.drawn = 0;
  }
}

/** Shorter waits are not worth a line, in milliseconds. */
const shownWaitMsMin = 2000;

interface Wait {
  readonly why: string;
  readonly until: number;
}

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(11, 19)} UTC`;

/** The text up to the last word that fits, with `…` where that is not all of it; a word is never cut. */
function fitted(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = text.lastIndexOf(' ', width - 2);
  return end <= 0 ? '…' : `${text.slice(0, end)} …`;
}

/** How far a run is: what is done, how long it took and will take, what it waits for. */
class RunState {
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

  /** First the progress, then each wait. */
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

/** Only failures are final: the replies to the clean-up are judged, too. */
const verdictWords = (verdict: RunVerdict): string =>
  `${verdict === 'non-conformant' || verdict === 'aborted' ? 'verdict' : 'verdict so far'}: ${verdict}`;

export class Progress {
  private readonly state = new RunState();
  private readonly ticker: Ticker;

  constructor(display: Display) {
    this.ticker = new Ticker(display, (now) => this.state.lines(now));
  }

  readonly tick = (): void => this.ticker.tick();
  readonly stop = (): void => this.ticker.stop();

  readonly hear = (event: RunEvent): void => {
    this.ticker.start();
    const isNew = this.state.hear(event);
    if (event.event === 'notice') this.ticker.print(`note: ${inert(event.message)}`);
    else if (isNew && event.event === 'failure') {
      const { requirement, level, message } = event;
      this.ticker.print(`${level === 'must' ? 'failed' : 'warning'}: ${requirement}: ${inert(message)}`, true);
    } else if (event.event === 'phase' && event.plan) this.ticker.print(forecastSentence(event.plan));
    else if (event.event === 'phase' && event.phase === 'clean-up' && event.things) {
      if (event.verdict) this.ticker.print(verdictWords(event.verdict));
      this.tick();
    }
  };
}
