// The run: what stops one case stops no other, and nothing unjudged looks green.
import { describe, expect, test } from 'vitest';
import { conforms, everyReply, type Invariant } from '../case.ts';
import type { Handler } from '../client/transports/handler.ts';
import { expectStatus, expectSuccess, expectThat } from '../expect/expect.ts';
import { rules } from '../model/judge.ts';
import { of, only, passing, trial } from './run.test-data.ts';

describe('who caused it', () => {
  test('an exception of a case is ours, and stops no other case', async () => {
    const broken = conforms('companies-create-id', {}, async () => {
      throw new TypeError('a bug of ours');
    });
    const { report } = await trial({
      cases: [broken, passing],
      settings: only('companies-create-id', 'companies-read-unknown'),
    });
    expect(of(report, 'companies-create-id')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('suite itself'),
    });
    expect(of(report, 'companies-read-unknown')?.verdict).toBe('passed');
    expect(report.verdict).toBe('incomplete');
  });

  test('a broken connection is inconclusive for its case, and stops no other', async () => {
    const cut = conforms('companies-create-id', { writes: true }, async ({ api, make, check }) => {
      const { id } = await make.company(api);
      await check('companies-create-id', () => expectThat(id > 0, 'positive', { expected: 1, actual: id }));
    });
    const wrap =
      (honest: Handler): Handler =>
      (request) =>
        request.method === 'POST' && request.url.endsWith('/companies')
          ? Promise.reject(new Error('reset'))
          : honest(request);
    const { report } = await trial({ cases: [cut, passing], wrap });
    expect(of(report, 'companies-create-id')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('no reply'),
    });
    expect(of(report, 'companies-read-unknown')?.verdict).toBe('passed');
  });

  test('a failed preparation blocks the case, and is no failure of the target', async () => {
    const blocked = conforms('companies-read-record', {}, async ({ api, check }) => {
      expectSuccess(await api.send('GET /companies/{company_id}', { path: { company_id: 2_000_000_000 } }));
      await check('companies-read-record', () => {});
    });
    const { report } = await trial({ cases: [blocked] });
    expect(of(report, 'companies-read-record')).toMatchObject({
      verdict: 'not-tested',
      reason: expect.stringMatching(/^what this starts from did not hold: /),
    });
  });

  test('a failure says what was expected, received, sent, and how to send it again', async () => {
    const failing = conforms('companies-read-unknown', {}, async ({ api, check }) => {
      const reply = await api.send('GET /companies', { query: { limit: 1 } });
      await check('companies-read-unknown', () => expectStatus(reply, 404));
    });
    const { report } = await trial({ cases: [failing], settings: only('companies-read-unknown') });
    const [shown] = of(report, 'companies-read-unknown')?.cases ?? [];
    expect(shown).toMatchObject({ operation: 'GET /companies', verdict: 'failed', failure: { expected: '404' } });
    expect(shown?.failure?.curl[0]).toContain('-H "authorization: Bearer $COVENANT_API_KEY"');
    expect(report.exchanges.map(({ id }) => id)).toEqual(shown?.failure?.exchanges);
    expect(report.verdict).toBe('non-conformant');
  });
});

describe('a case that the network interrupted', () => {
  /** Loses the reply to the n-th creation of a company, from 1. */
  const losing = (lost: readonly number[]) => {
    let count = 0;
    return (honest: Handler): Handler =>
      async (request) => {
        const response = await honest(request);
        if (request.method !== 'POST' || !request.url.endsWith('/companies')) return response;
        count += 1;
        if (lost.includes(count)) throw new Error('reset');
        return response;
      };
  };
  const making = conforms('companies-create-id', { writes: true }, async ({ api, make, check }) => {
    const { id } = await make.company(api);
    await check('companies-create-id', () => expectThat(id > 0, 'positive', { expected: 1, actual: id }));
  });

  test('passes if a second creation does not matter', async () => {
    const settings = only('companies-create-id');
    const { report } = await trial({ cases: [making], settings, wrap: losing([1]) });
    expect(of(report, 'companies-create-id')).toMatchObject({ verdict: 'passed' });
    expect(report.network).toMatchObject({ repeated: 1, undecided: 0 });
  });

  /** Fails wherever the target has made a second company, as it lawfully may. */
  const counting = conforms('companies-create-id', { writes: true }, async ({ api, make, check }) => {
    const company = await make.company(api);
    const list = await api.send('GET /companies', { query: { limit: 200 } });
    const count = list.text.split(String(company.sent.name)).length - 1;
    await check('companies-create-id', () => expectThat(count === 1, 'once', { expected: 1, actual: count }));
  });
  const twice = (honest: Handler): Handler => {
    const unkeyed = losing([1, 3, 5, 7])(honest);
    return (request) => {
      const headers = new Headers(request.headers);
      headers.delete('idempotency-key');
      return unkeyed(new Request(request, { headers }));
    };
  };

  test('starts again if it does, and stays open if it does each time', async () => {
    const settings = only('companies-create-id');
    const { report } = await trial({ cases: [counting], settings, wrap: twice });
    expect(of(report, 'companies-create-id')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('may have been made twice, because a reply was lost'),
    });
    expect(report.network).toMatchObject({ undecided: 1 });
  });

  /** Each creation that was answered at once could have failed. */
  const answered = rules(['companies-create-id'], ({ history, replies }, { expect: judge }) => {
    for (const reply of replies.filter((one) => one.operation === 'POST /companies'))
      if (!history.lost.includes(reply.request))
        judge('companies-create-id', reply, reply.status === 201, 'made', { expected: 201, actual: reply.status });
  });
  const sending = conforms('companies-create-id', { writes: true }, async ({ api, make }) => {
    await make.company(api);
  });

  test.each<[lost: readonly number[], verdict: string, sent: number]>([
    [[], 'passed', 1],
    [[1], 'passed', 3],
    [[1, 3], 'passed', 5],
    [[1, 3, 5], 'not-tested', 6],
  ])('cases run again if the network left nothing for the rules to judge: %j lost', async (lost, verdict, sent) => {
    let count = 0;
    const counted =
      (honest: Handler): Handler =>
      (request) => {
        if (request.method === 'POST' && request.url.endsWith('/companies')) count += 1;
        return honest(request);
      };
    const { report } = await trial({
      ...{ cases: [sending], rules: answered, settings: only('companies-create-id') },
      wrap: (honest) => losing(lost)(counted(honest)),
    });
    expect(of(report, 'companies-create-id')?.verdict).toBe(verdict);
    expect(count).toBe(sent);
  });

  test('does not start again from a record that it has used up', async () => {
    const seen: number[] = [];
    const consuming = conforms(
      'notes-delete-result',
      { needs: ['note'], writes: true },
      async ({ api, note, check }) => {
        seen.push(note.id);
        const path = { company_id: note.company, note_id: note.id };
        const reply = await api.send('DELETE /companies/{company_id}/notes/{note_id}', { path });
        await check('notes-delete-result', () => expectStatus(reply, 200));
      },
    );
    let lost = false;
    const losingOne =
      (honest: Handler): Handler =>
      async (request) => {
        const response = await honest(request);
        if (request.method !== 'DELETE' || lost) return response;
        lost = true;
        throw new Error('reset');
      };
    const { report } = await trial({ cases: [consuming], settings: only('notes-delete-result'), wrap: losingOne });
    expect(of(report, 'notes-delete-result')?.verdict).toBe('passed');
    expect(new Set(seen).size).toBe(2);
  });

  test('keeps failures shown by replies of the target', async () => {
    const failing = conforms('companies-create-id', { writes: true }, async ({ api, make, check }) => {
      const { id } = await make.company(api);
      await check('companies-create-id', () => expectThat(id < 0, 'negative', { expected: -1, actual: id }));
      await make.company(api);
    });
    const settings = only('companies-create-id');
    const { report } = await trial({ cases: [failing], settings, wrap: losing([2]) });
    expect(of(report, 'companies-create-id')?.verdict).toBe('failed');
  });
});

describe('nothing that did not run looks green', () => {
  test('a requirement that its case forgets is an error of the suite', async () => {
    const forgetful = conforms(['companies-create-id', 'companies-read-unknown'], {}, async ({ check }) => {
      await check('companies-read-unknown', () => {});
    });
    const { report } = await trial({ cases: [forgetful] });
    expect(of(report, 'companies-create-id')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('without judging'),
    });
  });

  test('a requirement without any case is not tested, and stays in the totals', async () => {
    const { report } = await trial({ cases: [passing], settings: { areas: ['companies'] } });
    expect(of(report, 'companies-create-id')).toMatchObject({ verdict: 'not-tested', reason: 'no case judged it' });
    expect(report.verdict).toBe('incomplete');
  });

  test('a blocked case does not pass because of its earlier steps', async () => {
    const halfway = conforms('companies-read-unknown', {}, async ({ api, check }) => {
      await check('companies-read-unknown', () => {});
      expectSuccess(await api.send('GET /companies/{company_id}', { path: { company_id: 2_000_000_000 } }));
    });
    const { report } = await trial({ cases: [halfway], settings: only('companies-read-unknown') });
    expect(of(report, 'companies-read-unknown')?.verdict).toBe('not-tested');
  });

  test('a missing credential names itself as the reason', async () => {
    const needy = conforms('companies-create-forbidden', { needs: ['restricted'] }, async ({ check }) => {
      await check('companies-create-forbidden', () => {});
    });
    const { report } = await trial({ cases: [needy], drop: 'COVENANT_API_KEY_RESTRICTED' });
    expect(of(report, 'companies-create-forbidden')).toMatchObject({
      verdict: 'not-tested',
      reason: 'COVENANT_API_KEY_RESTRICTED is not set',
    });
  });

  test('a filter that leaves nothing is incomplete', async () => {
    const { report } = await trial({ cases: [passing], settings: only() });
    expect(report.requirements).toEqual([]);
    expect(report.verdict).toBe('incomplete');
  });

  test('read-only leaves writing cases out of the totals and sends no write', async () => {
    const writing = conforms('companies-create-id', { writes: true }, async ({ api, make, check }) => {
      await make.company(api);
      await check('companies-create-id', () => {});
    });
    const { report, transcript } = await trial({
      cases: [writing, passing],
      settings: { ...only('companies-create-id', 'companies-read-unknown'), readOnly: true },
    });
    expect(report.requirements.map(({ id }) => id)).toEqual(['companies-read-unknown']);
    const methods = transcript.map(({ operation }) => operation).filter((one) => one !== 'POST /auth/validate-api-key');
    expect(methods.every((one) => one?.startsWith('GET'))).toBe(true);
  });
});

describe('duties of every reply', () => {
  const invariant = (judge: Invariant['judge']) =>
    everyReply(
      'envelope-data-present',
      { over: ['GET /health', 'GET /companies'], applies: ({ status }) => status === 200 },
      judge,
    );
  const asks = conforms(
    'companies-read-unknown',
    { feeds: ['envelope-data-present'], visits: 'GET /companies' },
    async ({ api, check }) => {
      await api.send('GET /companies');
      await check('companies-read-unknown', () => {});
    },
  );

  test('an operation that was not seen is not tested, and says so', async () => {
    const { report } = await trial({ cases: [invariant(() => {}), asks], settings: only('envelope-data-present') });
    const cases = of(report, 'envelope-data-present')?.cases ?? [];
    expect(Object.fromEntries(cases.map(({ operation, verdict }) => [operation, verdict]))).toMatchObject({
      'GET /health': 'not-tested',
      'GET /companies': 'passed',
      'GET /me': 'passed',
    });
    expect(of(report, 'envelope-data-present')).toMatchObject({
      verdict: 'not-tested',
      reason: 'GET /health was not seen: no reply to it came',
    });
  });

  test('a failure names its operation', async () => {
    const judge: Invariant['judge'] = (reply) =>
      expectThat(reply.operation !== 'GET /companies', 'no', { expected: 1, actual: 2, replies: reply });
    const { report } = await trial({ cases: [invariant(judge), asks], settings: only('envelope-data-present') });
    const failed = of(report, 'envelope-data-present')?.cases.filter(({ verdict }) => verdict === 'failed');
    expect(new Set(failed?.map(({ operation }) => operation))).toEqual(new Set(['GET /companies']));
  });
});
