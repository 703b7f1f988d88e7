// Finds secrets in a text, whole or in part, however they are escaped: in one pass, however many there are.

/** One escaped character, possibly escaped several times. */
const escaped =
  /\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})|%(?:25)*([0-9a-f]{2})|&(?:amp;)*#x([0-9a-f]{2,4});|&(?:amp;)*#(\d{2,5});|&(?:amp;)*(amp|lt|gt|quot|apos);|\\+(["\\/bfnrt])/gi;
/** A character that every escape contains: most texts have none. */
const likeEscape = /[\\%]|&[#a-z]/i;
const letters: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** The code of the character in an escape, and its base. */
function numberIn([, json, javaScript, percent, hex, decimal]: RegExpMatchArray):
  | readonly [string, number]
  | undefined {
  const sixteenth = json ?? javaScript ?? percent ?? hex;
  if (sixteenth !== undefined) return [sixteenth, 16];
  return decimal === undefined ? undefined : [decimal, 10];
}

function character(match: RegExpMatchArray): string {
  const number = numberIn(match);
  if (number !== undefined) return String.fromCharCode(Number.parseInt(...number));
  const name = match[6]?.toLowerCase() ?? match[7] ?? '';
  return letters[name] ?? name;
}

/** The same escape with another character. */
function renumbered(spelled: string, other: string): string {
  const [found] = spelled.matchAll(escaped);
  const number = found && numberIn(found);
  if (number === undefined) return other;
  const [old, base] = number;
  const code = other
    .charCodeAt(0)
    .toString(base)
    .padStart(base === 16 ? old.length : 0, '0');
  const at = spelled.lastIndexOf(old);
  return spelled.slice(0, at) + (/[A-F]/.test(old) ? code.toUpperCase() : code) + spelled.slice(at + old.length);
}

/** A text with every escape resolved. */
export class Plain {
  readonly text: string;
  private readonly written: string;
  /** The place of each character in the original text; absent if nothing is escaped. */
  private readonly origins: Uint32Array | undefined;

  constructor(written: string) {
    this.written = written;
    this.text = written;
    if (!likeEscape.test(written)) return;
    const origins = new Uint32Array(written.length + 1);
    let text = '';
    let kept = 0;
    const keep = (to: number) => {
      for (let at = kept; at < to; at += 1) origins[text.length + at - kept] = at;
      text += written.slice(kept, to);
    };
    for (const match of written.matchAll(escaped)) {
      keep(match.index);
      origins[text.length] = match.index;
      text += character(match);
      kept = match.index + match[0].length;
    }
    keep(written.length);
    origins[text.length] = written.length;
    this.origins = origins;
    this.text = text;
  }

  /** The place of a character in the original text. */
  origin(at: number): number {
    return this.origins?.[at] ?? at;
  }

  /** Replaces the text from `start` on, each character escaped as the one it replaces. */
  rewritten(start: number, other: string): string {
    const each = other.split('').map((one, index) => {
      const at = start + index;
      const old = this.written.slice(this.origin(at), this.origin(at + 1));
      if (one === this.text[at]) return old;
      return old.length === 1 ? one : renumbered(old, one);
    });
    return each.join('');
  }
}

/** Secrets are indexed by every block of this many characters. A shorter text reveals nothing. */
export const gram = 6;
/** A part of a secret this long is removed; it contains at least one whole gram. */
const partMin = 16;
/**
 * A gram in more spellings than this, such as a common prefix, identifies none; forged tokens share the parts of one
 * JWT.
 */
const sharersMax = 64;

/** One way to write a secret, found in either letter case. */
export interface Spelling {
  /** What is written in its place. */
  readonly mark: string;
  /** The same spelling of what stands for the secret; made when it is asked for, which it hardly ever is. */
  readonly standIn: () => string;
  readonly text: string;
  /** The length of its beginning that is no secret. */
  readonly open: number;
  /**
   * The number of characters that encode whole characters of the secret, from `phase` on: parts begin and end there.
   */
  readonly unit: number;
  readonly phase: number;
}

/** A part of a text that is part of a spelling, which begins at `from` there. The end is not included. */
export interface Place {
  readonly spelling: Spelling;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  /** In the letter case of the spelling. */
  readonly exact: boolean;
}

/** Chained, which takes less memory than lists. */
interface Known {
  readonly spelling: Spelling;
  readonly at: number;
  readonly next: Known | undefined;
  readonly sharers: number;
}

/** The same for capital and small letters. */
const folded = (text: string, at: number): number => text.charCodeAt(at) | 0x20;

const factor = 0x01000193;
const oldest = Array.from({ length: gram }).reduce((power: number) => Math.imul(power, factor), 1);

/** Calls back for the hash of each gram; each follows from the one before. */
function eachGram(text: string, call: (hash: number, at: number) => void): void {
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    hash = (Math.imul(hash, factor) + folded(text, end)) | 0;
    if (end >= gram) hash = (hash - Math.imul(oldest, folded(text, end - gram))) | 0;
    if (end >= gram - 1) call(hash, end - gram + 1);
  }
}

/** A bit set: most grams of a text are in no secret, and one bit shows it. */
const bits = 2 ** 20;

const lengthOf = ({ start, end }: Place): number => end - start;

/** Of two equally long matches always the same one, in whichever order the secrets became known. */
const inOrder = (one: Place, other: Place): number =>
  one.start - other.start ||
  other.end - one.end ||
  Number(other.exact) - Number(one.exact) ||
  (one.spelling.mark < other.spelling.mark ? -1 : 1);

export class Places {
  private readonly known = new Map<number, Known>();
  private seen = new Uint8Array(0);

  add(spelling: Spelling): void {
    const { text, open } = spelling;
    const last = text.length - gram;
    if (this.seen.length === 0) this.seen = new Uint8Array(bits / 8);
    eachGram(text, (hash, at) => {
      if (at < open || ((at - open) % gram !== 0 && at !== last)) return;
      const next = this.known.get(hash);
      const sharers = (next?.sharers ?? 0) + 1;
      if (sharers > sharersMax) return;
      this.known.set(hash, { spelling, at, next, sharers });
      const bit = hash & (bits - 1);
      this.seen[bit >> 3] = (this.seen[bit >> 3] ?? 0) | (1 << (bit & 7));
    });
  }

  /** From left to right, none within another; where two overlap, the longer one as a whole. */
  in({ text }: Plain): readonly Place[] {
    const found: Place[] = [];
    if (this.known.size === 0) return found;
    /** Where the last place of a spelling ends: its other grams there show nothing more. */
    const ends = new Map<Spelling, number>();
    eachGram(text, (hash, at) => {
      const bit = hash & (bits - 1);
      if (((this.seen[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return;
      for (let known = this.known.get(hash); known !== undefined; known = known.next) {
        if (at + gram <= (ends.get(known.spelling) ?? 0)) continue;
        const place = extended(text, at, known);
        if (place === undefined) continue;
        found.push(place);
        ends.set(place.spelling, place.end);
      }
    });
    return found.length < 2 ? found : apart(found.sort(inOrder));
  }
}

/** Extends a common gram to the whole match; undefined if that is too short to mean anything. */
function extended(text: string, textAt: number, { spelling, at }: Known): Place | undefined {
  const { text: secret, open, unit, phase } = spelling;
  let before = 0;
  while (before < Math.min(at, textAt) && folded(text, textAt - before - 1) === folded(secret, at - before - 1))
    before += 1;
  let after = 0;
  const afterMax = Math.min(secret.length - at, text.length - textAt);
  while (after < afterMax && folded(text, textAt + after) === folded(secret, at + after)) after += 1;
  if (after < gram) return undefined;
  const from = at === before ? 0 : phase + unit * Math.ceil((at - before - phase) / unit);
  const to = at + after === secret.length ? secret.length : phase + unit * Math.floor((at + after - phase) / unit);
  const [start, end] = [textAt + from - at, textAt + to - at];
  const exact = text.slice(start, end) === secret.slice(from, to);
  // A short one is a secret only as it is: in another letter case it may be an ordinary word.
  const isSecret = end - start - Math.max(0, open - from) >= partMin || (exact && to - from === secret.length);
  return isSecret ? { spelling, start, end, from, exact } : undefined;
}

function apart(sorted: readonly Place[]): readonly Place[] {
  const places: Place[] = [];
  for (const place of sorted) {
    const last = places.at(-1);
    if (last === undefined || place.start >= last.end) places.push(place);
    else if (lengthOf(place) > lengthOf(last)) {
      places.pop();
      if (place.start - last.start >= gram) places.push({ ...last, end: place.start });
      places.push(place);
    } else if (place.end - last.end >= gram) {
      places.push({ ...place, start: last.end, from: place.from + last.end - place.start });
    }
  }
  return places;
}
