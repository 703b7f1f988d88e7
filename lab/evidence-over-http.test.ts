// Evidence of lawful variants, recorded over real HTTP: it judges itself again, every verdict the same. EVIDENCE_RUNS says of how many.
import { gzipSync } from 'node:zlib';
import { describe, test } from 'vitest';
import { readEvidence } from '../lib/evidence/read.ts';
import { Recording } from '../lib/evidence/record.ts';
import { verify } from '../lib/evidence/verify.ts';
import { readReport } from '../lib/report/read.ts';
import { defined } from '../lib/runtime/defined.ts';
import { suites } from '../suites/index.ts';
import type { Examination } from './examine.ts';
import { examineOverHttp } from './over-http.test-data.ts';
import { own } from './recorded-run.ts';
import { variants } from './variants/index.ts';

const count = Number(process.env.EVIDENCE_RUNS ?? 2);
const settings = { exhaustion: false, concurrency: 4 } as const;

/** So many of a list, evenly apart. */
const spread = <T>(all: readonly T[]): T[] =>
  all.filter((_, index) => Math.floor((index * count) / all.length) > Math.floor(((index - 1) * count) / all.length));

async function judgedAgain(examination: Examination) {
  const lines: string[] = [];
  let recording: Recording | undefined;
  const { report } = await examineOverHttp({ ...examination, settings }, 'plain', (recorded) => {
    recording = new Recording({ ...recorded, suite: own }, (line) => lines.push(line));
    return recording;
  });
  const file = `${JSON.stringify(report, null, 2)}\n`;
  recording?.finish(report, file);
  const evidence = readEvidence(gzipSync(lines.join('')), 'evidence.jsonl.gz');
  const held = { bytes: Buffer.from(file), report: readReport(file, 'report.json') };
  const { outcome, troubles, verdict } = await verify({ evidence, suites, own, held });
  return { outcome, troubles, same: verdict === report.verdict, size: evidence.entries.length > 500 };
}

const follows = { outcome: 'follows', troubles: [], same: true, size: true };

describe.concurrent('recorded over real HTTP and judged again', () => {
  test.for([{ id: 'reference' }, ...spread(variants)] as readonly (Examination & { readonly id: string })[])(
    '$id',
    { timeout: 120_000 },
    async ({ wrap, reference, target }, { expect }) => {
      expect(await judgedAgain(defined({ wrap, reference, target }))).toEqual(follows);
    },
  );
});
