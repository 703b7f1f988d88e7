// Shows a run while it runs: a few lines redrawn on a terminal, a plain line now and then elsewhere, and failures at once.
import type { RunEvent } from '../events.ts';
import { inert, wrap } from '../report/terminal/layout.ts';
import { forecastSentence } from '../report/terminal/plan.ts';
import { fitted, RunState } from '../report/terminal/progress.ts';
import type { RunVerdict } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
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

/** Only what failed stays failed: the replies to the clean-up are judged, too. */
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
