// Secrets behind encodings: what a text says once it is decoded, whatever its letter case and direction.
import { constants, gunzipSync, inflateRawSync } from 'node:zlib';
import { Fragments, lengthMin as foundMin, headOf } from './fragments.ts';

/** One character, escaped as JSON, JavaScript, URLs or HTML do it, also several times over. */
const escaped =
  /\\+u([0-9a-f]{4}|\{[0-9a-f]{1,6}\})|\\+x([0-9a-f]{2})|%(?:25)*([0-9a-f]{2})|&(?:amp;)*#x([0-9a-f]{2,6});|&(?:amp;)*#(\d{2,7});|&(?:amp;)*(amp|lt|gt|quot|apos|sol|plus|equals|lowbar|hyphen|dash|period);|\\+(\/)/gi;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  period: '.',
};
const codePointMax = 0x10ffff;

/** Hexadecimal of 16 characters or more, also where letters that are none stand beside it. */
const hexadecimal = /[0-9a-f]{32,}/gi;
const isAscii = /^[\x20-\x7e]*$/;
const inflatedMax = 1024 * 1024;
const layersMax = 3;

function character([, ...groups]: RegExpMatchArray): string {
  const [json, javaScript, percent, hex, decimal, name, slash] = groups;
  if (name !== undefined) return entities[name.toLowerCase()] ?? '';
  if (slash !== undefined) return slash;
  const code =
    decimal === undefined
      ? Number.parseInt(json?.replace(/^\{/, '') ?? javaScript ?? percent ?? hex ?? '', 16)
      : Number(decimal);
  return code <= codePointMax ? String.fromCodePoint(code) : '';
}

interface View {
  readonly text: string;
  /** Where a place of the view lies in the text that it was made of. */
  readonly origin: (at: number) => number;
}

/** The text with every escaped character written plainly. */
function decoded(text: string): View {
  const parts: string[] = [];
  const shifts: { readonly from: number; readonly by: number }[] = [];
  let kept = 0;
  let length = 0;
  for (const match of text.matchAll(escaped)) {
    const plain = character(match);
    parts.push(text.slice(kept, match.index), plain);
    length += match.index - kept + plain.length;
    kept = match.index + match[0].length;
    shifts.push({ from: length, by: kept - length });
  }
  if (kept === 0) return { text, origin: (at) => at };
  parts.push(text.slice(kept));
  return { text: parts.join(''), origin: (at) => at + (shifts.findLast(({ from }) => from <= at)?.by ?? 0) };
}

/** As it stands, and after each layer of escapes: what looks like an escape may be half of something else. */
function viewsOf(text: string): readonly View[] {
  const views: View[] = [{ text, origin: (at) => at }];
  for (let last = views[0]; last !== undefined && views.length <= layersMax; last = views.at(-1)) {
    const { text: outer, origin } = last;
    const deeper = decoded(outer);
    if (deeper.text === outer) break;
    views.push({ text: deeper.text, origin: (at) => origin(deeper.origin(at)) });
  }
  return views;
}

/** Of the same length: a few letters become two. */
function lower(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
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

/** The base64 of what `inflated` opens begins so. */
const packedHead = /H4s|e(?:J[w-z]|A[E-H]|N[o-r]|F[4-7])/g;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextets = new Uint8Array(128);
for (const [value, one] of [...alphabet].entries()) sextets[one.charCodeAt(0)] = value;
for (const [one, value] of Object.entries({ '-': 62, _: 63 })) sextets[one.charCodeAt(0)] = value;
/** Which bit of the first, second and third character of a group is the highest of a byte. */
const highest = [32, 8, 2, 0];

const isPacked = new Uint8Array(128);
for (const one of `${alphabet}-_`) isPacked[one.charCodeAt(0)] = 1;
/** So many characters of base64 hold 16 others. */
const packedMin = 22;

/** Runs that may hold 16 characters or more in base64, in either alphabet, or in hexadecimal. */
function* packedRuns(text: string): Generator<{ readonly run: string; readonly start: number }> {
  for (let start = 0; start + packedMin <= text.length; ) {
    let at = start + packedMin - 1;
    // From behind: what ends a run there spares a look at all before it.
    while (at >= start && isPacked[text.charCodeAt(at)] === 1) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + packedMin;
    while (isPacked[text.charCodeAt(end)] === 1) end += 1;
    for (let padding = 0; padding < 2 && text[end] === '='; padding += 1) end += 1;
    yield { run: text.slice(start, end), start };
    start = end;
  }
}

/** Whether base64 that begins at `from` holds so many ASCII characters in a row that a secret may be among them. */
function holdsText(run: string, from: number): boolean {
  let ascii = 0;
  for (let at = from; at < run.length; at += 1) {
    const place = (at - from) & 3;
    if (place === 3) continue;
    ascii = ((sextets[run.charCodeAt(at)] ?? 0) & (highest[place] ?? 0)) === 0 ? ascii + 1 : 0;
    if (ascii >= foundMin) return true;
  }
  return false;
}

/** Whether anything can be found in a run: most are UUIDs and other identifiers, which stand for no text at all. */
const worthUnpacking = (run: string): boolean =>
  [0, 1, 2, 3].some((from) => holdsText(run, from)) || run.search(packedHead) >= 0 || run.search(hexadecimal) >= 0;

/** What a run may stand for: the bytes from each place where an encoding may begin, with and without their own escapes. */
function unpacked(run: string): string[] {
  const heads = Array.from(run.matchAll(packedHead), ({ index }) => index);
  const bytes = [...new Set([0, 1, 2, 3, ...heads])].map((from) => Buffer.from(run.slice(from), 'base64'));
  for (const [digits] of run.matchAll(hexadecimal))
    bytes.push(Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex'));
  return bytes
    .flatMap((one) => [one, inflated(one) ?? []].flat())
    .flatMap((one) => viewsOf(one.toString('latin1')).map(({ text }) => text));
}

/** What is taken out of a text, and what is written there. */
interface Taken {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

export class Disguised {
  private readonly fragments = new Fragments<string>();
  private ascii = true;

  /** Secrets that are too short to differ from ordinary words in another letter case are left out. */
  add(secret: string, mark: string): void {
    if (!Fragments.finds(secret)) return;
    const plain = lower(secret.slice(headOf(secret).length));
    this.ascii &&= isAscii.test(plain);
    this.fragments.add(plain, mark);
    this.fragments.add([...plain].reverse().join(''), mark);
  }

  redact(text: string): string {
    const spans = viewsOf(text).flatMap((view) => this.spansIn(view));
    if (spans.length === 0) return text;
    let clean = '';
    let kept = 0;
    for (const { start, end, mark } of spans.sort((one, other) => one.start - other.start)) {
      if (start >= kept) clean += text.slice(kept, start) + mark;
      kept = Math.max(kept, end);
    }
    return clean + text.slice(kept);
  }

  private spansIn({ text, origin }: View): readonly Taken[] {
    const plain = Array.from(this.fragments.in(lower(text)), ({ of, start, end }) => ({ start, end, mark: of }));
    return [...plain, ...this.packedIn(text, layersMax)].map(({ start, end, mark }) => ({
      start: origin(start),
      end: origin(end),
      mark,
    }));
  }

  /** Runs that hold a secret once they are unpacked; each is taken out as a whole. */
  private packedIn(text: string, layers: number): readonly Taken[] {
    const found: Taken[] = [];
    for (const { run, start } of packedRuns(text)) {
      const mark = this.markIn(run, layers);
      if (mark !== undefined) found.push({ start, end: start + run.length, mark });
    }
    return found;
  }

  private markIn(run: string, layers: number): string | undefined {
    if (layers === 0 || (this.ascii && !worthUnpacking(run))) return undefined;
    for (const inside of unpacked(run)) {
      for (const { of } of this.fragments.in(lower(inside))) return of;
      const [deeper] = this.packedIn(inside, layers - 1);
      if (deeper) return deeper.mark;
    }
    return undefined;
  }
}
