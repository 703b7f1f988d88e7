// The scripts are true: run by sh against the mutant they show the failure, and against the reference they do not.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import { mutants } from '../../lab/mutants/index.ts';
import type { Mutant } from '../../lab/mutants/mutant.ts';
import { listen } from '../../lab/over-http.ts';
import { createReference } from '../../lab/reference/index.ts';
import { wallClock } from '../runtime/clock.ts';
import type { VirtualClock } from '../runtime/virtual-clock.ts';
import { scripts } from './scripts.ts';

const again = /^SHOWN AGAIN: the status is /m;

/** Mutants of every area, and what the end of the script shows on each of them alone. */
const shows: Readonly<Record<string, RegExp>> = {
  'envelope-timestamp-is-local-and-says-utc': /^date: .* (\d\d):\d\d:\d\d GMT$[\s\S]*"timestamp":"[^T"]*T(?!\1)/m,
  'envelope-request-id-is-empty-on-note-edits': /"request_id":""/,
  'envelope-labels-refusals-as-html': /^content-type: text\/html/im,
  'errors-messages-are-a-list': /"message":\[/,
  'errors-half-a-key-is-made': /"label":"Covenant \w+ malformed/,
  'errors-malformed-contact-is-a-page': /<html>/,
  'authentication-accepts-algorithm-none': again,
  'authentication-edits-a-company-for-a-revoked-key': /"name":"Covenant \w+ refused/,
  'authentication-revoked-key-writes-notes': again,
  'authentication-note-edit-is-public': again,
  'account-header-moves-keys': /"account_id":4,"balance":\d+,"unit":"credits"}}\s*$/,
  'account-switch-does-not-reach-billing': /"account_id":3,"balance":\d+,"unit":"credits"}}\s*$/,
  'account-switch-without-slug-is-unprocessable': again,
  'api-keys-lets-revoked-keys-list-keys': again,
  'api-keys-tells-revoked-keys-valid': /"valid":true/,
  'api-keys-revokes-foreign-keys': again,
  'api-keys-lists-secrets-without-their-prefix': /"hint":"/,
  'api-keys-refuses-one-character': again,
  'public-validate-tells-one-user-for-all-of-an-account': /("user_id":\d+)[\s\S]*\1/,
  'billing-shows-summary-without-scope': again,
  'companies-sponsor-comes-back-as-lender': /"company_type":"lender"/,
  'companies-read-unknown-answers-410': again,
  'companies-refused-type-stored-as-lender': /"name":"Covenant \w+ refused/,
  'companies-edit-tells-next-id': /"id":19/,
  'notes-text-strips-tags': /6% fixed /,
  'notes-edit-of-unknown-note-answers-400': again,
  'contacts-create-loses-astral-characters': /\?\? 2/,
  'contacts-type-number-is-sponsor': again,
  'pagination-notes-begin-again-after-the-last': /"has_more":true/,
  'pagination-cursor-with-sort-is-unprocessable': again,
  'pagination-limit-of-zero-is-served': /"limit":0/,
  'idempotency-repeat-is-written-and-answered-with-the-first': /("text":"Covenant \w+ note [^"]*")[^\n]*\1/,
  'idempotency-simultaneous-repeats-pass': /("text":"Covenant \w+ note made by several[^"]*")[^\n]*\1/,
  'idempotency-contacts-ignore-keys': /"id":18,[\s\S]*"id":19,/,
  'rate-limits-spent-reads-refuse-everybody': /request \d+: status 429/,
  'rate-limits-refused-reads-have-another-code': /TOO_MANY_REQUESTS/,
};

const timeout = 120_000;
/** Long enough for a burst, short enough that a script's requests are never refused for an earlier one's. */
const minuteMs = 5_000;
/** Requests that are processes of their own begin further apart than those of one run, on a busy machine above all; in milliseconds. */
const gapMin = 600;
const inside = { ...wallClock, sleep: (ms: number) => wallClock.sleep(Math.max(ms, gapMin)) };
const clock: VirtualClock = { ...wallClock, during: (work) => work(), inside };
const folder = mkdtempSync(join(tmpdir(), 'covenant-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const tools = ['sh', 'curl'].every((tool) => ['/bin', '/usr/bin'].some((path) => existsSync(join(path, tool))));

/** What the script prints behind `Received now`, and everything, run against a server of its own. */
async function printed(file: string, { reference, wrap }: Partial<Pick<Mutant, 'reference' | 'wrap'>>) {
  const { handler, env } = await createReference({ ...reference, minuteMs, clock: wallClock });
  const server = await listen(wrap ? wrap(handler, clock) : handler, 'plain');
  try {
    const environment = { PATH: process.env.PATH ?? '', ...env, COVENANT_BASE_URL: server.url };
    const { stdout, stderr } = await promisify(execFile)('sh', [file], { env: environment }).catch((error) => error);
    return { all: `${stdout}${stderr}`, end: String(stdout).split('Received now:\n')[1] ?? '' };
  } finally {
    server.close();
  }
}

describe.skipIf(!tools)('run by sh, where sh and curl are', () => {
  test.for(Object.entries(shows))(
    'the script for %s shows it there only',
    { timeout },
    async ([id, sign], { expect }) => {
      const mutant = mutants.find((one) => one.id === id);
      if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
      const { report } = await examine({
        wrap: mutant.wrap,
        settings: { requirements: [mutant.breaks[0] ?? ''] },
        ...(mutant.reference ? { reference: mutant.reference } : {}),
      });
      const text = scripts({ report, transcript: [] }).get(`${mutant.breaks[0]}.sh`) ?? 'exit 9';
      const file = join(folder, `${id}.sh`);
      writeFileSync(file, text);
      // Most of the time they wait.
      const [broken, honest] = await Promise.all([
        printed(file, mutant),
        printed(file, mutant.reference ? { reference: mutant.reference } : {}),
      ]);
      expect(broken.end, broken.all).toMatch(sign);
      expect(honest.end, honest.all).not.toMatch(sign);
      if (sign === again) expect(honest.end).toMatch(/^NOT SHOWN: /m);
      else expect(honest.all).toMatch(/Received now:|STOPPED: request \d+ brought no /);
    },
  );
});
