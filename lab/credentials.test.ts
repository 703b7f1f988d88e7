// Every credential left out in turn: what needs it is not tested, with the reason, and nothing else changes.
import { beforeAll, describe, expect, test } from 'vitest';
import { exitCode } from '../lib/gate/exit-code.ts';
import type { Report } from '../lib/result.ts';
import { examine } from './examine.ts';
import { withLeanFetch } from './lean-fetch.test-data.ts';
import { switchesByKeysRefused } from './variants/refusals.ts';

withLeanFetch();

const without = (name: string) => (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(env).filter(([key]) => key !== name));
const verdicts = (report: Report) => new Map(report.requirements.map(({ id, verdict }) => [id, verdict]));

const optional = [
  'COVENANT_API_KEY_RESTRICTED',
  'COVENANT_API_KEY_SECONDARY',
  'COVENANT_JWT',
  'COVENANT_JWT_EXPIRED',
  'COVENANT_JWT_NO_ACCOUNT',
  'COVENANT_FOREIGN_SLUG',
] as const;

let complete: ReadonlyMap<string, string>;
beforeAll(async () => {
  complete = verdicts((await examine()).report);
});

describe.each(optional)('without %s', (name) => {
  test(`without ${name} only what needs it is not tested, with that reason, and the run is incomplete`, async () => {
    const { report } = await examine({ env: without(name) });
    const changed = report.requirements.filter(({ id, verdict }) => complete.get(id) !== verdict);
    expect(changed.length).toBeGreaterThan(0);
    for (const { id, verdict, reason = '' } of changed) {
      expect([id, verdict]).toEqual([id, 'not-tested']);
      expect(reason, id).toContain(name);
    }
    expect(report.verdict).toBe('incomplete');
    expect(exitCode(report, { interrupted: false })).toBe(3);
  });
});

test('without COVENANT_RATE_API_KEY_SIBLING a key that the run makes takes its place', async () => {
  const { report } = await examine({ env: without('COVENANT_RATE_API_KEY_SIBLING') });
  expect(verdicts(report)).toEqual(complete);
  expect(report.verdict).toBe('conformant');
});

test.each([
  ['with', (env: Readonly<Record<string, string>>) => env],
  ['without', without('COVENANT_API_KEY_SECONDARY')],
])('a primary key whose user may not create records makes nothing fail, %s a second account', async (_, others) => {
  const { report } = await examine({
    env: ({ COVENANT_API_KEY_RESTRICTED = '', ...env }) => ({
      ...others(env),
      COVENANT_API_KEY: COVENANT_API_KEY_RESTRICTED,
    }),
  });
  expect(report.requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  const reasons = report.requirements.flatMap(({ verdict, reason = '' }) => (verdict === 'not-tested' ? [reason] : []));
  expect(reasons).toContain('the user of COVENANT_API_KEY may not make a company (403)');
  expect(exitCode(report, { interrupted: false })).toBe(3);
});

test('with one key what its own requests show is judged, whatever other users would show as well', async () => {
  const { report } = await examine({ env: ({ COVENANT_API_KEY = '' }) => ({ COVENANT_API_KEY }) });
  const found = verdicts(report);
  for (const id of ['companies-create-refused-effect', 'contacts-create-refused-effect', 'notes-delete-effect'])
    expect([id, found.get(id)]).toEqual([id, 'passed']);
});

test('with one key that may not switch accounts, no more is left open than with one that may', async () => {
  const env = ({ COVENANT_API_KEY = '' }) => ({ COVENANT_API_KEY });
  const musts = ({ requirements }: Report) =>
    new Map(requirements.flatMap(({ id, level, verdict }) => (level === 'must' ? [[id, verdict]] : [])));
  const mayNot = await examine({ env, wrap: switchesByKeysRefused });
  expect(musts(mayNot.report)).toEqual(musts((await examine({ env })).report));
});

test('without COVENANT_RATE_API_KEY the primary account is exhausted, last', async () => {
  const { report } = await examine({ env: without('COVENANT_RATE_API_KEY') });
  const changed = report.requirements.filter(({ id, verdict }) => complete.get(id) !== verdict);
  // The sibling key then belongs to an account other than the exhausted one.
  for (const { id, verdict, reason = '' } of changed) {
    expect([id, verdict]).toEqual([id, 'not-tested']);
    expect(reason).toContain('COVENANT_RATE_API_KEY');
  }
});
