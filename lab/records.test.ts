// The corpus of recorded runs, judged by the suites as they are now: whoever changes a case sees which old verdicts move.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgedAnew } from '../lib/evidence/anew.ts';
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
