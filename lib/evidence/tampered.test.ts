// What a third party tries on a file, sealing it again as whoever wrote it did: each is noticed, and said in words.
import { beforeAll, expect, test } from 'vitest';
import { forged, own, type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import { at } from '../client/reply.ts';
import { readReport } from '../report/read.ts';
import { verifyCode } from './exit-code.ts';
import type { Header } from './format.ts';
import { givenOf } from './given.ts';
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
  given?: Record<string, string>;
  follows?: string;
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

/** Judged without a report, unless one is held against the evidence. */
async function judgedForged(forge: Forge, isHeld: boolean) {
  const change = (all: string[]): string[] => {
    const lines = all.map((line): Line => JSON.parse(line));
    forge(lines);
    return lines.map((line) => `${JSON.stringify(line)}\n`);
  };
  const report = readReport(honest.reportFile, 'report.json');
  const evidence = readEvidence(forged(honest.lines, change, true), 'evidence.jsonl.gz');
  const verification = await verify({
    evidence,
    suites,
    own,
    ...(isHeld && { held: { bytes: Buffer.from(honest.reportFile), report } }),
  });
  return { code: verifyCode(verification), troubles: verification.troubles };
}

test.each(Object.entries(tries))('%s', async (_, [words, forge]) => {
  const { code, troubles } = await judgedForged(forge, true);
  expect(code).toBe(3);
  expect(troubles).toContainEqual(expect.stringMatching(words));
});

/** Each member of the header alone: most change no request. */
const otherGiven: Readonly<Record<string, unknown>> = {
  'settings.areas': ['billing'],
  'settings.requirements': ['public-health'],
  'settings.seed': 7,
  'settings.readOnly': true,
  'settings.exhaustion': true,
  'settings.allowIncomplete': true,
  'settings.strict': true,
  'settings.concurrency': 5,
  'settings.effort': 'standard',
  'settings.profile': 'full',
  'settings.maxMinutes': 90,
  'settings.shard': { index: 1, of: 1 },
  'settings.bail': 9,
  'target.baseUrl': 'https://other.example',
  'target.foreignSlug': 'another',
  'target.limits': { read: 1000 },
  'target.minuteMs': 30_000,
  'target.originApp': 'another',
  'target.headers': { 'x-gateway': '1' },
  'target.timeoutMs': 60_000,
  'credentials.COVENANT_JWT_EXPIRED': 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
  'suite.code': 'b'.repeat(64),
  interface: '2027-01',
};

function give(header: object, name: string, value: unknown): void {
  const [part = '', member] = name.split('.');
  Object.assign(header, { [part]: member === undefined ? value : { ...Object(at(header, part)), [member]: value } });
}

test.each(Object.entries(otherGiven))('the header says otherwise: %s', async (name, value) => {
  const { code, troubles } = await judgedForged(
    inHeader((header) => give(header, name, value)),
    false,
  );
  expect(code).toBe(3);
  expect(troubles).toContain(`${name} in the header is not what the run was given`);
});

test.each(['settings.allowIncomplete', 'settings.bail', 'target.timeoutMs'])(
  'and so does what was sealed beside the verdicts: %s',
  async (name) => {
    const { code, troubles } = await judgedForged((lines) => {
      const header = lineWith(lines, () => true);
      give(header, name, otherGiven[name]);
      found(lines).given = { ...givenOf(header as unknown as Header) };
    }, false);
    expect(code).toBe(3);
    expect(troubles).toEqual(['the report that follows is not the one that was sealed']);
  },
);

test('what was sealed beside the verdicts is left out', async () => {
  const { code, troubles } = await judgedForged((lines) => {
    const line = found(lines);
    delete line.given;
    delete line.follows;
  }, false);
  expect(code).toBe(3);
  expect(troubles).toEqual(['what the run was given is not sealed with what it found, as this version does']);
});
