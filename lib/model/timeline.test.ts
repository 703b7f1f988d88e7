// Tests of timelines against a brute-force search over every order in which writes may take effect.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { replyOf } from '../client/reply.test-data.ts';
import { Timeline, type Window } from './timeline.ts';

interface Write extends Window {
  readonly value: number;
  readonly sure: boolean;
}

/** The window of a request: sent after reply `from`, answered by reply `to`. */
const window = fc
  .tuple(fc.nat(5), fc.integer({ min: 1, max: 5 }))
  .map(([from, length]) => ({ from, to: from + length }));
const writes = fc.array(fc.record({ window, value: fc.nat(2), sure: fc.boolean() }), { maxLength: 4 });

const timelineOf = (all: readonly Write[]): Timeline<number> => {
  const timeline = new Timeline<number>();
  for (const { from, to, value, sure } of all) timeline.add(replyOf({ after: from, id: to }), value, sure);
  return timeline;
};

/** Enough moments between two replies for no two writes to share one. */
const momentsIn = ({ from, to }: Window): readonly number[] =>
  Array.from({ length: (to - from) * 8 }, (_, place) => from + (place + 1) / 8 - 1 / 16);

/** The values that a read may find over all orders; `none` where nothing was written. */
function found(all: readonly Write[], read: Window): ReadonlySet<number | 'none'> {
  const values = new Set<number | 'none'>();
  const tryAll = (place: number, happened: readonly { readonly at: number; readonly value: number }[]): void => {
    const write = all[place];
    if (write === undefined) {
      for (const moment of momentsIn(read)) {
        const before = happened.filter(({ at }) => at < moment);
        values.add(before.reduce((last, one) => (one.at > last.at ? one : last), { at: -1, value: -1 }).value);
      }
      return;
    }
    if (!write.sure) tryAll(place + 1, happened);
    // The earliest, the latest and those near the read are enough to produce any order.
    const moments = momentsIn(write);
    const near = moments.filter((at) => Math.abs(at - read.from) < 0.4 || Math.abs(at - read.to) < 0.4);
    for (const at of new Set([moments[0] ?? 0, moments.at(-1) ?? 0, moments[place + 1] ?? 0, ...near.slice(0, 4)]))
      tryAll(place + 1, [...happened, { at: at + place / 1000, value: write.value }]);
  };
  tryAll(0, []);
  return new Set([...values].map((value) => (value === -1 ? 'none' : value)));
}

test('possible and certain values agree with a search over every order', () => {
  fc.assert(
    fc.property(writes, window, (drawn, read) => {
      const all = drawn
        .map(({ window: { from, to }, value, sure }) => ({ from, to, value, sure }))
        .toSorted((one, other) => one.to - other.to);
      const values = found(all, read);
      const timeline = timelineOf(all);
      const possible = new Set(timeline.possible(read).map(({ value }) => value));
      for (const value of values) if (value !== 'none') expect(possible).toContain(value);
      for (const value of possible) expect(values).toContain(value);
      const certain = timeline.certain(read)?.value;
      if (certain !== undefined) expect([...values]).toEqual([certain]);
      else if (values.size === 1 && !values.has('none'))
        expect(all.some(({ to, sure }) => sure && to <= read.from)).toBe(false);
    }),
    { numRuns: 300, seed: 7 },
  );
});
