// The scripts are true: run by sh against the mutant they show the failure, against the reference they do not, and without what they need they stop.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { mutants } from '../../lab/mutants/index.ts';
import { tried } from '../../lab/scripts.ts';

/** Mutants of every area. */
const shown = [
  'envelope-request-id-is-empty-on-note-edits',
  'envelope-labels-refusals-as-html',
  'errors-messages-are-a-list',
  'errors-malformed-contact-is-a-page',
  'authentication-accepts-algorithm-none',
  'authentication-edits-a-company-for-a-revoked-key',
  'authentication-revoked-key-writes-notes',
  'authentication-note-edit-is-public',
  'account-header-moves-keys',
  'account-switch-without-slug-is-unprocessable',
  'api-keys-lets-revoked-keys-list-keys',
  'api-keys-tells-revoked-keys-valid',
  'api-keys-revokes-foreign-keys',
  'api-keys-refuses-one-character',
  'public-validate-tells-one-user-for-all-of-an-account',
  'billing-shows-summary-without-scope',
  'companies-sponsor-comes-back-as-lender',
  'companies-read-unknown-answers-410',
  'notes-text-strips-tags',
  'notes-edit-of-unknown-note-answers-400',
  'contacts-create-loses-astral-characters',
  'contacts-type-number-is-sponsor',
  'pagination-cursor-with-sort-is-unprocessable',
  'pagination-limit-of-zero-is-served',
  'idempotency-repeat-is-written-and-answered-with-the-first',
  'idempotency-contacts-ignore-keys',
  'rate-limits-spent-reads-refuse-everybody',
];

const timeout = 120_000;
const tools = ['sh', 'curl', 'awk'].every((tool) => ['/bin', '/usr/bin'].some((path) => existsSync(join(path, tool))));

describe.skipIf(!tools)('run by sh, where sh and curl are', () => {
  test.for(shown)('the script for %s shows it there only', { timeout }, async (id, { expect }) => {
    const mutant = mutants.find((one) => one.id === id);
    if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
    const { broken, honest } = await tried(mutant, mutant.breaks.slice(0, 1));
    expect([broken.code, honest.code], `${broken.printed}\n${honest.printed}`).toEqual([1, 0]);
  });
});
