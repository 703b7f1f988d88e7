// Lines to copy: a race stays a race, a key in a body comes from the environment, and no name stands for a token that it is not. Scripts, run by sh: against the mutant they show the failure, against the reference they do not.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import { mutants } from '../../lab/mutants/index.ts';
import { tried } from '../../lab/scripts.ts';

function mutantCalled(id: string) {
  const mutant = mutants.find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
  return mutant;
}

async function linesFor(id: string): Promise<string> {
  const mutant = mutantCalled(id);
  const { report } = await examine({ wrap: mutant.wrap, settings: { requirements: [...mutant.breaks] } });
  const failed = report.requirements.filter((row) => mutant.breaks.some((broken) => broken === row.id));
  const lines = failed.flatMap(({ cases }) => cases.flatMap(({ failure }) => failure?.curl ?? []));
  expect(lines.length).toBeGreaterThan(0);
  return lines.join('\n');
}

test('requests that were sent at the same moment are sent so again, under one fresh key', async () => {
  const lines = await linesFor('idempotency-simultaneous-repeats-pass');
  expect(lines).toMatch(/^KEY=\$\(uuidgen\)\nfor i in(?: \d+){3,}; do\n/m);
  expect(lines).toMatch(/-H "idempotency-key: \$KEY" [\s\S]* &\ndone; wait/);
  expect(lines).not.toMatch(/idempotency-key: [0-9a-f]{8}-/);
});

test('a key in a body is taken from the environment', async () => {
  const lines = await linesFor('public-validate-tells-one-user-for-all-of-an-account');
  expect(lines).toContain(`--data-raw '{"api_key":"'"$COVENANT_API_KEY"'"}'`);
});

test('a token that the run made up is written out, or made from the real one', async () => {
  expect(await linesFor('authentication-any-key-reads-a-company')).toMatch(
    // Chance may let it begin as a key that the run made.
    /-H ('authorization: Bearer svc_sk_\w{40}'|"authorization: Bearer \$\(printf .* cut -c1-8\)\w{39}")/,
  );
  const tampered = await linesFor('authentication-accepts-algorithm-none');
  expect(tampered).toContain(`$(printf '%s\\n' "$COVENANT_JWT" | cut -d. -f2)."`);
});

test('what rests on a record of the run says that it is gone', async () => {
  expect(await linesFor('notes-edit-of-unknown-note-answers-400')).toMatch(/^# The run took back what this uses\./);
});

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
    const mutant = mutantCalled(id);
    const { broken, honest } = await tried(mutant, mutant.breaks.slice(0, 1));
    expect([broken.code, honest.code], `${broken.printed}\n${honest.printed}`).toEqual([1, 0]);
  });
});
