// The plan: cases go to the least busy account, those that validate come first, and the same input gives the same plan.
import { expect, test } from 'vitest';
import { defaultSettings } from '../../lab/examine.ts';
import { suites } from '../../suites/index.ts';
import { type Case, conforms } from '../case.ts';
import { seededRandom } from '../runtime/random.ts';
import { sharedCosts, writesOf } from './cost.ts';
import { type Accounts, type CasePlan, planCases, type SpareName } from './plan.ts';
import { schedule } from './schedule.ts';
import { select } from './selection.ts';

const everywhere = (): Accounts => ({
  spare: [
    { name: 'COVENANT_API_KEY', writes: 30, reads: 200, payers: { primary: 1 } },
    { name: 'COVENANT_API_KEY_SECONDARY', writes: 30, reads: 200, payers: { secondary: 1 } },
    { name: 'COVENANT_RATE_API_KEY', writes: 30, reads: 200, payers: { exhaustible: 1 } },
  ],
  exhaustibleApart: true,
});

function planned(accounts: Accounts, seed = 1) {
  const { cases, titles } = select(suites, { ...defaultSettings, exhaustion: false });
  const plan = planCases({ cases, effort: 'standard', accounts, random: seededRandom(seed) });
  const given = (name: SpareName): number =>
    [...plan.spareOf]
      .filter(([, chosen]) => chosen === name)
      .reduce((sum, [one]) => sum + writesOf(plan.costOf(one), 'spare'), 0);
  const named = [...plan.spareOf].map(([one, name]) => `${titles.get(one)}: ${name}`);
  return { plan, given, named, cases };
}

const names = ['COVENANT_API_KEY', 'COVENANT_API_KEY_SECONDARY', 'COVENANT_RATE_API_KEY'] as const;

test('the accounts are done within a few writes of each other', () => {
  const { plan, given, cases } = planned(everywhere());
  const own = (payer: 'primary' | 'secondary' | 'exhaustible') =>
    [...sharedCosts(cases, 'standard'), ...cases.map(plan.costOf)].reduce(
      (sum, cost) => sum + writesOf(cost, payer),
      0,
    );
  const loads = [
    own('primary') + given('COVENANT_API_KEY'),
    own('secondary') + given('COVENANT_API_KEY_SECONDARY'),
    own('exhaustible') + given('COVENANT_RATE_API_KEY'),
  ];
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThan(15);
});

test('one account takes everything where there is no other', () => {
  const { plan } = planned({
    spare: [{ name: 'COVENANT_API_KEY', writes: 30, reads: 200, payers: { primary: 1 } }],
    exhaustibleApart: false,
  });
  expect(new Set(plan.spareOf.values())).toEqual(new Set(['COVENANT_API_KEY']));
});

test('a plan follows from its seed', () => {
  expect(planned(everywhere(), 5).named).toEqual(planned(everywhere(), 5).named);
  const seeds = [1, 2, 3, 4, 5, 6].map((seed) => planned(everywhere(), seed).named.sort().join());
  expect(new Set(seeds).size).toBeGreaterThan(1);
});

test('each queue begins with what validates, and then with the longest', () => {
  const { plan } = planned(everywhere());
  for (const { cases } of plan.queues) {
    const validates = cases.map((one) => (plan.costOf(one).validations ?? 0) > 0);
    expect(validates).toEqual([...validates].sort((one, other) => Number(other) - Number(one)));
  }
});

test('a case that only validates a session waits in no queue of sessions', () => {
  const { plan } = planned(everywhere());
  const queued = (name: string) => plan.queues.filter((one) => one.name === name).flatMap(({ cases }) => cases);
  const idsOf = (name: string) => queued(name).flatMap(({ ids }) => ids);
  expect(idsOf('reads')).toContain('public-validate-jwt');
  expect(idsOf('session')).not.toContain('public-validate-jwt');
  expect(queued('session').some((one) => (plan.costOf(one).validations ?? 0) > 0)).toBe(true);
});

test('a case without declared costs runs, too', () => {
  const fresh: Case = conforms('companies-create-id', { needs: ['spare'], writes: true }, async () => {});
  const plan = planCases({
    cases: [fresh],
    effort: 'standard',
    accounts: everywhere(),
    random: seededRandom(1),
  });
  expect(plan.queues.flatMap(({ cases }) => cases)).toEqual([fresh]);
  expect(names).toContain(plan.spareOf.get(fresh));
});

const named = () => conforms('companies-read-unknown', {}, async () => {});
const [first, second, third, fourth] = [named(), named(), named(), named()];
const plan: CasePlan = { queues: [], exhausting: [], spareOf: new Map(), costOf: () => ({}), isShort: false };
const ofSchedule = {
  besides: false,
  concurrency: 4,
  sessionsValidated: Promise.resolve(),
  onExhaustion: () => {},
  atEnd: () => [],
};

test('cases that validate start after those of the sessions have validated, and no other case waits', async () => {
  const begun: Case[] = [];
  let validated = () => {};
  const sessionsValidated = new Promise<void>((done) => {
    validated = done;
  });
  const run = async (one: Case) => {
    begun.push(one);
    if (one === third) validated();
  };
  const queues = [
    { name: 'session', cases: [second, third] },
    { name: 'reads', cases: [first, fourth] },
  ] as const;
  const costOf = (one: Case) => (one === first ? { validations: 1 } : {});
  await schedule({ ...ofSchedule, plan: { ...plan, queues, costOf }, sessionsValidated, run });
  expect(begun.indexOf(first)).toBe(3);
  expect(begun.indexOf(fourth)).toBeLessThan(begun.indexOf(third));
});

test('a case that waits for validations in another queue delays no other', async () => {
  const begun: Case[] = [];
  let free = () => {};
  const isFree = new Promise<void>((done) => {
    free = done;
  });
  const run = async (one: Case) => {
    begun.push(one);
    if (one === first) await isFree;
    else free();
  };
  const costOf = (one: Case) => (one === first ? { validations: 1 } : {});
  const queues = [{ name: 'primary', cases: [first, second] }] as const;
  await schedule({ ...ofSchedule, plan: { ...plan, queues, costOf }, concurrency: 1, run });
  expect(begun).toEqual([second, first]);
});

test('cases begin on the account that is exhausted once its reads and writes have been exceeded', async () => {
  const begun: Case[] = [];
  const run = async (one: Case) => {
    begun.push(one);
    await new Promise((wake) => setImmediate(wake));
  };
  const exhaustible = (one: Case) => ({ exhaustible: [30, 0], validations: one === third ? 10 : 0 }) as const;
  const queues = [{ name: 'exhausted', cases: [first] }] as const;
  const exhausting = [second, third, fourth];
  const exceeded = { ...plan, queues, exhausting, costOf: exhaustible };
  await schedule({ ...ofSchedule, plan: exceeded, besides: true, run });
  expect(begun).toEqual([second, third, fourth, first]);
  begun.length = 0;
  await schedule({ ...ofSchedule, plan: { ...exceeded, exhausting: [second, fourth, third] }, besides: true, run });
  expect(begun.slice(0, 2)).toEqual([second, fourth]);
  expect(new Set(begun.slice(2))).toEqual(new Set([first, third]));
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
    await schedule({ ...ofSchedule, plan: { ...plan, queues, isShort }, concurrency, run });
    expect(seen).toBe(most);
  },
);

test('the reads of one case at the end run in sequence, in parallel with those of others', async () => {
  const seen: string[] = [];
  const look = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((wake) => setImmediate(wake));
    seen.push(`${name} ends`);
  };
  const atEnd = () => [[look('first'), look('second')], [look('other')]];
  const run = async () => {};
  await schedule({ ...ofSchedule, plan, run, atEnd });
  expect(seen.indexOf('second begins')).toBeGreaterThan(seen.indexOf('first ends'));
  expect(seen.indexOf('other begins')).toBeLessThan(seen.indexOf('first ends'));
});
