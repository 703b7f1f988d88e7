// The rules of the laboratory, each seen to accept and to object.
import { describe, expect, test } from 'vitest';
import { discrepancies, isKilled, type Outcome, outcomeNamed } from './judgement.ts';
import type { Subject } from './subject.ts';

const mutant: Subject = {
  id: 'notes-text-is-cut',
  kind: 'mutant',
  why: '',
  examination: {},
  red: ['notes-create-text', 'notes-list-record'],
  collateral: { 'notes-list-record': 'it compares' },
  untested: {},
};
const variant: Subject = {
  ...mutant,
  id: 'odd',
  kind: 'variant',
  red: ['idempotency-company-create'],
  collateral: {},
  untested: { 'api-keys-create-id': 'no keys' },
};
const outcome = (parts: Partial<Outcome>): Outcome => ({
  subject: '',
  verdict: 'non-conformant',
  failed: [],
  untested: [],
  inconclusive: [],
  effort: 'quick',
  requests: 1,
  ...parts,
});

describe('a mutant', () => {
  const red = ['notes-create-text', 'notes-list-record'];

  test('a mutant is in order if what it breaks is red, with its collateral or without', () => {
    expect(discrepancies(mutant, outcome({ failed: red }))).toEqual([]);
    expect(isKilled(mutant, outcome({ failed: red }))).toBe(true);
    expect(discrepancies(mutant, outcome({ failed: ['notes-create-text'] }))).toEqual([]);
  });

  test('a mutant is not killed if what it breaks is green, and the reason is given', () => {
    const missed = outcome({
      failed: ['notes-list-record'],
      untested: [{ id: 'notes-create-text', reason: 'no key' }],
    });
    expect(isKilled(mutant, missed)).toBe(false);
    expect(discrepancies(mutant, missed)).toEqual(['should be red: notes-create-text (no key)']);
    expect(discrepancies(mutant, outcome({ failed: ['notes-list-record'] }))).toEqual([
      'should be red: notes-create-text (passed)',
    ]);
  });

  test('a mutant is not as declared if another requirement is red', () => {
    expect(discrepancies(mutant, outcome({ failed: [...red, 'notes-create-id'] }))).toEqual([
      'should not be red: notes-create-id',
    ]);
  });

  test('a mutant that is declared as not found is in order while nothing is red, and found by whatever is', () => {
    const declared = { ...mutant, notFound: 'nobody asks' };
    expect(discrepancies(declared, outcome({}))).toEqual([]);
    expect(discrepancies(declared, outcome({ failed: ['notes-create-id'] }))).toEqual([
      'is found now, so that notFound goes: notes-create-id',
    ]);
  });

  test('a mutant is not killed by a suite that has errors or crashes', () => {
    const erring = { id: 'notes-create-id', reason: 'an error of the suite itself: TypeError: x' };
    expect(discrepancies(mutant, outcome({ failed: red, inconclusive: [erring] }))).toHaveLength(1);
    expect(discrepancies(mutant, outcome({ trouble: 'the suite crashed' }))).toEqual(['the suite crashed']);
  });

  test('a mutant may leave requirements undecided that depend on what it breaks', () => {
    const resting = outcome({
      failed: red,
      untested: [{ id: 'notes-create-id', reason: 'what this starts from did not hold' }],
      inconclusive: [{ id: 'notes-create-once', reason: 'no reply' }],
    });
    expect(discrepancies(mutant, resting)).toEqual([]);
  });
});

describe('a lawful server', () => {
  const untested = [{ id: 'api-keys-create-id', reason: '403' }];
  const failed = ['idempotency-company-create'];

  test('a lawful server is in order with exactly its exceptions', () => {
    expect(discrepancies(variant, outcome({ failed, untested }))).toEqual([]);
  });

  test('a lawful server is not in order if it is accused, or if a declared warning is missing', () => {
    expect(discrepancies(variant, outcome({ failed: ['notes-create-id'], untested }))).toEqual([
      'accused: notes-create-id',
      'should be a warning: idempotency-company-create',
    ]);
  });

  test('a lawful server is not in order if more or less is untested than declared', () => {
    const other = [{ id: 'notes-create-id', reason: 'too many pages' }];
    expect(discrepancies(variant, outcome({ failed, untested: other }))).toEqual([
      'not tested: notes-create-id (too many pages)',
      'should not be testable: api-keys-create-id',
    ]);
  });

  test('a lawful server is not in order if anything is inconclusive, observations included', () => {
    const inconclusive = [{ id: 'notes-record-fields', reason: 'no reply' }];
    expect(discrepancies(variant, outcome({ failed, untested, inconclusive }))).toEqual([
      'inconclusive: notes-record-fields (no reply)',
    ]);
  });
});

test('the outcome of a lawful server is that of a standard run', async () => {
  expect(await outcomeNamed('reference', { effort: 'quick', areas: ['billing'] })).toMatchObject({
    subject: 'reference',
    verdict: 'conformant',
    failed: [],
    untested: [],
    effort: 'standard',
  });
});

test.each([
  [[], ['errors-malformed-json-envelope']],
  [
    [
      'errors-malformed-json-envelope and 2 more',
      'rate-limits-validate-allowed and 6 more',
      'authentication-jwt-accepted on PATCH /me/active-account and 8 more',
    ],
    [],
  ],
])('without the cases %j a mutant that only they kill fails %j', async (without, failed) => {
  const extent = { effort: 'quick', areas: ['errors'], without } as const;
  expect((await outcomeNamed('errors-malformed-contact-is-a-page', extent)).failed).toEqual(failed);
});
