// The terminal's report: what it says in each case, frozen as snapshots, and what it must never do.

import { describe, expect, test } from 'vitest';
import { direct } from '../configuration/network.ts';
import type { Report } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { type Heading, heading } from './terminal/before.ts';
import { exchange, failedCase, report, requirement } from './terminal/example.test-data.ts';
import type { Reader } from './terminal/failures.ts';
import { styled } from './terminal/layout.ts';
import { terminal } from './terminal.ts';

const plain = styled(false);
const ruling = (id: string): string | undefined =>
  id === 'scope-status' ? 'A missing scope is 403, whatever else is wrong with the request.' : undefined;
const reader: Reader = { ruling, again: (id, seed) => `covenant run --requirement ${id} --seed ${seed}` };
const text = (of: Report): string => terminal(of, reader, plain);

const reply = JSON.stringify({ request_id: 'req-77', timestamp: '2026-03-01T09:30:02Z', data: { plan: 'team' } });
const scopeFailure = requirement('failed', {
  impact: 'A client with a narrow key reads what its owner may not see.',
  rulings: ['scope-status'],
  cases: [{ verdict: 'passed', duration_ms: 2 }, failedCase()],
});
const warning = requirement('failed', {
  id: 'errors-unknown-route',
  level: 'should',
  area: 'errors',
  section: 'Errors',
  statement: 'an unknown route is answered with the error envelope',
  cases: [
    failedCase({
      operation: 'GET /me',
      failure: {
        message: 'there should be an error',
        expected: 'an object with error',
        actual: '<html>',
        exchanges: [],
        curl: [],
      },
    }),
  ],
});

describe('a finished run', () => {
  test('is conformant', () => {
    const of = report([requirement('passed'), requirement('observed', { level: 'observe', id: 'billing-record' })], {
      budget: [
        { account: 'COVENANT_API_KEY', class: 'read', limit: 200, sent: 412, throttled: 0 },
        { account: 'COVENANT_API_KEY', class: 'write', limit: 30, sent: 1, throttled: 0 },
      ],
    });
    expect(text(of)).toMatchSnapshot();
  });

  test('failed', () => {
    const of = report([requirement('passed'), warning, scopeFailure], {
      exchanges: [exchange(12, 'COVENANT_API_KEY_RESTRICTED', reply)],
      budget: [{ account: 'COVENANT_API_KEY', class: 'write', limit: 30, sent: 40, throttled: 2 }],
      residue: [
        { kind: 'company', id: '1', name: 'covenant a1b2c3 1' },
        { kind: 'company', id: '2', name: 'covenant a1b2c3 2' },
        { kind: 'contact', id: '9', name: 'covenant a1b2c3 9' },
      ],
    });
    expect(text(of)).toMatchSnapshot();
  });

  test('shows so many failures in full, and of the others a line each', () => {
    const failed = ['a', 'b', 'c'].map((id) => requirement('failed', { id, cases: [failedCase()] }));
    const shown = terminal(report(failed), { ...reader, whole: 1 }, plain);
    expect(shown).toContain('✗ a\n');
    expect(shown).not.toContain('✗ b');
    expect(shown).toMatch(
      /and 2 more, in full in report\.json:\n +b: the status should be 403\n +c: the status should be 403\n/,
    );
  });

  test('says which case sent the request of a failure, where it is another', () => {
    const sent = { ...exchange(12, 'COVENANT_API_KEY', reply), case: 'notes-search', undocumented: true as const };
    const shown = (by?: string) =>
      text(report([requirement('failed', { cases: [failedCase(defined({ case: by }))] })], { exchanges: [sent] }));
    expect(shown().replace(/\s+/g, ' ')).toContain(
      'sent by the case notes-search, which asks what the document leaves open',
    );
    expect(shown('notes-search')).not.toContain('sent by');
  });

  test('is incomplete, and says what would unlock the rest', () => {
    const jwt = 'COVENANT_JWT is not set';
    const of = report(
      [
        requirement('passed'),
        ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) =>
          requirement('not-tested', { id: `account-${id}`, reason: jwt }),
        ),
        requirement('not-tested', {
          id: 'api-keys-made',
          reason: 'the target refused to create keys',
          area: 'api-keys',
        }),
        requirement('inconclusive', { id: 'notes-edit', reason: 'the connection was reset', area: 'notes' }),
      ],
      { minuteMs: 2000, options: { area: ['account', 'billing'] } },
    );
    expect(text(of)).toMatchSnapshot();
  });

  test('says what the target does not offer, which is no gap', () => {
    const sort = requirement('observed', { id: 'pagination-sort', level: 'must', area: 'pagination' });
    const shown = text(report([requirement('passed'), sort]));
    expect(shown).toMatch(/pagination +0\/1 .* 1 not offered/);
    expect(shown).not.toContain('1 open');
  });

  test('was aborted', () => {
    const reason = 'nothing listens there (connection refused)';
    const left = requirement('inconclusive', { reason: 'the run was interrupted' });
    expect(text(report([left], { verdict: 'aborted', reason }))).toMatchSnapshot();
  });

  test('names every operation where a duty of all of them fails, and shows two in full', () => {
    const operations = ['GET /me', 'GET /companies', 'GET /contacts', 'POST /contacts'];
    const cases = operations.map((operation) => failedCase({ operation }));
    const shown = text(report([requirement('failed', { cases })], { exchanges: [exchange(12, 'none', reply)] }));
    for (const operation of operations) expect(shown).toContain(operation);
    expect(shown.match(/the status should be 403/g)).toHaveLength(2);
    expect(shown).toContain('without credentials');
  });
});

describe('layout', () => {
  const full = report([requirement('passed'), warning, scopeFailure], {
    exchanges: [exchange(12, 'COVENANT_API_KEY_RESTRICTED', reply)],
  });

  test('keeps to 80 columns, but for what is copied', () => {
    const long = text(full)
      .split('\n')
      .filter((line) => line.length > 80);
    expect(long.every((line) => /^(curl|again) /.test(line.trim()))).toBe(true);
  });

  test('has no ANSI where colours are off, and some where they are on', () => {
    expect(text(full)).not.toContain('\u001b');
    expect(terminal(full, reader, styled(true))).toContain('\u001b[');
  });

  test('lets nothing that a target sent steer the terminal', () => {
    const evil = '\u001b[2J\u009b1m\r\u202eevil';
    const failure = {
      message: evil,
      expected: evil,
      actual: { text: evil },
      exchanges: [12],
      curl: [`curl '${evil}'`],
    };
    const of = report([requirement('failed', { cases: [failedCase({ failure })], reason: evil, statement: evil })], {
      exchanges: [exchange(12, 'none', JSON.stringify({ request_id: evil }))],
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not pass
    expect(text(of)).not.toMatch(/[\u001b\u009b\r\u202e]/);
  });

  test('shortens what is long, and says so', () => {
    const failure = { message: 'too long', expected: 'x', actual: 'y'.repeat(5000), exchanges: [], curl: [] };
    const shown = text(report([requirement('failed', { cases: [failedCase({ failure })] })]));
    expect(shown).toContain('(5000 characters, in full in report.json)');
    expect(shown.length).toBeLessThan(3000);
  });
});

describe('the heading', () => {
  const target: Heading['target'] = {
    baseUrl: 'https://staging.example.com',
    credentials: { COVENANT_API_KEY: 'svc_sk_canary', COVENANT_JWT: 'a.b.canary' },
    limits: {},
    minuteMs: 60_000,
    originApp: 'covenant',
    timeoutMs: 10_000,
  };
  const settings: Heading['settings'] = {
    seed: 42,
    readOnly: false,
    exhaustion: true,
    allowIncomplete: false,
    concurrency: 4,
    effort: 'standard',
  };
  const suite = { network: direct, version: '0.1.0', digest: '0123456789abcdef'.repeat(4) };

  test('says what is examined against what, and no secret', () => {
    const shown = heading({ target, settings, bundled: false, ...suite }, plain);
    expect(shown).not.toContain('canary');
    expect(shown).toMatchSnapshot();
  });

  test('says that the reference is examined, with a short minute, and only in part', () => {
    const filtered = { ...settings, areas: ['billing'], readOnly: true, exhaustion: false };
    const short = { ...target, baseUrl: 'http://127.0.0.1:4010', minuteMs: 2000 };
    expect(heading({ target: short, settings: filtered, bundled: true, ...suite }, plain)).toMatchSnapshot();
  });
});
