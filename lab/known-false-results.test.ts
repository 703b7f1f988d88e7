// False greens and false reds that other suites are known for: this one has none of them.
import { beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../lib/catalogue/index.ts';
import { handlerTransport } from '../lib/client/transports/handler.ts';
import type { CaseVerdict, Report } from '../lib/result.ts';
import { run } from '../lib/run/run.ts';
import { virtualClock } from '../lib/runtime/virtual-clock.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, examine, targetOf } from './examine.ts';
import { withLeanFetch } from './lean-fetch.test-data.ts';
import { refusal } from './mutants/wrappers/mutator.ts';
import { createReference, type Handler } from './reference/index.ts';

withLeanFetch();

const count = (report: Report, verdict: CaseVerdict) =>
  report.requirements.filter((one) => one.level === 'must' && one.verdict === verdict).length;

let honest: Report;
beforeAll(async () => {
  honest = (await examine()).report;
});

describe('a broken target', () => {
  test.each([500, 501])(
    'a target that answers %d everywhere is not examined, and nothing of it passes',
    async (status) => {
      const { report } = await examine({ wrap: () => async () => refusal(status, 'INTERNAL', 'everything is broken') });
      expect(report.requirements).toHaveLength(honest.requirements.length);
      expect(report.verdict).toBe('aborted');
      expect(count(report, 'passed')).toBe(0);
    },
  );

  test('a target that answers every write with 501 has failed', async () => {
    const wrap =
      (handler: Handler): Handler =>
      async (request) =>
        request.method === 'GET' ? handler(request) : refusal(501, 'NOT_IMPLEMENTED', 'later');
    const { report } = await examine({ wrap });
    expect(report.requirements).toHaveLength(honest.requirements.length);
    expect(report.verdict).toBe('non-conformant');
  });

  test('a target that disappears after the probe leaves nothing green that was not judged', async () => {
    let requests = 0;
    const dying =
      (handler: Handler): Handler =>
      (request) => {
        requests += 1;
        return requests > 30 ? Promise.reject(new Error('gone')) : handler(request);
      };
    const { report } = await examine({ wrap: dying });
    expect(report.requirements).toHaveLength(honest.requirements.length);
    expect(count(report, 'failed')).toBe(0);
    expect(['incomplete', 'aborted']).toContain(report.verdict);
  });
});

describe('a refusal counts only for its reason', () => {
  const refused = (statuses: readonly number[]) => (id: string) =>
    statuses.some((status) => catalogue[id as keyof typeof catalogue].statement.includes(String(status)));

  test.each([400, 404, 422] as const)(
    'a target that refuses every authorised write with %d passes none of the refusals',
    async (status) => {
      const wrap =
        (handler: Handler): Handler =>
        async (request) => {
          const response = await handler(request);
          const write = request.method !== 'GET' && !request.url.endsWith('/auth/validate-api-key');
          return write && response.status !== 401 ? refusal(status, 'NO', 'no') : response;
        };
      const { report } = await examine({ wrap });
      const green = report.requirements.filter(
        ({ id, verdict }) =>
          verdict === 'passed' && /create|edit|label|delete|switch/.test(id) && refused([400, 404, 422])(id),
      );
      expect(green.map(({ id }) => id)).toEqual([]);
    },
  );
});

describe('other traffic', () => {
  test('two simultaneous runs against one target do not make each other red', async () => {
    const clock = virtualClock();
    const { handler, env } = await createReference({ clock: clock.inside });
    const one = (seed: number) =>
      run({
        suites,
        target: targetOf(env),
        settings: { ...defaultSettings, seed, exhaustion: false },
        transport: handlerTransport(handler, clock),
        clock,
      });
    const results = await Promise.all([one(1), one(2)]);
    for (const { report } of results) {
      expect(report.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([]);
    }
  });

  test('a run leaves no key, no note and no switched account behind', () => {
    const kinds = new Set(honest.residue.map(({ kind }) => kind));
    expect([...kinds].filter((kind) => !['company', 'contact'].includes(kind))).toEqual([]);
  });
});

test('every judged requirement has a case, so that none is green or untested for lack of one', () => {
  const without = honest.requirements.filter(({ reason }) => reason === 'no case judged it');
  expect(without.map(({ id }) => id)).toEqual([]);
});

test('where an account has places for few keys, cases take turns, and nothing stays untested for it', async () => {
  const settings = { areas: ['api-keys'], effort: 'standard' } as const;
  const { report } = await examine({ settings, reference: { choices: { maxKeys: 5 } } });
  expect(count(report, 'not-tested')).toBe(0);
  expect(report.verdict).toBe('conformant');
});
