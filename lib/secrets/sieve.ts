// Whether a text may hold any secret: a few bits of each step of every secret, in one table for all the ways in which they are written.

/** Text is looked at in steps of so many characters, so that long texts stay cheap. */
export const step = 8;
/** What is looked for is at least twice as long as a step, so that it holds half a step more on one side at least. */
const half = step / 2;

/** Most text is passed over without being cut into steps; with so many places hardly a step is looked at in vain. */
const places = 2 ** 19;
const everyKind = 0xff;

/** What capital and small letters differ in: a text need not be written in small letters to see that nothing stands in it. */
const caseBit = 0x20;

/** The place of every second of the characters that begin here, in either letter case. */
function placeOf(text: string, at: number): number {
  let hash = 0;
  for (let next = at; next < at + step; next += 2)
    hash = Math.imul(hash ^ (text.charCodeAt(next) | caseBit), 0x01000193);
  return (hash ^ (hash >>> 15)) & (places - 1);
}

/** UTF-16 has so many code units. */
const characters = 2 ** 16;

export class Sieve {
  private seen: Uint8Array | undefined;
  /** Which characters stand in any secret, in small letters: most words of a text end before a step of these is full. */
  private readonly members = new Uint8Array(characters);
  /** Characters that fill a step of any secret by themselves. In texts these fill up a length, and all at one place. */
  private readonly uniform = new Set<number>();
  private kinds = 0;

  /** One of the ways in which secrets are written, at most eight: each has a bit of its own at every place. */
  kind(): number {
    this.kinds += 1;
    return 1 << (this.kinds - 1);
  }

  /** From now on each step of the secret, wherever it begins, may stand in a text. */
  add(secret: string, kind: number): void {
    this.seen ??= new Uint8Array(places);
    for (let at = 0; at < secret.length; at += 1) this.members[lettered(secret, at)] = 1;
    for (let at = 0; at + step <= secret.length; at += 1)
      if (isUniform(secret, at)) this.uniform.add(lettered(secret, at));
    // The last step of all begins at two places, as every step does.
    for (let at = 0; secret.length >= step && at <= secret.length - step + 1; at += 1) {
      const place = placeOf(secret, at);
      this.seen[place] = (this.seen[place] ?? 0) | kind;
    }
  }

  /** Whether any may stand in the text, in whatever letter case: of most texts that is all there is to know. */
  mayBeIn(text: string, kinds = everyKind): boolean {
    return this.nextIn(text, 0, kinds) >= 0;
  }

  /** The next step of text from `from` on that may stand in a secret; -1 where none does. The loop that is run most of all. */
  nextIn(text: string, from: number, kinds: number): number {
    const { seen, members, uniform } = this;
    if (seen === undefined) return -1;
    const last = text.length - step;
    for (let at = from; at <= last; at += step) {
      if (!isFull(members, text, at) || (isUniform(text, at) && !uniform.has(lettered(text, at)))) continue;
      const found = kinds & kindsAt(seen, text, at);
      if (found === 0) continue;
      if (at + half <= last && (found & kindsBeside(seen, text, at, 1)) !== 0) return at;
      if (at >= half && (found & kindsBeside(seen, text, at, -1)) !== 0) return at;
    }
    return -1;
  }
}

/** The same in either letter case. */
const lettered = (text: string, at: number): number => text.charCodeAt(at) | caseBit;

/** Whether each character of the step stands in some secret. From behind: what does not is mostly the end of a word. The inmost loop calls nothing. */
function isFull(members: Uint8Array, text: string, from: number): boolean {
  let at = from + step - 1;
  while (at >= from && members[text.charCodeAt(at) | caseBit] === 1) at -= 1;
  return at < from;
}

/** Whether the step is one character, in either letter case. */
function isUniform(text: string, from: number): boolean {
  const first = lettered(text, from);
  let at = from + 1;
  while (at < from + step && lettered(text, at) === first) at += 1;
  return at === from + step;
}

/** The kinds of secrets in which the step that begins here may stand. */
const kindsAt = (seen: Uint8Array, text: string, at: number): number =>
  (seen[placeOf(text, at)] ?? 0) & (seen[placeOf(text, at + 1)] ?? 0);

/** The same for half a step more, after the step (`side` 1) or before it (-1): also from a quarter on, as many places are taken by chance. */
const kindsBeside = (seen: Uint8Array, text: string, at: number, side: 1 | -1): number =>
  kindsAt(seen, text, at + (side * half) / 2) & kindsAt(seen, text, at + side * half);
