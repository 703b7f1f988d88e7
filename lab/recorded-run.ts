// Runs of the laboratory with their evidence: in process, on virtual time.
import { gzipSync } from 'node:zlib';
import { catalogueDigest } from '../lib/catalogue/index.ts';
import type { Settings } from '../lib/configuration/settings.ts';
import { readEvidence, type SuiteIdentity } from '../lib/evidence/read.ts';
import { Recording } from '../lib/evidence/record.ts';
import { type Verification, verify } from '../lib/evidence/verify.ts';
import { readReport } from '../lib/report/read.ts';
import type { BuiltReport } from '../lib/run/build-report.ts';
import type { RunInput } from '../lib/run/run-input.ts';
import { sha256 } from '../lib/runtime/text.ts';
import { version } from '../lib/runtime/version.ts';
import { suites } from '../suites/index.ts';
import { type Examination, examine } from './examine.ts';

export interface RecordedRun {
  readonly built: BuiltReport;
  readonly recording: Recording;
  readonly reportFile: string;
  readonly file: Uint8Array;
  readonly lines: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The keys that the target made. */
  readonly keys: readonly string[];
}

type Listening = Pick<RunInput, 'signal' | 'onCheckpoint'>;

export const own: SuiteIdentity = { version, catalogue: catalogueDigest(), code: '0'.repeat(64) };

export async function recordedRun(
  examination: Examination = {},
  more: Partial<Settings> = {},
  listening: Listening = {},
): Promise<RecordedRun> {
  const recording = new Recording(own);
  const keys: string[] = [];
  let env: RecordedRun['env'] = {};
  const built = await examine({
    ...examination,
    ...listening,
    ...recording.input,
    settings: { ...examination.settings, ...more },
    env: (offered) => {
      env = offered;
      return { ...offered };
    },
    wrap: (honest, clock) => {
      const handler = examination.wrap?.(honest, clock) ?? honest;
      return async (request) => {
        const response = await handler(request);
        if (response.status === 201 && request.url.endsWith('/api-keys'))
          keys.push(((await response.clone().json()) as { data: { api_key: string } }).data.api_key);
        return response;
      };
    },
  });
  const reportFile = `${JSON.stringify(built.report, null, 2)}\n`;
  const lines = [...recording.lines(built.report, reportFile)];
  return { built, recording, reportFile, lines, env, keys, file: gzipSync(lines.join('')) };
}

/** Judges a record again, and a report against it where there is one. */
export const judge = (file: Uint8Array, reportFile?: string): Verification =>
  verify({
    evidence: readEvidence(file, 'evidence.jsonl.gz'),
    suites,
    own,
    ...(reportFile !== undefined && {
      held: { bytes: Buffer.from(reportFile), report: readReport(reportFile, 'report.json') },
    }),
  });

/** The lines of a file that somebody has changed; `sealed`: somebody who knows how the seal is made. */
export function forged(
  lines: readonly string[],
  change: (lines: string[]) => readonly string[],
  sealed: boolean,
): Uint8Array {
  const body = change(lines.slice(0, -1)).join('');
  const seal = sealed ? `${JSON.stringify({ sha256: sha256(body) })}\n` : (lines.at(-1) ?? '');
  return gzipSync(body + seal);
}
