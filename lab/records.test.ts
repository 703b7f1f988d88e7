// The corpus of recorded runs, judged by the suites as they are now: whoever changes a case sees which old verdicts move.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgedAnew } from '../lib/evidence/anew.ts';
import type { Entry } from '../lib/evidence/format.ts';
import { readEvidence } from '../lib/evidence/read.ts';
import { suites } from '../suites/index.ts';
import { folder, recorded } from './records.ts';

/** Below this share of judged requirements a record says too little: npm run records makes new ones. */
const shareMin = 0.5;

test.each(recorded)('%s', async (id) => {
  const { found, damage, ...evidence } = readEvidence(readFileSync(join(folder, `${id}.jsonl.gz`)), id);
  expect(damage).toEqual([]);
  if (found === undefined) throw new Error(`${id} holds no verdict`);
  const { moved, notJudged, same } = await judgedAnew(suites, { ...evidence, found });
  expect(moved).toEqual([]);
  expect(same / (same + notJudged.length)).toBeGreaterThan(shareMin);
});

/** The questions whose reply holds a key. */
const echoed = (entries: readonly Entry[]): ReadonlySet<number> =>
  new Set(
    entries.flatMap((one) => ('reply' in one && one.status === 200 && one.body.includes('svc_sk_') ? [one.reply] : [])),
  );

/** As if these were asked in other words now: what was answered then answers nothing. */
const asOfOthers = (entries: readonly Entry[]): readonly Entry[] => {
  const some = echoed(entries);
  return entries.map((one) =>
    'ask' in one && some.has(one.ask)
      ? { ...one, request: { ...one.request, headers: { ...one.request.headers, accept: 'otherwise' } } }
      : one,
  );
};

test('a requirement of every reply that failed then is not judged where other questions are asked', async () => {
  const id = 'api-keys-echoes-the-validated-secret';
  const { found, damage, entries, ...evidence } = readEvidence(readFileSync(join(folder, `${id}.jsonl.gz`)), id);
  expect(damage).toEqual([]);
  if (found === undefined) throw new Error(`${id} holds no verdict`);
  expect(found.verdicts['api-keys-secret-elsewhere']).toBe('failed');
  const asked = { ...evidence, found, entries: asOfOthers(entries) };
  const { moved, notJudged } = await judgedAnew(suites, asked);
  expect(moved).toEqual([]);
  expect(notJudged).toContain('api-keys-secret-elsewhere');
});
