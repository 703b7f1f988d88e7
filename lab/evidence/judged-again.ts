// One run over real HTTP, recorded, and judged again from its record alone.
import { gzipSync } from 'node:zlib';
import type { Settings } from '../../lib/configuration/settings.ts';
import { readEvidence } from '../../lib/evidence/read.ts';
import { Recording } from '../../lib/evidence/record.ts';
import { verify } from '../../lib/evidence/verify.ts';
import { readReport } from '../../lib/report/read.ts';
import { defined } from '../../lib/runtime/defined.ts';
import { suites } from '../../suites/index.ts';
import { subjectOf } from '../matrix/subject.ts';
import { examineOverHttp } from '../over-http.ts';
import { own } from '../recorded-run.ts';

export interface JudgedAgain {
  readonly subject: string;
  readonly verdict: string;
  /** What differs, a sentence each; empty where every verdict and the whole report follow. */
  readonly troubles: readonly string[];
  readonly requests: number;
  /** Of the compressed file. */
  readonly bytes: number;
}

/** @throws Error where no subject of the laboratory has this name. */
export async function judgedAgain(id: string, settings: Partial<Settings>): Promise<JudgedAgain> {
  const subject = subjectOf(id);
  if (subject === undefined) throw new Error(`there is no subject named ${id}`);
  const { wrap, reference, target } = subject.examination;
  const pieces: Uint8Array[] = [];
  let recording: Recording | undefined;
  const { report } = await examineOverHttp(
    // A run that is cut short by a busy machine must follow from its record as well.
    { ...defined({ wrap, reference, target }), settings, minuteMs: 2000 },
    'plain',
    (recorded) => {
      recording = new Recording({ ...recorded, suite: own }, (lines) => pieces.push(lines));
      return recording;
    },
  );
  const text = `${JSON.stringify(report, null, 2)}\n`;
  recording?.finish(report, text);
  const file = gzipSync(Buffer.concat(pieces));
  const evidence = readEvidence(file, 'evidence.jsonl.gz');
  const held = { bytes: Buffer.from(text), report: readReport(text, 'report.json') };
  const { outcome, troubles, verdict = 'none' } = await verify({ evidence, suites, own, held });
  return {
    subject: id,
    verdict,
    troubles: outcome === 'follows' ? [] : troubles.length > 0 ? troubles : [outcome],
    requests: evidence.entries.filter((entry) => 'ask' in entry).length,
    bytes: file.length,
  };
}
