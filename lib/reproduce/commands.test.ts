// Lines to copy: a race stays a race, a key in a body comes from the environment, and no name stands for a token that it is not.
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import { mutants } from '../../lab/mutants/index.ts';

async function linesFor(id: string): Promise<string> {
  const mutant = mutants.find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
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

test('a command that needs a record of the run says that it was deleted', async () => {
  expect(await linesFor('notes-edit-of-unknown-note-answers-400')).toMatch(/^# The run took back what this uses\./);
});
