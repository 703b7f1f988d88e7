// Secrets whole and in part, found in one pass: also what is left of one that was split over two headers or cut off in an excerpt.

/** Text is looked at in steps of so many characters, so that long texts stay cheap. */
const step = 8;
/** A run of so many characters of a secret is taken out; it always holds one whole step. */
const lengthMin = 2 * step;

const escapeMax = 5;

/** What stands in a clean text for the characters `from` to `to` of a secret, `to` not included. */
export type Substitute = (from: number, to: number) => string;

interface Piece {
  readonly substitute: Substitute;
  /** Where the piece begins in the whole secret. */
  readonly offset: number;
  /** What stands before it and gives nothing away, but is taken out with it. */
  readonly head: string;
  readonly secret: string;
}

/** Where a step of text stands in a piece. There are hundreds of thousands, so they are chained, which takes less than lists. */
interface Occurrence {
  readonly piece: Piece;
  readonly at: number;
  readonly next: Occurrence | undefined;
}

export interface Found {
  readonly start: number;
  /** Not included. */
  readonly end: number;
  readonly write: () => string;
}

/** The first part of a JWT says only how it is signed, and every JWT of a server begins with the same. */
export const headOf = (secret: string): string =>
  secret.startsWith('eyJ') ? secret.slice(0, secret.indexOf('.') + 1) : '';

export class Fragments {
  private readonly places = new Map<string, Occurrence>();

  /** Whether a secret is found whole, wherever it begins. */
  static finds(secret: string): boolean {
    return secret.length - headOf(secret).length >= lengthMin && !secret.includes('\\');
  }

  add(secret: string, substitute: Substitute): void {
    const head = headOf(secret);
    let offset = head.length;
    // Backslashes only come from escaping, and a run that ends in the middle of an escape would damage the text.
    for (const [index, piece] of secret.slice(head.length).split('\\').entries()) {
      this.addPiece({ substitute, offset, head: index === 0 ? head : '', secret: piece });
      offset += piece.length + 1;
    }
  }

  private addPiece(piece: Piece): void {
    for (let at = 0; at + step <= piece.secret.length; at += 1) {
      const gram = piece.secret.slice(at, at + step);
      this.places.set(gram, { piece, at, next: this.places.get(gram) });
    }
  }

  redact(text: string): string {
    let clean = '';
    let kept = 0;
    for (const found of this.in(text)) {
      clean += text.slice(kept, found.start) + found.write();
      kept = found.end;
    }
    return kept === 0 ? text : clean + text.slice(kept);
  }

  /** Where secrets stand in the text, from left to right, and what is written instead. */
  *in(text: string): Generator<Found> {
    if (this.places.size === 0) return;
    let kept = 0;
    for (let at = 0; at + step <= text.length; at += step) {
      if (at < kept) continue;
      const found = this.longestAt(text, at, kept);
      if (found === undefined) continue;
      yield found;
      kept = found.end;
    }
  }

  private longestAt(text: string, at: number, from: number) {
    let place = this.places.get(text.slice(at, at + step));
    if (place === undefined) return undefined;
    const runs: ReturnType<typeof extended>[] = [];
    for (; place !== undefined; place = place.next) {
      runs.unshift(extended(text, at, place, from));
    }
    // Of two that explain as much, the one that is there as a whole.
    const [longest] = runs.sort(
      (one, other) => other.end - other.start - (one.end - one.start) || Number(other.whole) - Number(one.whole),
    );
    return longest && longest.end - longest.start >= lengthMin ? longest : undefined;
  }
}

/** How far text and secret agree to the left and to the right of the place that they share. */
function extended(text: string, textAt: number, { piece, at }: Occurrence, from: number) {
  const { substitute, offset, head, secret } = piece;
  let before = 0;
  while (before < at && textAt - before > from && text[textAt - before - 1] === secret[at - before - 1]) before += 1;
  let after = 0;
  while (at + after < secret.length && textAt + after < text.length && text[textAt + after] === secret[at + after])
    after += 1;
  const agreed = textAt - before;
  const withHead = before === at && head !== '' && agreed - head.length >= from && text.endsWith(head, agreed);
  const start = withHead ? agreed - head.length : behindEscape(text, agreed);
  const whole = before === at && at + after === secret.length;
  const inSecret = offset + at - textAt;
  return { whole, start, end: textAt + after, write: () => substitute(start + inSecret, textAt + after + inSecret) };
}

/** An escape sequence of JSON that begins before a run may reach into it: `\\u` and four digits, or one character. */
function behindEscape(text: string, start: number): number {
  const from = Math.max(0, start - escapeMax);
  const backslash = text.slice(from, start).lastIndexOf('\\');
  if (backslash < 0) return start;
  const length = text[from + backslash + 1] === 'u' ? escapeMax + 1 : 2;
  return Math.max(start, from + backslash + length);
}
