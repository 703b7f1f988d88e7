// The schedule: queues run side by side, and what only validates begins when the sessions' validations are over.
import { expect, test } from 'vitest';
import { type Case, conforms } from '../case.ts';
import type { CasePlan } from './plan.ts';
import { schedule } from './schedule.ts';

const named = () => conforms('companies-read-unknown', {}, async () => {});
const [session, sessionLater, read, validating] = [named(), named(), named(), named()];
const plan: CasePlan = {
  queues: [
    { name: 'validations', cases: [validating] },
    { name: 'reads', cases: [read] },
    { name: 'session', cases: [session, sessionLater] },
  ],
  exhausting: [],
  spareOf: new Map(),
  costOf: (one) => (one === session || one === validating ? { validations: 1 } : {}),
  isShort: false,
};

async function order(planned: CasePlan): Promise<readonly Case[]> {
  const begun: Case[] = [];
  const run = async (one: Case) => {
    begun.push(one);
  };
  await schedule({ plan: planned, besides: false, concurrency: 4, run, onExhaustion: () => {}, atEnd: () => [] });
  return begun;
}

test('validations begin when those of the sessions have ended, and nothing else waits for them', async () => {
  const begun = await order(plan);
  expect(begun).toHaveLength(4);
  expect(begun.indexOf(validating)).toBeGreaterThan(begun.indexOf(session));
  expect(begun.indexOf(read)).toBeLessThan(begun.indexOf(validating));
});

test('what validates in another queue waits for the sessions too, and lets those behind it go first', async () => {
  const begun = await order({
    ...plan,
    queues: [
      { name: 'primary', cases: [validating, read] },
      { name: 'session', cases: [session, sessionLater] },
    ],
  });
  expect(begun).toHaveLength(4);
  expect(begun.indexOf(read)).toBeLessThan(begun.indexOf(validating));
  expect(begun.indexOf(validating)).toBeGreaterThan(begun.indexOf(session));
});

test('without sessions that validate they begin at once', async () => {
  const [first] = plan.queues;
  expect(await order({ ...plan, queues: first ? [first] : [] })).toEqual([validating]);
});

test.each([
  [1, false, 1],
  [1, true, 1],
  [4, false, 4],
  [4, true, 8],
])(
  'with %i at a time and a plan that is short or not (%o), %i of a queue run side by side',
  async (concurrency, isShort, most) => {
    const cases = Array.from({ length: 12 }, named);
    let underWay = 0;
    let seen = 0;
    const run = async () => {
      underWay += 1;
      seen = Math.max(seen, underWay);
      await new Promise((wake) => setImmediate(wake));
      underWay -= 1;
    };
    const queues = [{ name: 'primary', cases }] as const;
    await schedule({
      plan: { ...plan, queues, isShort },
      besides: false,
      concurrency,
      run,
      onExhaustion: () => {},
      atEnd: () => [],
    });
    expect(seen).toBe(most);
  },
);

test('the looks of one case at the end come one after another, beside those of others', async () => {
  const seen: string[] = [];
  const look = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((wake) => setImmediate(wake));
    seen.push(`${name} ends`);
  };
  const atEnd = () => [[look('first'), look('second')], [look('other')]];
  const run = async () => {};
  await schedule({ plan: { ...plan, queues: [] }, besides: false, concurrency: 4, run, onExhaustion: () => {}, atEnd });
  expect(seen.indexOf('second begins')).toBeGreaterThan(seen.indexOf('first ends'));
  expect(seen.indexOf('other begins')).toBeLessThan(seen.indexOf('first ends'));
});
