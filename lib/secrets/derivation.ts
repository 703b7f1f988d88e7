// How the run derived a token from a real one: pieces from which anybody who has the real one can build it.

/**
 * A literal, or the characters of a secret from `from` (1 is the first) to `to`; without `to` up to its end, and with
 * `to` -1 up to the last but one. `part` is one of the parts between the dots of a JWT, from 1.
 */
export type Piece =
  | string
  | { readonly of: string; readonly part?: number; readonly from: number; readonly to?: number };
export type Derivation = readonly Piece[];

/** Builds the token from these secrets, or from their stand-ins. */
export function madeBy(derivation: Derivation, secrets: ReadonlyMap<string, string>): string {
  const pieces = derivation.map((piece) => {
    if (typeof piece === 'string') return piece;
    const secret = secrets.get(piece.of) ?? '';
    const text = piece.part === undefined ? secret : (secret.split('.')[piece.part - 1] ?? '');
    return text.slice(piece.from - 1, piece.to);
  });
  return pieces.join('');
}

/** Shorter matches are chance, or a prefix that all tokens share. */
const pieceMin = 8;
/** This share of the beginning of a key is no secret. */
const shareShown = 0.4;
const shownMax = 15;
/** No part of so short a secret may be shown. */
export const shortMax = 15;

/** What a piece may be taken from. */
export interface Source {
  readonly of: string;
  readonly part?: number;
  readonly text: string;
}

interface Match {
  readonly source: Source;
  readonly at: number;
  readonly length: number;
}

function longestMatch(token: string, start: number, sources: readonly Source[]): Match | undefined {
  let best: Match | undefined;
  for (const source of sources) {
    let length = Math.max(pieceMin, (best?.length ?? 0) + 1);
    for (;;) {
      const at = start + length > token.length ? -1 : source.text.indexOf(token.slice(start, start + length));
      if (at < 0) break;
      best = { source, at, length };
      length += 1;
    }
  }
  return best;
}

function pieceOf({ source: { of, part, text }, at, length }: Match): Piece {
  const rest = text.length - at - length;
  const to = rest === 0 ? {} : { to: rest === 1 ? -1 : at + length };
  return { of, ...(part === undefined ? {} : { part }), from: at + 1, ...to };
}

/** The rest of a secret with one character changed, dropped or added, however short it is. */
function restOf(token: string, start: number, { source, at, length }: Match): Match | undefined {
  const rest = token.slice(start);
  const from = [1, 0].map((more) => at + length + more).find((end) => source.text.slice(end) === rest);
  return from === undefined ? undefined : { source, at: from, length: rest.length };
}

/** Stand-ins keep the beginning of a key that the target also shows as `key_prefix`. */
export const shownOf = (key: string): number =>
  key.length > shortMax ? Math.min(shownMax, Math.floor(key.length * shareShown)) : 0;

/** Whether a literal would reveal a part of a secret in another letter case, or backwards. */
const reveals = (literal: string, sources: readonly Source[]): boolean =>
  [literal, [...literal].reverse().join('')].some((text) => shows(text.toLowerCase(), sources));

function shows(text: string, sources: readonly Source[]): boolean {
  if (text.length < pieceMin) return false;
  const grams = Array.from({ length: text.length - pieceMin + 1 }, (_, at) => text.slice(at, at + pieceMin));
  const hidden = sources.map(({ part, text: all }) => all.slice(part === undefined ? shownOf(all) : 0).toLowerCase());
  return hidden.some((one) => grams.some((gram) => one.includes(gram)));
}

function piecesOf(token: string, sources: readonly Source[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let literal = '';
  let last: Match | undefined;
  for (let at = 0; at < token.length; ) {
    const found =
      longestMatch(token, at, sources) ?? (last && literal.length < 2 ? restOf(token, at, last) : undefined);
    if (found === undefined) {
      literal += token.charAt(at);
      at += 1;
      continue;
    }
    if (literal !== '') pieces.push(literal);
    literal = '';
    pieces.push(pieceOf(found));
    last = found;
    at += found.length;
  }
  return literal === '' ? pieces : [...pieces, literal];
}

/** A JWT by its parts, which keep their meaning in another JWT; any other secret as a whole. */
export function sourcesOf(of: string, secret: string): readonly Source[] {
  const parts = secret.split('.');
  return parts.length === 3 ? parts.map((text, index) => ({ of, part: index + 1, text })) : [{ of, text: secret }];
}

/** Undefined if every derivation would reveal a secret. */
export function derivationOf(token: string, sources: readonly Source[]): Derivation | undefined {
  const isJwt = sources.some(({ part, text }) => part !== undefined && text !== '' && token.includes(text));
  const parts = isJwt ? token.split('.') : [token];
  const pieces = parts.flatMap((part, index) => [...(index === 0 ? [] : ['.']), ...piecesOf(part, sources)]);
  const isOpen = pieces.some((piece) => typeof piece === 'string' && reveals(piece, sources));
  return isOpen ? undefined : pieces;
}
