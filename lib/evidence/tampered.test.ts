// What a third party tries on a file, sealing it again as whoever wrote it did: each is noticed, and said in words.
import { beforeAll, expect, test } from 'vitest';
import { forged, own, type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import { readReport } from '../report/read.ts';
import { verifyCode } from './exit-code.ts';
import { readEvidence } from './read.ts';
import { verify } from './verify.ts';

const few = { effort: 'quick', areas: ['billing', 'public'], exhaustion: false } as const;

/** A line as a forger sees it. */
interface Line {
  readonly ask?: number;
  readonly reply?: number;
  readonly now?: number[];
  readonly request: { readonly headers: Record<string, string> };
  readonly settings: Record<string, unknown>;
  readonly target: Record<string, unknown>;
  readonly credentials: Record<string, string | undefined>;
  readonly verdicts: Record<string, string>;
  interface: string;
  case: string;
  report: string;
  verdict: string;
}
type Forge = (lines: Line[]) => void;

function lineWith(lines: readonly Line[], fits: (line: Line) => boolean): Line {
  const line = lines.find(fits);
  if (line === undefined) throw new Error('no such line');
  return line;
}

/** The clock is read so much later after the first line that fits. */
function later(lines: readonly Line[], fits: (line: Line) => boolean, ms: number): void {
  const { now = [] } = lineWith(lines, (line) => line.now !== undefined && fits(line));
  now[0] = (now[0] ?? 0) + ms;
}

/** In place of so many lines. */
const put = (lines: Line[], at: number, count: number, ...others: readonly unknown[]): void => {
  lines.splice(at, count, ...(others as Line[]));
};

let honest: RecordedRun;
beforeAll(async () => {
  honest = await recordedRun({ settings: few });
});

const inHeader =
  (change: (header: Line) => void): Forge =>
  (lines) =>
    change(lineWith(lines, () => true));
const found = (lines: readonly Line[]): Line => lineWith(lines, ({ verdicts }) => verdicts !== undefined);
const asked = (lines: readonly Line[]): Line => lineWith(lines, ({ ask }) => ask === 20);
const swapped =
  (member: 'ask' | 'reply'): Forge =>
  (lines) => {
    const at = lines.findIndex((line, index) => index > 20 && line[member] && lines[index + 1]?.[member]);
    put(lines, at, 2, lines[at + 1], lines[at]);
  };

const playedOtherwise = /^the run cannot be played again: /;
const tries: Readonly<Record<string, readonly [words: RegExp, forge: Forge]>> = {
  'a header of a request': [
    /now asks it with another body or other headers/,
    (lines) => {
      asked(lines).request.headers.accept = 'text/html';
    },
  ],
  'two requests in another order': [playedOtherwise, swapped('ask')],
  'two replies in another order': [playedOtherwise, swapped('reply')],
  'the moment from which the draws follow': [
    playedOtherwise,
    (lines) => {
      later(lines, () => true, 1);
    },
  ],
  'another effort': [
    playedOtherwise,
    inHeader(({ settings }) => {
      settings.effort = 'thorough';
    }),
  ],
  'fewer areas': [
    playedOtherwise,
    inHeader(({ settings }) => {
      settings.areas = ['billing'];
    }),
  ],
  'with the exhaustion': [
    /^the report does not follow at \/run\/options\/exhaustion$/,
    inHeader(({ settings }) => {
      settings.exhaustion = true;
    }),
  ],
  'a shorter minute': [
    /^the report does not follow at \/run\/minute_ms$/,
    inHeader(({ target }) => {
      target.minuteMs = 1000;
    }),
  ],
  'another server': [
    /now asks GET https:\/\/other\.example/,
    inHeader(({ target }) => {
      target.baseUrl = 'https://other.example';
    }),
  ],
  'a credential under another name': [
    playedOtherwise,
    inHeader(({ credentials }) => {
      Object.assign(credentials, { COVENANT_JWT_EXPIRED: credentials.COVENANT_JWT, COVENANT_JWT: undefined });
    }),
  ],
  'another interface': [
    /whose interface is 2026-03, but names 2027-01$/,
    inHeader((header) => {
      header.interface = '2027-01';
    }),
  ],
  'a slower reply': [
    /^the report does not follow at \/run\/duration_ms$/,
    (lines) => {
      later(lines, ({ reply = 0 }) => reply > 5, 500);
    },
  ],
  'a reply that never came': [
    playedOtherwise,
    (lines) => {
      const at = lines.findIndex(({ reply }) => reply === 12);
      put(lines, at, 1, { lost: 12, now: lines[at]?.now, why: 'timeout' });
    },
  ],
  'another case that asks': [
    /asks where another asked$/,
    (lines) => {
      asked(lines).case = 'another';
    },
  ],
  'another digest of the report': [
    /^the report is not the one that was sealed with the evidence$/,
    (lines) => {
      found(lines).report = 'a'.repeat(64);
    },
  ],
  'another verdict of the run': [
    /^the run is recorded as incomplete, but conformant follows/,
    (lines) => {
      found(lines).verdict = 'incomplete';
    },
  ],
  'a verdict that nobody came to': [
    /^made-up: recorded as passed, but not judged follows/,
    (lines) => {
      found(lines).verdicts['made-up'] = 'passed';
    },
  ],
  'a line of another shape': [
    /^line 11\/status should be /,
    (lines) => {
      put(lines, 10, 1, { reply: 3, status: 'fine', headers: {}, body: '' });
    },
  ],
  'a line that is none': [
    /^line 11 should be /,
    (lines) => {
      put(lines, 10, 0, 7);
    },
  ],
};

test.each(Object.entries(tries))('%s', async (_, [words, forge]) => {
  const change = (all: string[]): string[] => {
    const lines = all.map((line): Line => JSON.parse(line));
    forge(lines);
    return lines.map((line) => `${JSON.stringify(line)}\n`);
  };
  const report = readReport(honest.reportFile, 'report.json');
  const held = { bytes: Buffer.from(honest.reportFile), report };
  const evidence = readEvidence(forged(honest.lines, change, true), 'evidence.jsonl.gz');
  const verification = await verify({ evidence, suites, own, held });
  expect(verifyCode(verification)).toBe(3);
  expect(verification.troubles).toContainEqual(expect.stringMatching(words));
});
