// Tests that the random walk follows from its seed, keeps to its budget, and tries every operation by every caller.
import { expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import { Maker } from '../../lib/fixtures/records.ts';
import { type Api, anonymous, at, type Call, type Credential, type OperationId, operations } from '../../lib/index.ts';
import { seededRandom } from '../../lib/runtime/random.ts';
import { virtualClock } from '../../lib/runtime/virtual-clock.ts';
import { Secrets } from '../../lib/secrets/secrets.ts';
import type { ActorRole } from './actor.ts';
import { randomWalk } from './random-walk.ts';

interface Asked {
  readonly operation: OperationId;
  readonly credential: Credential;
  readonly call: Call;
}

/** Accepts every write without an empty text, name or label, and refuses invalid credentials. */
class Server {
  readonly asked: Asked[] = [];
  private count = 1000;

  api(credential: Credential): Api {
    return {
      credential,
      as: (other) => this.api(other),
      route: async () => replyOf(),
      send: async (operation, call = {}) => {
        this.asked.push({ operation, credential, call });
        this.count += 1;
        const [method = 'GET'] = operation.split(' ');
        const request = { method, url: 'http://target.test', headers: call.key ? { 'idempotency-key': call.key } : {} };
        return replyOf({
          ...{ operation, request, credential: credential.name },
          ...this.answer(operation, credential, call),
        });
      },
    };
  }

  private answer(operation: OperationId, { kind }: Credential, { body }: Call): object {
    if (kind === 'none' || kind === 'invalid') return { status: 401 };
    if (operation.startsWith('DELETE')) return { status: 200, json: { data: { deleted: true } } };
    const api_key = `svc_sk_${this.count}`;
    if (!operation.startsWith('POST')) return { status: 200, json: { data: { id: this.count } } };
    const isRefused = [at(body, 'text') ?? at(body, 'name') ?? at(body, 'label') ?? at(body, 'last_name')].includes('');
    return isRefused ? { status: 422 } : { status: 201, json: { data: { id: this.count, api_key } } };
  }
}

const credential = (name: string, kind: 'key' | 'session' | 'invalid' = 'key'): Credential => ({
  ...{ name, kind, token: name },
  accounts: kind === 'invalid' ? [] : [name],
});
const company = { id: 7, sent: { name: 'A', company_type: 'lender' } };

async function gone(seed: number, steps: number, records = 5): Promise<readonly Asked[]> {
  const server = new Server();
  const random = seededRandom(seed);
  const clock = virtualClock();
  const api = server.api(credential('primary'));
  const roles: readonly ActorRole[] = [
    { name: 'the key', caller: { api }, destination: { company, isShared: true } },
    { name: 'a made key', makers: ['the key'], destination: { company, isShared: true } },
    { name: 'the session', caller: { api: server.api(credential('session', 'session')) }, activeAccount: 'home' },
  ];
  const refused = { anonymous: [anonymous], forged: [credential('forged', 'invalid')] };
  const limits = {
    minuteMs: 60_000,
    reported: () => undefined,
    quiet: async () => {},
    room: async () => {},
    free: () => 0,
    reserve: async () => async () => {},
  };
  const make = new Maker('0a1b2c', random.derive('make'), { secrets: new Secrets(), clock });
  const invalid = (name: string, token: string): Credential => ({ ...credential(name, 'invalid'), token });
  await randomWalk(roles, { steps, records }, refused, { api, clock, invalid, limits, make, random });
  return server.asked;
}

test('the walk depends only on its seed', async () => {
  const [one, again, other] = await Promise.all([gone(1, 60), gone(1, 60), gone(2, 60)]);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test('every operation is tried with valid and with invalid credentials', async () => {
  const asked = await gone(3, 900);
  const by = (fits: (one: Credential) => boolean) =>
    new Set(asked.filter((one) => fits(one.credential)).map(({ operation }) => operation));
  for (const operation of ['PATCH /me/active-account', 'DELETE /api-keys/{key_id}', 'GET /account/team'] as const)
    expect(by(({ kind }) => kind === 'session' || kind === 'key')).toContain(operation);
  expect(by(({ name }) => name === 'forged').size).toBeGreaterThan(12);
  expect(by(({ name }) => name === 'a revoked key').size).toBeGreaterThan(2);
});

test('half of the writes have no Idempotency-Key, and the budget of records is kept', async () => {
  const asked = await gone(4, 900, 5);
  const notes = asked.filter(({ operation, call }) => operation.endsWith('/notes') && call.body !== undefined);
  const keyed = notes.filter(({ call }) => typeof call.key === 'string').length / notes.length;
  expect(keyed).toBeGreaterThan(0.3);
  expect(keyed).toBeLessThan(0.7);
  const named = asked.filter(
    ({ operation, call, credential: { kind } }) =>
      operation === 'POST /companies' && kind === 'key' && /company/.test(String(at(call.body, 'name'))),
  );
  expect(new Set(named.map(({ call }) => at(call.body, 'name'))).size).toBeLessThanOrEqual(5);
});

test('half of the refused writes have an Idempotency-Key', async () => {
  const asked = await gone(5, 900);
  const isWrite = (operation: OperationId): boolean => operations[operation].rate === 'write';
  const refused = asked.filter(({ operation, credential: { kind } }) => kind === 'invalid' && isWrite(operation));
  const keyed = refused.filter(({ call }) => typeof call.key === 'string').length / refused.length;
  expect(keyed).toBeGreaterThan(0.3);
  expect(keyed).toBeLessThan(0.7);
});

test('switches, replays and revocations are sent often', async () => {
  const asked = await gone(6, 900);
  const switches = asked.filter(
    ({ operation, call }) => operation.startsWith('PATCH /me') && at(call.body, 'slug') === 'home',
  );
  const keys = asked.flatMap(({ call: { key } }) => (typeof key === 'string' ? [key] : []));
  expect(switches.length).toBeGreaterThan(8);
  expect(keys.length - new Set(keys).size).toBeGreaterThan(8);
  expect(asked.filter(({ operation }) => operation === 'DELETE /api-keys/{key_id}').length).toBeGreaterThan(16);
});
