// The ledger: written before it is sent, true after every kind of reply, and whole again from its lines.
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../catalogue/operations.ts';
import type { Credential } from './credential.ts';
import { Ledger } from './ledger.ts';
import { base, creation, intended, made, primary, reply } from './reply.test-data.ts';
import type { Reply, Sent } from './reply.ts';

describe('notes of two companies with the same numbers', () => {
  const notes = (company: number) => `${base}/companies/${company}/notes`;
  const note = (company: number): Sent => ({
    ...creation(''),
    url: notes(company),
    body: JSON.stringify({ text: `in ${company}` }),
  });
  const accepted = (operation: OperationId, url: string, data: unknown) => reply(operation, 201, { data }, url);

  test('both are known, and the deletion of one leaves the other', () => {
    const ledger = new Ledger();
    for (const company of [1, 2]) {
      const n = ledger.intend(note(company), 'POST /companies/{company_id}/notes', primary, 1000);
      ledger.settle(n, accepted('POST /companies/{company_id}/notes', notes(company), { note_id: 7 }), primary);
    }
    expect(ledger.deletable().map(([, made]) => made)).toMatchObject([
      { id: '7', company: '1' },
      { id: '7', company: '2' },
    ]);
    const deletion = reply(
      'DELETE /companies/{company_id}/notes/{note_id}',
      200,
      { data: { deleted: true } },
      `${notes(1)}/7`,
    );
    ledger.settle(undefined, deletion, primary);
    expect(ledger.deletable().map(([, made]) => made)).toMatchObject([{ id: '7', company: '2' }]);
    expect(ledger.notesOf(primary.name)).toEqual([{ company_id: '2', note_id: '7' }]);
    expect(ledger.notesOf('COVENANT_API_KEY_SECONDARY')).toEqual([]);
  });
});

describe('a creation', () => {
  test('a creation is written down before it is sent, without a secret', () => {
    const { entries } = intended();
    expect(entries).toMatchObject([
      { entry: 'intend', kind: 'key', name: 'Covenant 1 key', credential: 'COVENANT_API_KEY' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('svc_sk_');
  });

  test.each([
    ['made', made(7), [{ kind: 'key', id: '7', name: 'Covenant 1 key' }]],
    ['refused', reply('POST /api-keys', 422, {}), []],
    [
      'left open by a gateway',
      reply('POST /api-keys', 502, {}),
      [{ kind: 'key', id: 'unknown', name: 'Covenant 1 key' }],
    ],
    [
      'made without an identifier',
      reply('POST /api-keys', 201, { data: {} }),
      [{ kind: 'key', id: 'unknown', name: 'Covenant 1 key' }],
    ],
  ])('a creation is %s', (_, answer, residue) => {
    const { ledger, n, entries } = intended();
    ledger.settle(n, answer, primary);
    expect(ledger.residue()).toEqual(residue);
    expect(JSON.stringify(entries)).not.toContain('svc_sk_');
  });

  test('a replayed creation is one record', () => {
    const { ledger, n } = intended();
    ledger.settle(n, made(7), primary);
    ledger.settle(ledger.intend(creation('Covenant 1 key'), 'POST /api-keys', primary, 2000), made(7), primary);
    expect(ledger.residue()).toHaveLength(1);
  });

  test.each([200, 204])('a creation is gone after a deletion that answers %d', (status) => {
    const { ledger, n } = intended();
    ledger.settle(n, made(7), primary);
    ledger.settle(undefined, reply('DELETE /api-keys/{key_id}', status, {}, `${base}/api-keys/7`), primary);
    expect(ledger.isClear()).toBe(true);
  });

  test.each<[string, Partial<Reply>]>([
    ['was refused', { status: 403 }],
    ['deleted nothing', { status: 200, json: { data: { deleted: false } } }],
    ['found nothing, perhaps because somebody else asked', { status: 404 }],
  ])('a creation is still there after a deletion that %s', (_, answer) => {
    const { ledger, n } = intended();
    ledger.settle(n, made(7), primary);
    ledger.settle(
      undefined,
      { ...reply('DELETE /api-keys/{key_id}', 200, {}, `${base}/api-keys/7`), ...answer },
      primary,
    );
    expect(ledger.isClear()).toBe(false);
  });
});

describe('keys of two accounts with the same numbers', () => {
  const secondary: Credential = { ...primary, name: 'COVENANT_API_KEY_SECONDARY', accounts: ['B'] };
  const session: Credential = { ...primary, name: 'COVENANT_JWT', kind: 'session', accounts: ['A', 'B'] };
  const child: Credential = { ...secondary, name: 'MADE_KEY_8', root: secondary };

  /** A key 7 of each account, the ledger, and a deletion by a credential; and who made what is left. */
  function leftAfter(by: Credential, headers: Readonly<Record<string, string>> = {}): readonly string[] {
    const { ledger, n } = intended();
    ledger.settle(n, made(7), primary);
    ledger.settle(ledger.intend(creation('Covenant 1 other'), 'POST /api-keys', secondary, 1000), made(7), secondary);
    const inB = { ...creation('Covenant 1 third'), headers: { 'x-active-account': 'quay' } };
    ledger.settle(ledger.intend(inB, 'POST /api-keys', session, 1000), made(7), session);
    const deletion = reply('DELETE /api-keys/{key_id}', 200, {}, `${base}/api-keys/7`);
    ledger.settle(undefined, { ...deletion, request: { ...deletion.request, headers } }, by);
    return ledger.deletable().map(([, { credential }]) => credential);
  }

  test('the deletion of one leaves the others', () => {
    expect(leftAfter(primary)).toEqual(['COVENANT_JWT', 'COVENANT_API_KEY_SECONDARY']);
    expect(leftAfter(child)).toEqual(['COVENANT_JWT', 'COVENANT_API_KEY']);
    expect(leftAfter(session, { 'x-active-account': 'quay' })).toEqual([
      'COVENANT_API_KEY_SECONDARY',
      'COVENANT_API_KEY',
    ]);
  });

  test('each is known to have another with its number, also after its revocation', () => {
    const { ledger, n } = intended();
    ledger.settle(n, made(7), primary);
    const deletion = reply('DELETE /api-keys/{key_id}', 200, {}, `${base}/api-keys/7`);
    expect(ledger.hasOtherKeyOfId('7', child)).toBe(true);
    expect(ledger.hasOtherKeyOfId('7', primary)).toBe(false);
    expect(ledger.hasOtherKeyOfId('8', child)).toBe(false);
    ledger.settle(undefined, deletion, primary);
    expect(ledger.hasOtherKeyOfId('7', child)).toBe(true);
  });

  test('if it is unclear which one was deleted, the clean-up looks for all', () => {
    expect(leftAfter(session)).toHaveLength(3);
    expect(leftAfter({ ...primary, name: 'COVENANT_RATE_API_KEY' })).toHaveLength(3);
  });
});

test('a session without an active account is listed once, with none to restore', () => {
  const ledger = new Ledger();
  for (let time = 1; time <= 3; time += 1) ledger.switching({ credential: 'COVENANT_JWT' });
  expect(ledger.pendingSwitches()).toEqual([]);
  expect(ledger.residue().map(({ name }) => name)).toEqual([
    'the active account of COVENANT_JWT was none that it showed',
  ]);
});

test('a ledger read back from its lines is the same ledger', () => {
  const { ledger, n, entries } = intended();
  ledger.settle(n, made(7), primary);
  ledger.intend(creation('open'), 'POST /api-keys', primary, 3000);
  ledger.switching({ credential: 'COVENANT_JWT', slug: 'harbor' });
  ledger.switching({ credential: 'COVENANT_JWT', slug: 'quay' })();
  const again = new Ledger();
  for (const entry of entries) again.apply(entry);
  expect(again.residue()).toEqual(ledger.residue());
  expect(again.pendingSwitches().map(({ change }) => change.slug)).toEqual(['harbor']);
});
