// The values that something may have during a request, given writes that took effect at an unknown moment or never.
import type { Reply } from '../client/reply.ts';

/** Part of a run, in reply numbers: requests answered up to `from` were over before it began. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

interface Effect<V> extends Window {
  readonly value: V;
  /** Whether the write was certainly carried out. */
  readonly sure: boolean;
  readonly by: Reply;
}

/** From the sending of the request to its reply. */
export const windowOf = ({ after, id }: Reply): Window => ({ from: after, to: id });

/** The effects of writes on one value, in the order of their replies. */
export class Timeline<V> {
  readonly effects: Effect<V>[] = [];

  add(by: Reply, value: V, sure: boolean): void {
    this.effects.push({ ...windowOf(by), value, sure, by });
  }

  /** Every effect that may be the last one at some moment of the window. Effects of the reply `except` are left out. */
  possible(window: Window, except?: Reply): readonly Effect<V>[] {
    const over = this.effects.filter(({ sure, to }) => sure && to <= window.from);
    const latest = over.reduce((most, { from }) => Math.max(most, from), Number.NEGATIVE_INFINITY);
    return this.effects.filter(({ from, to, by }) => from < window.to && latest < to && by !== except);
  }

  /** The effect that set the value for the whole window; undefined where the value may change or is not yet set. */
  certain(window: Window, except?: Reply): Effect<V> | undefined {
    const possible = this.possible(window, except);
    const first = possible.find(({ sure, to }) => sure && to <= window.from);
    return possible.every(({ value }) => value === first?.value) ? first : undefined;
  }
}
