// Secrets whole and in part, found in one pass: also what is left of one that was split over two headers or cut off in an excerpt.
import { type Codes, codesOf } from './runs.ts';
import { Sieve, step } from './sieve.ts';

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

/** `Of` says whose fragment it is. */
export class Fragments<Of> {
  private readonly places = new Map<string, Occurrence<Of>>();
  /** Not yet among the places: some ways to write a secret are never met in a run. */
  private fresh: Piece<Of>[] = [];
  private readonly sieve: Sieve;
  private readonly kind: number;

  /** Fragments that are looked for in the same texts share a sieve. */
  constructor(sieve = new Sieve()) {
    this.sieve = sieve;
    this.kind = sieve.kind();
  }

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
    // What begins a secret may be taken out with a single step of the rest.
    this.sieve.add(piece.head.slice(1 - step) + piece.secret, this.kind);
    this.fresh.push(piece);
  }

  private learn(): void {
    for (const piece of this.fresh) {
      for (let at = 0; at + step <= piece.secret.length; at += 1) {
        const gram = piece.secret.slice(at, at + step);
        this.places.set(gram, { piece, at, next: this.places.get(gram) });
      }
    }
    this.fresh = [];
  }

  /** The text with what is written for each of them. */
  redact(text: string, write: (found: Found<Of>) => string): string {
    if (!this.sieve.mayBeIn(codesOf(text), this.kind)) return text;
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
    const codes = codesOf(text);
    let kept = 0;
    for (let at = this.nextIn(codes, 0); at >= 0; at = this.nextIn(codes, at + step)) {
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

  private nextIn(codes: Codes, from: number): number {
    return this.sieve.nextIn(codes, from, this.kind);
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
    if (this.fresh.length > 0) this.learn();
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
