// What a value may have been during a request, given writes that each took effect at an unknown moment, or perhaps never.
import type { Reply } from '../client/reply.ts';

/** A stretch of a run, in numbers of replies: what was answered up to `from` was over before it began. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

interface Effect<V> extends Window {
  readonly value: V;
  /** Certainly carried out; otherwise it may never have been. */
  readonly sure: boolean;
  readonly by: Reply;
}

/** From when the request was sent until its reply came. */
export const windowOf = ({ after, id }: Reply): Window => ({ from: after, to: id });

/** The effects of writes on one value, in the order of their replies. */
export class Timeline<V> {
  readonly effects: Effect<V>[] = [];

  add(by: Reply, value: V, sure: boolean): void {
    this.effects.push({ ...windowOf(by), value, sure, by });
  }

  /** Every effect that may be the last one at some moment of the window; `except` what a reply itself brought about. */
  possible(window: Window, except?: Reply): readonly Effect<V>[] {
    const over = this.effects.filter(({ sure, to }) => sure && to <= window.from);
    const latest = over.reduce((most, { from }) => Math.max(most, from), Number.NEGATIVE_INFINITY);
    return this.effects.filter(({ from, to, by }) => from < window.to && latest < to && by !== except);
  }

  /** What gave it the one value that it has throughout the window; undefined where there may be another, or none yet. */
  certain(window: Window, except?: Reply): Effect<V> | undefined {
    const possible = this.possible(window, except);
    const first = possible.find(({ sure, to }) => sure && to <= window.from);
    return possible.every(({ value }) => value === first?.value) ? first : undefined;
  }
}
