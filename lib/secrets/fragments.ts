// Secrets whole and in part, found in one pass: also what is left of one that was split over two headers or cut off in an excerpt.

/** Text is looked at in steps of so many characters, so that long texts stay cheap. */
const step = 8;
/** A run of so many characters of a secret is taken out; it always holds one whole step. */
export const lengthMin = 2 * step;

const escapeMax = 5;

interface Piece<Of> {
  readonly of: Of;
  /** Where the piece begins in the whole secret. */
  readonly offset: number;
  /** What stands before it and gives nothing away, but is taken out with it. */
  readonly head: string;
  readonly secret: string;
}

/** Where a step of text stands in a piece. There are hundreds of thousands, so they are chained, which takes less than lists. */
interface Occurrence<Of> {
  readonly piece: Piece<Of>;
  readonly at: number;
  readonly next: Occurrence<Of> | undefined;
}

/** Where a part of a secret stands in a text, and which part: from `from` to `to` of it. The ends are not included. */
export interface Found<Of> {
  readonly of: Of;
  /** Whether the secret stands there with nothing missing. */
  readonly whole: boolean;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** The first part of a JWT says only how it is signed, and every JWT of a server begins with the same. */
export const headOf = (secret: string): string =>
  secret.startsWith('eyJ') ? secret.slice(0, secret.indexOf('.') + 1) : '';

/** So many bits say of a step whether it may stand in a secret: most text is passed over without being cut into steps. */
const bits = 2 ** 21;

/** What capital and small letters differ in: a text need not be written in small letters to see that nothing stands in it. */
const caseBit = 0x20;

/** The bit of the step that begins here, in either letter case; every second character is enough to set most text apart. */
function bitOf(text: string, at: number): number {
  let hash = 0;
  for (let next = at; next < at + step; next += 2)
    hash = Math.imul(hash ^ (text.charCodeAt(next) | caseBit), 0x01000193);
  return (hash ^ (hash >>> 15)) & (bits - 1);
}

/** `Of` says whose fragment it is. */
export class Fragments<Of> {
  private readonly places = new Map<string, Occurrence<Of>>();
  private seen: Uint8Array | undefined;

  /** Whether a secret is found whole, wherever it begins. */
  static finds(secret: string): boolean {
    return secret.length - headOf(secret).length >= lengthMin && !secret.includes('\\');
  }

  add(secret: string, of: Of): void {
    const head = headOf(secret);
    let offset = head.length;
    // Backslashes only come from escaping, and a run that ends in the middle of an escape would damage the text.
    for (const [index, piece] of secret.slice(head.length).split('\\').entries()) {
      this.addPiece({ of, offset, head: index === 0 ? head : '', secret: piece });
      offset += piece.length + 1;
    }
  }

  private addPiece(piece: Piece<Of>): void {
    this.seen ??= new Uint8Array(bits / 8);
    for (let at = 0; at + step <= piece.secret.length; at += 1) {
      const gram = piece.secret.slice(at, at + step);
      const bit = bitOf(gram, 0);
      this.seen[bit >> 3] = (this.seen[bit >> 3] ?? 0) | (1 << (bit & 7));
      this.places.set(gram, { piece, at, next: this.places.get(gram) });
    }
  }

  /** Whether any may stand in the text, in whatever letter case: of most texts that is all there is to know. */
  mayBeIn(text: string): boolean {
    return this.nextIn(text, 0) >= 0;
  }

  /** The next step of text from `from` on that may stand in a secret; -1 where none does. A loop of its own, which is run most of all. */
  private nextIn(text: string, from: number): number {
    const { seen } = this;
    if (seen === undefined) return -1;
    for (let at = from; at + step <= text.length; at += step) {
      const bit = bitOf(text, at);
      if (((seen[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0) return at;
    }
    return -1;
  }

  /** The text with what is written for each of them. */
  redact(text: string, write: (found: Found<Of>) => string): string {
    if (!this.mayBeIn(text)) return text;
    let clean = '';
    let kept = 0;
    for (const found of this.in(text)) {
      clean += text.slice(kept, found.start) + write(found);
      kept = found.end;
    }
    return kept === 0 ? text : clean + text.slice(kept);
  }

  /** Where secrets stand in the text, from left to right, and what is written instead. */
  *in(text: string): Generator<Found<Of>> {
    let kept = 0;
    for (let at = this.nextIn(text, 0); at >= 0; at = this.nextIn(text, at + step)) {
      if (at < kept) continue;
      const first = this.longestAt(text, at, kept);
      if (first === undefined) continue;
      const longest = this.longestFrom(first, text, at, kept);
      const { start } = longest;
      // What is shorter gives nothing away.
      if (start - first.start >= step) yield { ...first, end: start, to: first.to - first.end + start };
      yield longest;
      kept = longest.end;
    }
  }

  /** A part, or a longer one that begins within it: what ends one secret may be taken for the beginning of another. */
  private longestFrom(first: Found<Of>, text: string, at: number, from: number): Found<Of> {
    if (first.whole) return first;
    let longest = first;
    for (let next = at + step; next < longest.end && next + step <= text.length; next += step) {
      const other = this.longestAt(text, next, from);
      if (other && other.end > longest.end && other.end - other.start > longest.end - longest.start) longest = other;
    }
    return longest;
  }

  private longestAt(text: string, at: number, from: number) {
    let place = this.places.get(text.slice(at, at + step));
    let longest: ReturnType<typeof extended<Of>>;
    let most = lengthMin;
    for (; place !== undefined; place = place.next) {
      const run = extended(text, at, place, from, most);
      if (run === undefined) continue;
      const length = run.end - run.start;
      // Of two that explain as much, the one that is there as a whole; of two of these, the one that was known first.
      if (length < most || (length === most && longest?.whole && !run.whole)) continue;
      longest = run;
      most = length;
    }
    return longest;
  }
}

/** How far text and secret agree to the left and to the right of the place that they share; undefined below `least`. */
function extended<Of>(text: string, textAt: number, { piece, at }: Occurrence<Of>, from: number, least: number) {
  const { of, offset, head, secret } = piece;
  let before = 0;
  const beforeMax = Math.min(at, textAt - from);
  while (before < beforeMax && text.charCodeAt(textAt - before - 1) === secret.charCodeAt(at - before - 1)) before += 1;
  let after = step;
  const afterMax = Math.min(secret.length - at, text.length - textAt);
  while (after < afterMax && text.charCodeAt(textAt + after) === secret.charCodeAt(at + after)) after += 1;
  if (head.length + before + after < least) return undefined;
  const agreed = textAt - before;
  const withHead = before === at && head !== '' && agreed - head.length >= from && text.endsWith(head, agreed);
  const start = withHead ? agreed - head.length : behindEscape(text, agreed);
  const whole = before === at && at + after === secret.length;
  const inSecret = offset + at - textAt;
  const end = textAt + after;
  return { of, whole, start, end, from: start + inSecret, to: end + inSecret };
}

/** An escape sequence of JSON that begins before a run may reach into it: `\\u` and four digits, or one character. */
function behindEscape(text: string, start: number): number {
  const from = Math.max(0, start - escapeMax);
  const backslash = text.slice(from, start).lastIndexOf('\\');
  if (backslash < 0) return start;
  const length = text[from + backslash + 1] === 'u' ? escapeMax + 1 : 2;
  return Math.max(start, from + backslash + length);
}
