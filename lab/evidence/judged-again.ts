// `npm run lab -- --evidence`: runs over real HTTP, each recorded, and judged again from its record alone.
import { gzipSync } from 'node:zlib';
import type { Console } from '../../lib/cli/console.ts';
import type { Effort, Settings } from '../../lib/configuration/settings.ts';
import { readEvidence } from '../../lib/evidence/read.ts';
import { Recording } from '../../lib/evidence/record.ts';
import { verify } from '../../lib/evidence/verify.ts';
import { readReport } from '../../lib/report/read.ts';
import { defined } from '../../lib/runtime/defined.ts';
import { suites } from '../../suites/index.ts';
import { answersTo } from '../matrix/pool.ts';
import { type Kind, subjectOf, subjects } from '../matrix/subject.ts';
import { examineOverHttp } from '../over-http.ts';
import { own } from '../recorded-run.ts';

export interface JudgedAgain {
  readonly subject: string;
  readonly verdict: string;
  /** What differs, a sentence each; empty where every verdict follows. */
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
  const recording = new Recording(own);
  const { report } = await examineOverHttp(
    // A run that is cut short by a busy machine must follow from its record as well.
    { ...defined({ wrap, reference, target }), settings, minuteMs: 2000 },
    'plain',
    recording,
  );
  const text = `${JSON.stringify(report, null, 2)}\n`;
  const file = gzipSync([...recording.lines(report, text)].join(''));
  const evidence = readEvidence(file, 'evidence.jsonl.gz');
  const held = { bytes: Buffer.from(text), report: readReport(text, 'report.json') };
  const { outcome, troubles, verdict = 'none' } = verify({ evidence, suites, own, held });
  return {
    subject: id,
    verdict,
    troubles: outcome === 'follows' ? [] : troubles.length > 0 ? troubles : [outcome],
    requests: evidence.exchanges.length,
    bytes: file.length,
  };
}

/** `<subject> <round>`. */
export async function judgedAgainOf(name: string, settings: Partial<Settings>): Promise<JudgedAgain> {
  const [id = ''] = name.split(' ');
  try {
    return { ...(await judgedAgain(id, settings)), subject: name };
  } catch (error) {
    const trouble = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { subject: name, verdict: 'none', troubles: [trouble], requests: 0, bytes: 0 };
  }
}

/** Several rounds: replies come in another order each time, so one may follow by luck. */
const rounds = 3;

interface EvidenceOptions {
  /** How many lawful servers, and how many mutants. */
  readonly count: number;
  readonly effort: Effort;
  readonly threads: number;
}

/** So many of a kind, evenly apart. */
function spread(kind: Kind, count: number): string[] {
  const all = subjects.filter((one) => one.kind === kind).map(({ id }) => id);
  const step = all.length / Math.min(count, all.length);
  return all.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

/** A line a subject, with what differs below it. */
function table(names: readonly string[], outcomes: readonly JudgedAgain[]): string {
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => {
    const own = outcomes.filter(({ subject }) => subject.startsWith(`${name} `));
    const follow = own.filter(({ troubles }) => troubles.length === 0).length;
    const [{ verdict, requests, bytes } = { verdict: '', requests: 0, bytes: 0 }] = own;
    const wrong = own.flatMap(({ troubles }) => troubles.map((one) => `    ${one}\n`));
    return `${name.padEnd(width)}  ${verdict.padEnd(14)}  ${requests} requests, ${kilobytes(bytes)}: ${follow} of ${own.length} follow\n${wrong.join('')}`;
  });
  return lines.join('');
}

/** The exit code: 0 where every verdict follows. */
export async function evidence({ count, effort, threads }: EvidenceOptions, console: Console): Promise<number> {
  const names = ['reference', ...spread('variant', count), ...spread('mutant', count)];
  const runs = names.flatMap((name) => Array.from({ length: rounds }, (_, round) => `${name} ${round + 1}`));
  const outcomes = await answersTo<JudgedAgain>(
    runs,
    { work: 'evidence', how: { effort, concurrency: 4 }, count: threads },
    (finished) => {
      if (finished % threads === 0) console.stderr(`${finished} of ${runs.length} recorded and judged again\n`);
    },
  );
  const follow = outcomes.filter(({ troubles }) => troubles.length === 0).length;
  console.stdout(`${table(names, outcomes)}${follow} of ${runs.length} runs follow from their evidence.\n`);
  return follow === runs.length ? 0 : 1;
}
