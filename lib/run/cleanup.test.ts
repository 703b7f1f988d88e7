// What the clean-up takes back, where it looks for what no reply showed, and what it leaves alone.
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../catalogue/operations.ts';
import type { Api } from '../client/client.ts';
import type { Credential } from '../client/credential.ts';
import { Ledger } from '../client/ledger.ts';
import { base, creation, intended, made, primary, reply } from '../client/reply.test-data.ts';
import type { Sent } from '../client/reply.ts';
import type { Call } from '../client/request.ts';
import { cleanUp } from './cleanup.ts';

describe('clean-up', () => {
  /** An api whose lists hold these, and which notes what it is asked to do. */
  function target(records: object[]) {
    const done: string[] = [];
    const api: Api = {
      credential: primary,
      as: () => api,
      route: () => Promise.reject(new Error('not used')),
      send: async (operation: OperationId, call: Call = {}) => {
        done.push(`${operation} ${JSON.stringify(call.path ?? call.body ?? {})}`);
        const list = { data: records, pagination: { total: records.length, limit: 200, offset: 0, has_more: false } };
        const answer = reply(operation, 200, operation.startsWith('GET ') ? list : { data: { deleted: true } });
        return { ...answer, headers: { date: new Date(0).toUTCString() } };
      },
    };
    return { api, done };
  }

  test('clean-up restores the active account first and deletes what was made', async () => {
    const { ledger, n } = intended();
    ledger.settle(n, made(7), primary);
    ledger.switching({ credential: 'COVENANT_JWT', slug: 'harbor' });
    const { api, done } = target([]);
    await cleanUp(ledger, () => api);
    expect(done).toEqual([
      'PATCH /me/active-account {"slug":"harbor"}',
      'GET /api-keys {}',
      'DELETE /api-keys/{key_id} {"key_id":"7"}',
    ]);
  });

  /** An api that refuses every deletion so, and whose lists hold these. */
  const refusing = (status: number, records: object[]): Api => {
    const { api } = target(records);
    const send: Api['send'] = async (operation, call) =>
      operation.startsWith('DELETE ') ? reply(operation, status, {}) : api.send(operation, call);
    return { ...api, send };
  };

  test.each([
    [403, 'is not listed any more is gone', [], 0],
    [403, 'is listed still is left behind', [{ id: 7, label: 'Covenant 1 key' }], 1],
    [404, 'is not listed any more is gone', [], 0],
    [404, 'is listed still is left behind', [{ id: 7, label: 'Covenant 1 key' }], 1],
  ] as const)('a key whose deletion is answered by %i and that %s', async (status, _, records, left) => {
    const { ledger, n } = intended();
    ledger.settle(n, made(7), primary);
    await cleanUp(ledger, () => refusing(status, [...records]));
    expect(ledger.deletable()).toHaveLength(left);
  });

  test('the latest record is deleted first: keys may end with the key that created them', async () => {
    const ledger = new Ledger();
    for (const id of [7, 8])
      ledger.settle(
        ledger.intend(creation(`Covenant 0a1b2c key ${id}`), 'POST /api-keys', primary, 1000),
        made(id),
        primary,
      );
    const { api, done } = target([]);
    await cleanUp(ledger, () => api);
    expect(done.filter((one) => one.startsWith('DELETE'))).toEqual([
      'DELETE /api-keys/{key_id} {"key_id":"8"}',
      'DELETE /api-keys/{key_id} {"key_id":"7"}',
    ]);
  });

  test('clean-up finds the second key of a creation that something on the way sent twice', async () => {
    const ledger = new Ledger();
    ledger.settle(ledger.intend(creation('Covenant 0a1b2c key 7'), 'POST /api-keys', primary, 1000), made(7), primary);
    ledger.settle(undefined, reply('DELETE /api-keys/{key_id}', 200, {}, `${base}/api-keys/7`), primary);
    const created_at = new Date(1000).toISOString();
    const { api, done } = target([
      { id: 8, label: 'Covenant 0a1b2c key 7', created_at },
      { id: 9, label: 'somebody else’s', created_at },
    ]);
    const counts: number[][] = [];
    await cleanUp(
      ledger,
      () => api,
      (...count) => counts.push(count),
    );
    expect(done).toEqual(['GET /api-keys {}', 'DELETE /api-keys/{key_id} {"key_id":"8"}']);
    expect(counts).toEqual([[1, 1]]);
  });

  test('clean-up finds a record that got no reply by its text and age, and leaves alone what other people made', async () => {
    const { ledger } = intended();
    const old = { id: 1, label: 'Covenant 1 key', created_at: new Date(0).toISOString() };
    const { api, done } = target([
      { id: 2, label: 'somebody else’s', created_at: new Date(2000).toISOString() },
      { id: 3, label: 'Covenant 1 key', created_at: new Date(2000).toISOString() },
    ]);
    await cleanUp(ledger, () => api);
    expect(done).toEqual(['GET /api-keys {}', 'DELETE /api-keys/{key_id} {"key_id":"3"}']);
    expect(ledger.isClear()).toBe(true);
    const later = new Ledger();
    later.intend(creation('Covenant 1 key'), 'POST /api-keys', primary, 3_600_000);
    const other = target([old]);
    await cleanUp(later, () => other.api);
    expect(other.done).toEqual(['GET /api-keys {}']);
  });

  test('clean-up finds records with the mark of a run whatever the clocks say', async () => {
    const ledger = new Ledger();
    ledger.intend(creation('Covenant 0a1b2c key 7'), 'POST /api-keys', primary, 90_000_000);
    const { api, done } = target([{ id: 4, label: 'Covenant 0a1b2c key 7', created_at: new Date(0).toISOString() }]);
    await cleanUp(ledger, () => api);
    expect(done).toEqual(['GET /api-keys {}', 'DELETE /api-keys/{key_id} {"key_id":"4"}']);
  });

  test('clean-up finds a note by any text in a company of its own, and only there', async () => {
    const ledger = new Ledger();
    const url = (company: number) => `${base}/companies/${company}/notes`;
    const company: Sent = { method: 'POST', url: `${base}/companies`, headers: {}, body: '{"name":"Covenant 1"}' };
    ledger.settle(
      ledger.intend(company, 'POST /companies', primary, 1000),
      reply('POST /companies', 201, { data: { id: 5 } }, company.url),
      primary,
    );
    for (const at of [5, 6]) {
      const note: Sent = { method: 'POST', url: url(at), headers: {}, body: '{"text":"é"}' };
      ledger.intend(note, 'POST /companies/{company_id}/notes', primary, 1000);
    }
    const { api, done } = target([{ id: 8, text: 'é', created_at: new Date(60_000).toISOString() }]);
    await cleanUp(ledger, () => api);
    expect(done.filter((one) => one.startsWith('DELETE'))).toEqual([
      'DELETE /companies/{company_id}/notes/{note_id} {"company_id":"5","note_id":"8"}',
    ]);
    expect(ledger.residue()).toMatchObject([{ kind: 'company' }]);
  });

  test.each([
    [-3000, false],
    [-1000, true],
    [9000, true],
    [30_000, false],
  ])('a key without the mark is ours only if it was made when ours was: %d ms later, %s', async (late, ours) => {
    const ledger = new Ledger();
    ledger.intend(creation('K'), 'POST /api-keys', primary, 100_000);
    const { api, done } = target([{ id: 9, label: 'K', created_at: new Date(100_000 + late).toISOString() }]);
    await cleanUp(ledger, () => api);
    expect(done.includes('DELETE /api-keys/{key_id} {"key_id":"9"}')).toBe(ours);
    expect(ledger.isClear()).toBe(true);
  });

  test.each(['a revoked key', 'COVENANT_JWT_EXPIRED'])(
    'what %s may have made is looked for where the run meant it',
    async (name) => {
      const ledger = new Ledger();
      const invented: Credential = { name, kind: 'invalid', token: 'svc_sk_x', accounts: [] };
      ledger.intend(creation('Covenant 1 key'), 'POST /api-keys', invented, 1000);
      const { api, done } = target([]);
      const asked: string[] = [];
      await cleanUp(ledger, (credential) => {
        asked.push(credential);
        return credential === 'COVENANT_API_KEY' ? api : undefined;
      });
      expect([asked.at(-1), done]).toEqual(['COVENANT_API_KEY', ['GET /api-keys {}']]);
    },
  );

  const session: Credential = { name: 'COVENANT_JWT', kind: 'session', token: 'a.b.c', accounts: ['A'] };

  // A key that made it may have ignored the header.
  test.each([
    [undefined, [undefined, 'harbor', 'quay']],
    ['quay', ['quay', undefined, 'harbor']],
  ])(
    'clean-up looks for a session’s key made under the header %s in every account of its user',
    async (account, accounts) => {
      const ledger = new Ledger();
      const sent = creation('Covenant 1 key');
      const headers = { ...sent.headers, ...(account === undefined ? {} : { 'x-active-account': account }) };
      ledger.intend({ ...sent, headers }, 'POST /api-keys', session, 1000);
      const asked: (string | undefined)[] = [];
      const api: Api = {
        credential: session,
        as: () => api,
        route: () => Promise.reject(new Error('not used')),
        send: async (operation: OperationId, call: Call = {}) => {
          if (operation === 'GET /me/accounts')
            return reply(operation, 200, { data: [{ slug: 'harbor' }, { slug: 'quay' }] });
          asked.push(call.account);
          return reply(operation, 200, { data: [], pagination: { total: 0, limit: 200, offset: 0, has_more: false } });
        },
      };
      await cleanUp(ledger, () => api);
      expect(asked).toEqual(accounts);
    },
  );

  test('clean-up leaves another account’s record with the identifier of a session’s key', async () => {
    const ledger = new Ledger();
    const sent = creation('Covenant 1 key');
    const headers = { ...sent.headers, 'x-active-account': 'quay' };
    ledger.settle(ledger.intend({ ...sent, headers }, 'POST /api-keys', session, 1000), made(7), session);
    const revoked: (string | undefined)[] = [];
    const api: Api = {
      credential: session,
      as: () => api,
      route: () => Promise.reject(new Error('not used')),
      send: async (operation: OperationId, { account }: Call = {}) => {
        if (operation === 'GET /me/accounts')
          return reply(operation, 200, { data: [{ slug: 'harbor' }, { slug: 'quay' }] });
        // The stored account is the other one, whose key has the number, too; the run's own is gone.
        const data = account === 'quay' ? [] : [{ id: 7, label: 'Production' }];
        if (operation === 'GET /api-keys')
          return reply(operation, 200, { data, pagination: { total: 1, limit: 200, offset: 0, has_more: false } });
        revoked.push(account);
        return reply(operation, 404, {});
      },
    };
    await cleanUp(ledger, () => api);
    expect([revoked, ledger.deletable()]).toEqual([['quay'], []]);
  });

  test('an error with one record does not keep the others', async () => {
    const { ledger, n } = intended();
    ledger.settle(n, made(7), primary);
    ledger.settle(ledger.intend(creation('other'), 'POST /api-keys', primary, 1000), made(8), primary);
    const { api, done } = target([]);
    const failing: Api = {
      ...api,
      send: (operation, call) =>
        call?.path?.key_id === '7' ? Promise.reject(new Error('broken')) : api.send(operation, call),
    };
    await cleanUp(ledger, () => failing);
    expect(done).toEqual(['GET /api-keys {}', 'DELETE /api-keys/{key_id} {"key_id":"8"}']);
  });
});
