// Texts packed into letters and digits, as base64 and hexadecimal do it: where they may be, what they hold, and how they are packed again.
import { constants, deflateSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { lengthMin as foundMin } from './fragments.ts';
import { base64, type Codes, nextRun, type Run, tableOf } from './runs.ts';

/** Hexadecimal of 16 characters or more, also where letters that are none stand beside it. */
const hexadecimal = /[0-9a-f]{32,}/gi;
const inflatedMax = 1024 * 1024;

/** The base64 of what `inflated` opens begins so. */
const packedHead = /H4s|e(?:J[w-z]|A[E-H]|N[o-r]|F[4-7])/g;
const sextets = new Uint8Array(128);
for (const [value, one] of [...base64].entries()) sextets[one.charCodeAt(0)] = value < 64 ? value : value - 2;
/** Which bit of the first, second and third character of a group is the highest of a byte. */
const highest = [32, 8, 2, 0];

const packedCharacters = tableOf(base64);
const padded = '='.charCodeAt(0);
/** So many characters of base64 hold 16 others. */
const packedMin = 22;

/** The next run from `from` on and before `to` that may hold 16 characters or more in base64, in either alphabet, or in hexadecimal. */
export function packedRun(codes: Codes, from: number, to = codes.length): Run | undefined {
  const run = nextRun(packedCharacters, codes, packedMin, from, to);
  if (run === undefined) return undefined;
  let { end } = run;
  for (let padding = 0; padding < 2 && codes[end] === padded; padding += 1) end += 1;
  return { start: run.start, end };
}

/** Whether base64 that begins at `from` holds so many ASCII characters in a row that a secret may be among them. */
function holdsText(codes: Codes, from: number, end: number): boolean {
  let ascii = 0;
  for (let at = from; at < end; at += 1) {
    const place = (at - from) & 3;
    if (place === 3) continue;
    ascii = ((sextets[codes[at] ?? 0] ?? 0) & (highest[place] ?? 0)) === 0 ? ascii + 1 : 0;
    if (ascii >= foundMin) return true;
  }
  return false;
}

/** Whether anything can be found in a run: most are UUIDs and other identifiers, which stand for no text at all. */
export function worthUnpacking(text: string, codes: Codes, { start, end }: Run): boolean {
  for (let from = start; from < start + 4; from += 1) if (holdsText(codes, from, end)) return true;
  const run = text.slice(start, end);
  return run.search(packedHead) >= 0 || run.search(hexadecimal) >= 0;
}

/** What a run may stand for, a character a byte. */
export interface Unpacked {
  readonly inside: string;
  /** The run once that reads otherwise. */
  readonly packed: (inside: string) => string;
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Only where the encoding is another one: what is beside it, and the spelling of the rest, stay. */
const mended = (old: string, was: string, is: string): string =>
  [...old].map((one, at) => (was[at] === is[at] ? one : (is[at] ?? ''))).join('');

function inAlphabetOf(run: string, base64: string): string {
  return /[-_]/.test(run) ? base64.replaceAll('+', '-').replaceAll('/', '_') : base64;
}

/** As far as it goes: what stands behind it, or is missing at its end, hides nothing of it. */
function inflated(bytes: Buffer): Buffer | undefined {
  const options = { maxOutputLength: inflatedMax, finishFlush: constants.Z_SYNC_FLUSH };
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    // A header of gzip with further fields is left to those who know them.
    if (isGzip && bytes[3] !== 0) return gunzipSync(bytes, options);
    if (isGzip) return inflateRawSync(bytes.subarray(10), options);
    if (bytes[0] === 0x78) return inflateRawSync(bytes.subarray(2), options);
  } catch {
    // Not packed after all.
  }
  return undefined;
}

/** The base64 that begins at `from`, and what it was deflated from. */
function* base64From(run: string, from: number): Generator<Unpacked> {
  const rest = run.slice(from);
  const bytes = Buffer.from(rest, 'base64');
  const encoded = (content: Buffer): string => inAlphabetOf(run, content.toString('base64'));
  const before = run.slice(0, from);
  yield {
    inside: bytes.toString('latin1'),
    packed: (inside) => before + mended(rest, encoded(bytes), encoded(latin1(inside))),
  };
  const content = inflated(bytes);
  if (content === undefined) return;
  const deflated = bytes[0] === 0x1f ? gzipSync : deflateSync;
  yield { inside: content.toString('latin1'), packed: (inside) => before + encoded(deflated(latin1(inside))) };
}

function hexadecimalFrom(run: string, from: number, to: number): Unpacked {
  const digits = run.slice(from, to);
  const encoded = (content: Buffer): string => {
    const hex = content.toString('hex');
    // What stands beside it may look like digits of the other letter case.
    return digits.replace(/[^A-F]/g, '').length > digits.replace(/[^a-f]/g, '').length ? hex.toUpperCase() : hex;
  };
  const bytes = Buffer.from(digits, 'hex');
  return {
    inside: bytes.toString('latin1'),
    packed: (inside) => run.slice(0, from) + mended(digits, encoded(bytes), encoded(latin1(inside))) + run.slice(to),
  };
}

/** The bytes from each place where an encoding may begin. */
export function* unpacked(run: string): Generator<Unpacked> {
  const heads = Array.from(run.matchAll(packedHead), ({ index }) => index);
  for (const from of new Set([0, 1, 2, 3, ...heads])) yield* base64From(run, from);
  for (const { index, 0: digits } of run.matchAll(hexadecimal))
    for (const from of [index, index + 1]) yield hexadecimalFrom(run, from, index + digits.length);
}
