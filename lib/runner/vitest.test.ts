// What stands behind the tests for vitest: which requirements they show, and what each comes to.
import { expect, test } from 'vitest';
import { createReference, type Handler } from '../../lab/reference/index.ts';
import type { RequirementId } from '../catalogue/index.ts';
import houseRules from '../cli/house-rules.test-data.mjs';
import { virtualClock } from './index.ts';
import { ConformanceRun, NotConformant, type Outcome } from './vitest.ts';

async function examinationOf(wrap: (honest: Handler) => Handler = (honest) => honest, more: object = {}) {
  const clock = virtualClock();
  const { handler, env } = await createReference({ clock });
  return new ConformanceRun({ fetch: wrap(handler), clock, environment: env, effort: 'quick', seed: 3, ...more });
}

async function outcomes(examination: ConformanceRun) {
  const ids = examination.rows.map(({ id }) => id);
  examination.start(ids);
  const all = await Promise.all(ids.map(async (id): Promise<[string, Outcome]> => [id, await examination.outcome(id)]));
  await examination.end();
  return new Map(all);
}

/** What is refused for want of a right is refused in another way. */
const unlike =
  (honest: Handler): Handler =>
  async (request) => {
    const response = await honest(request);
    if (!request.url.includes('/billing') || response.status !== 403) return response;
    return new Response(await response.text(), { status: 400, headers: response.headers });
  };

test('the rows are what the options select, and a wrong option is refused before anything is sent', async () => {
  const { rows, groups } = await examinationOf(undefined, { areas: ['billing'] });
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.every(({ id, title }) => title.startsWith(`${id}: `))).toBe(true);
  expect(groups).toEqual([{ heading: 'billing', rows }]);
  await expect(examinationOf(undefined, { areas: ['biling'] })).rejects.toThrow('did you mean billing?');
});

test('a requirement that holds passes, one that is only observed is skipped with what was seen', async () => {
  const all = await outcomes(await examinationOf(undefined, { areas: ['billing'] }));
  expect(all.get('billing-summary-scope')).toEqual({ is: 'passed' });
  expect(all.get('billing-credits-agree')).toEqual({ is: 'skipped', text: 'observed: yes' });
});

test('a failure shows expected and received, the request, and how to see it again', async () => {
  const outcome = (await outcomes(await examinationOf(unlike, { areas: ['billing'] }))).get('billing-summary-scope');
  const error = outcome?.is === 'failed' ? outcome.error : undefined;
  expect(error).toBeInstanceOf(NotConformant);
  expect(error).toMatchObject({ expected: 403, actual: 400 });
  expect(error?.message).toContain(
    'GET http://handler.invalid/api/external/v2/billing/summary as COVENANT_API_KEY_RESTRICTED: 400',
  );
  expect(error?.message).toContain("again: { requirements: ['billing-summary-scope'], seed: 3 }");
});

test('what was not tested is skipped with its reason', async () => {
  const clock = virtualClock();
  const { handler, env } = await createReference({ clock });
  const environment = { COVENANT_API_KEY: env.COVENANT_API_KEY };
  const all = await outcomes(new ConformanceRun({ fetch: handler, clock, environment, areas: ['billing'] }));
  expect(all.get('billing-summary-scope')).toMatchObject({
    is: 'skipped',
    text: expect.stringContaining('COVENANT_API_KEY_RESTRICTED'),
  });
});

test('what could not be judged fails, and says so', async () => {
  const nobody = () => () => Promise.reject(new Error('reset'));
  const all = await outcomes(await examinationOf(nobody, { areas: ['billing'] }));
  const outcome = all.get('billing-summary-scope');
  expect(outcome?.is === 'failed' && outcome.error.message).toContain('could not be judged');
});

test('only what is to be run is examined', async () => {
  const urls = new Set<string>();
  const examination = await examinationOf((honest) => (request) => {
    urls.add(new URL(request.url).pathname);
    return honest(request);
  });
  examination.start(['billing-credits-scope']);
  expect(await examination.outcome('billing-credits-scope')).toEqual({ is: 'passed' });
  await examination.end();
  expect([...urls].filter((url) => url.includes('notes') || url.includes('contacts'))).toEqual([]);
  await expect(examination.outcome('billing-summary-scope')).rejects.toThrow('was not among');
});

test('where the run itself goes wrong, every test fails for it', async () => {
  const examination = await examinationOf(undefined, {
    areas: ['billing'],
    onEvent: () => {
      throw new Error('a mistake in the listener');
    },
  });
  examination.start(['billing-credits-scope']);
  await expect(examination.outcome('billing-credits-scope')).rejects.toThrow('a mistake in the listener');
});

test('rules of one’s own are rows under a heading of their own', async () => {
  const examination = await examinationOf(undefined, { areas: ['public'], suites: [houseRules] });
  expect(examination.groups.map(({ heading }) => heading)).toEqual(['public', 'rules of your own']);
  const all = await outcomes(examination);
  expect(all.get('x-house-health' as RequirementId)).toEqual({ is: 'passed' });
  expect(all.get('x-house-server' as RequirementId)).toEqual({ is: 'skipped', text: 'observed: none does' });
});
