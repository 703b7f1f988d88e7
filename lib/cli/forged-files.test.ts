// What somebody makes of a file who knows how it is sealed: each is said in a sentence, and none is taken for whole.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import { sha256 } from '../runtime/digest.ts';
import { trial } from './trial.test-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'covenant-'));
const settings = { effort: 'quick', areas: ['account', 'billing', 'public'], exhaustion: false } as const;

let run: RecordedRun;
/** Without their seal and their line breaks. */
let lines: readonly string[];
beforeAll(async () => {
  run = await recordedRun({ settings });
  lines = run.lines.slice(0, -1).map((line) => line.trimEnd());
});
afterAll(() => rmSync(folder, { recursive: true }));

const sealOf = (text: string): string => `${JSON.stringify({ sha256: sha256(text) })}\n`;
function sealed(some: readonly string[], lineBreak = '\n'): Uint8Array {
  const text = some.map((line) => line + lineBreak).join('');
  return gzipSync(text + sealOf(text));
}
function placeOf(fits: RegExp): number {
  const place = lines.findIndex((line) => fits.test(line));
  if (place < 0) throw new Error('no such line');
  return place;
}
const lineAt = (place: number): string => lines.at(place) ?? '';
/** The first line that holds this, with something else in its place. */
const rewritten = (old: RegExp, instead: string): Uint8Array =>
  sealed(lines.with(placeOf(old), lineAt(placeOf(old)).replace(old, instead)));
const inserted = (place: number, line: string): Uint8Array => sealed(lines.toSpliced(place, 0, line));
/** As a version wrote it that did not yet seal what the run was given. */
const older = (some: readonly string[], version = '0.0.1'): Uint8Array =>
  sealed(
    some.map((line) =>
      line.replace(/"version":"[^"]*"/, `"version":"${version}"`).replace(/,"given":\{.*?\},"follows":"\w+"/, ''),
    ),
  );

/** Two cases that ask the very same, each under the name of the other. */
function casesSwapped(): Uint8Array {
  const asked = lines.map((line): { case?: string; request?: object } => JSON.parse(line));
  const same = (one: number, other: number): boolean =>
    JSON.stringify(asked[one]?.request) === JSON.stringify(asked[other]?.request) &&
    asked[one]?.case !== asked[other]?.case;
  for (let one = 0; one < asked.length; one += 1) {
    const other = asked.findIndex((line, index) => index > one && line.request && same(one, index));
    if (!asked[one]?.request || other < 0) continue;
    const [mine, theirs] = [
      { ...asked[one], case: asked[other]?.case },
      { ...asked[other], case: asked[one]?.case },
    ];
    return sealed(lines.with(one, JSON.stringify(mine)).with(other, JSON.stringify(theirs)));
  }
  throw new Error('no two cases ask the same');
}

function noText(): Uint8Array {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  text[text.indexOf('"body":"{') + 12] = 0xff;
  return gzipSync(Buffer.concat([text, Buffer.from(sealOf(text.toString()))]));
}

type Attack = readonly [code: number, words: string, file: () => Uint8Array];
const otherwise = 'is not written as Covenant writes it';
const again = 'the run cannot be played again: ';

const inLines: Readonly<Record<string, Attack>> = {
  'a member twice': [3, otherwise, () => rewritten(/\{(?="reply":20,)/, '{"status":500,')],
  'spaces between members': [3, otherwise, () => rewritten(/\{(?="reply":20,)/, '{ ')],
  'a number spelled otherwise': [3, otherwise, () => rewritten(/"reply":20,/, '"reply":2e1,')],
  'a number that is none': [3, 'should be an object', () => rewritten(/"reply":20,/, '"reply":NaN,')],
  'a number beyond all numbers': [3, '/reply should be an integer', () => rewritten(/"reply":20,/, '"reply":1e999,')],
  'a list for a line': [3, 'line 11 should be an object', () => inserted(10, '[]')],
  'null for a line': [3, 'line 11 should be an object', () => inserted(10, 'null')],
  'an empty line': [3, 'line 11 should be an object', () => inserted(10, '')],
  'a verdict on __proto__': [
    3,
    '__proto__: recorded as passed, but not judged',
    () => rewritten(/"verdicts":\{/, '"verdicts":{"__proto__":"passed",'),
  ],
  'a verdict on what every object has': [
    3,
    'toString: recorded as passed, but not judged',
    () => rewritten(/"verdicts":\{/, '"verdicts":{"toString":"passed",'),
  ],
  'a setting named __proto__': [
    3,
    'settings.__proto__ in the header is not what',
    () => rewritten(/"settings":\{/, '"settings":{"__proto__":{"seed":1},'),
  ],
  'deeper than anything': [
    3,
    `line 1 ${otherwise}`,
    () => rewritten(/\{(?="format")/, `{"deep":${'['.repeat(50_000)}${']'.repeat(50_000)},`),
  ],
  'line ends of another system': [3, otherwise, () => sealed(lines, '\r\n')],
  'bytes that are no text': [3, 'it holds bytes that are no text', noText],
  'a case that does not exist': [
    3,
    'asks where toString asked',
    () => rewritten(/"case":"[^"]*"/, '"case":"toString"'),
  ],
  'an exchange under the name of another case': [3, ' asks where ', casesSwapped],
  'a clock that goes back': [3, `${again}`, () => rewritten(/"now":\[\d+,/, '"now":[-86400000,')],
  'a time beyond all calendars': [3, '/now/0 should be an integer of', () => rewritten(/"now":\[\d+/, '"now":[1e+300')],
  'and soon so': [
    3,
    'the clock shows a time that no calendar has',
    () => rewritten(/(?<=^\{"reply".*)"now":\[\d+/, '"now":[8640000000000000'),
  ],
};

const inOrder: Readonly<Record<string, Attack>> = {
  'the header twice': [3, again, () => inserted(1, lineAt(0))],
  'the header among the replies': [3, again, () => inserted(30, lineAt(0))],
  'the findings twice': [3, 'the record holds 1 more lines', () => inserted(lines.length, lineAt(-1))],
  'the findings first': [3, 'which the record does not hold', () => inserted(1, lineAt(-1))],
  'the findings where a reply is waited for': [
    3,
    'what was found stands where something came in',
    () => inserted(placeOf(/^\{"reply":20,/), lineAt(-1)),
  ],
  'a seal among the lines': [3, again, () => inserted(30, sealOf('').trim())],
  'the seal twice': [3, 'the record holds 1 more lines', () => inserted(lines.length, sealOf('').trim())],
  'the last reply left out': [
    3,
    'the run still waits where the record ends',
    () =>
      sealed(
        lines.toSpliced(
          lines.findLastIndex((line) => line.startsWith('{"reply"')),
          1,
        ),
      ),
  ],
  'a stop that nobody ordered': [3, again, () => inserted(30, '{"stopped":"enough"}')],
  'header and findings only': [3, 'which the record does not hold', () => sealed([lineAt(0), lineAt(-1)])],
  'the header only': [3, 'the seal, is missing', () => gzipSync(`${lineAt(0)}\n`)],
  'no seal': [3, 'the seal, is missing', () => gzipSync(run.lines.slice(0, -1).join(''))],
  'a seal in capitals': [
    3,
    'not those that were sealed',
    () => gzipSync(`${run.lines.slice(0, -1).join('')}{"sha256":"${'A'.repeat(64)}"}\n`),
  ],
};

const notAsPacked = 'it is not packed as Covenant packs it';
const asPacked: Readonly<Record<string, Attack>> = {
  'bytes behind the end': [3, 'it cannot be unpacked', () => Buffer.concat([run.file, Buffer.from('more')])],
  'zeros behind the end': [3, notAsPacked, () => Buffer.concat([run.file, Buffer.alloc(100)])],
  'the whole twice': [3, notAsPacked, () => Buffer.concat([run.file, run.file])],
  'each line by itself': [3, notAsPacked, () => Buffer.concat(run.lines.map((line) => gzipSync(line)))],
  'much out of little': [3, 'than any run comes to', () => gzipSync(`${lineAt(0)}\n${' '.repeat(300_000_000)}`)],
  'many lines out of little': [
    3,
    'more lines than any run',
    () => gzipSync(`${lineAt(0)}\n${'7\n'.repeat(3_000_000)}`),
  ],
  'a byte order mark': [2, 'is not an evidence file', () => sealed([`\uFEFF${lineAt(0)}`, ...lines.slice(1)])],
};

const ofOthers: Readonly<Record<string, Attack>> = {
  'an older version, and a second header': [
    4,
    'covenant-conformance 0.0.1 can',
    () => older(lines.toSpliced(30, 0, lineAt(0))),
  ],
  'an older version, and all backwards': [
    4,
    'covenant-conformance 0.0.1 can',
    () => older([lineAt(0), ...lines.slice(1, -1).toReversed(), lineAt(-1)]),
  ],
  'a version with orders for the terminal': [
    4,
    '[2J It is whole can',
    () => older(lines.toSpliced(30, 1), '\\u001b[2J\\nIt is whole'),
  ],
  'a later format with nothing else': [
    4,
    'that reads covenant-evidence/2',
    () => gzipSync('{"format":"covenant-evidence/2"}\n'),
  ],
};

describe.each(Object.entries({ 'in its lines': inLines, 'in their order': inOrder, packed: asPacked, ofOthers }))(
  'a file: %s',
  (_, attacks) => {
    test.each(Object.entries(attacks))('%s', async (_, [code, words, file]) => {
      writeFileSync(join(folder, 'evidence.jsonl.gz'), file());
      const done = await trial(['verify', 'evidence.jsonl.gz'], { folder, judge: () => ({ suites, own }) });
      const said = done.out + done.stderr;
      expect([done.code, said]).toEqual([code, expect.stringContaining(words)]);
      expect(said).not.toMatch(/\n {4}at |an error of our own|follows from it/);
      expect(said.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    });
  },
);
