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

test('without sessions that validate they begin at once', async () => {
  const [first] = plan.queues;
  expect(await order({ ...plan, queues: first ? [first] : [] })).toEqual([validating]);
});
