// What somebody makes of a file who knows how it is sealed: each is said in a sentence, and none is taken for whole.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import { sha256 } from '../runtime/text.ts';
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
const older = (some: readonly string[], version = '0.0.1'): Uint8Array =>
  sealed([lineAt(0).replace(/"version":"[^"]*"/, `"version":"${version}"`), ...some.slice(1)]);

function noText(): Uint8Array {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  text[text.indexOf('"text":"{') + 12] = 0xff;
  return gzipSync(Buffer.concat([text, Buffer.from(sealOf(text.toString()))]));
}

type Attack = readonly [code: number, words: string, file: () => Uint8Array];
const otherwise = 'is not written as Covenant writes it';

const inLines: Readonly<Record<string, Attack>> = {
  'a member twice': [3, otherwise, () => rewritten(/\{(?="id":20,)/, '{"status":500,')],
  'spaces between members': [3, otherwise, () => rewritten(/\{(?="id":20,)/, '{ ')],
  'a number spelled otherwise': [3, otherwise, () => rewritten(/"id":20,/, '"id":2e1,')],
  'a number that is none': [3, 'should be an object', () => rewritten(/"id":20,/, '"id":NaN,')],
  'a number beyond all numbers': [3, '/id should be an integer', () => rewritten(/"id":20,/, '"id":1e999,')],
  'a time beyond all calendars': [
    3,
    '/sentAt should be an integer',
    () => rewritten(/"sentAt":\d+/, '"sentAt":1e+300'),
  ],
  'an address that is none': [3, '/request/url should be', () => rewritten(/"url":"[^"]*"/, '"url":"nowhere"')],
  'a list for a line': [3, 'line 11 should be an object', () => inserted(10, '[]')],
  'null for a line': [3, 'line 11 should be an object', () => inserted(10, 'null')],
  'an empty line': [3, 'line 11 should be an object', () => inserted(10, '')],
  'a requirement on __proto__': [
    3,
    '__proto__ was not selected',
    () => rewritten(/"id":"billing-summary-scope"/, '"id":"__proto__"'),
  ],
  'deeper than anything': [
    3,
    `line 1 ${otherwise}`,
    () => rewritten(/\{(?="format")/, `{"deep":${'['.repeat(50_000)}${']'.repeat(50_000)},`),
  ],
  'line ends of another system': [3, otherwise, () => sealed(lines, '\r\n')],
  'bytes that are no text': [3, 'it holds bytes that are no text', noText],
};

const misplaced = 'of the run';
const inOrder: Readonly<Record<string, Attack>> = {
  'the header twice': [3, misplaced, () => inserted(1, lineAt(0))],
  'the header among the replies': [3, misplaced, () => inserted(30, lineAt(0))],
  'the findings twice': [3, misplaced, () => inserted(lines.length, lineAt(-1))],
  'the findings first': [3, misplaced, () => inserted(1, lineAt(-1))],
  'a seal among the lines': [3, misplaced, () => inserted(30, sealOf('').trim())],
  'the seal twice': [3, 'what was found is missing', () => inserted(lines.length, sealOf('').trim())],
  'no findings': [3, 'what was found is missing', () => sealed(lines.slice(0, -1))],
  'header and findings only': [3, 'follows from the evidence', () => sealed([lineAt(0), lineAt(-1)])],
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
  'an earlier format': [
    4,
    'that reads covenant-evidence/1',
    () => rewritten(/covenant-evidence\/2/, 'covenant-evidence/1'),
  ],
  'an older version, of whose run nothing is left': [
    4,
    'covenant-conformance 0.0.1 can',
    () => older([lineAt(0), lineAt(-1)]),
  ],
  'a version with orders for the terminal': [
    4,
    '[2J It is whole can',
    () => older([lineAt(0), lineAt(-1)], '\\u001b[2J\\nIt is whole'),
  ],
  'a later format with nothing else': [
    4,
    'that reads covenant-evidence/3',
    () => gzipSync('{"format":"covenant-evidence/3"}\n'),
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
      expect(said).not.toMatch(/\n {4}at |an error of our own|follows from it:/);
      expect(said.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    });
  },
);
