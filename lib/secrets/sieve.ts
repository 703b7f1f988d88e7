// Whether a text may hold any secret: a few bits of each step of every secret, in one table for all the ways in which they are written.
import { base64, nextRun, type Run, type Table, tableOf } from './runs.ts';

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

/** The characters of a secret that is found: a step, and half a step beside it. */
const runMin = step + half;

export class Sieve {
  /** Characters of which secrets consist, plain or in base64: most words of a text end before a run of these is long enough. */
  private readonly members: Table = tableOf(base64);
  private seen: Uint8Array | undefined;
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
    for (let at = 0; at < secret.length; at += 1) {
      const small = lettered(secret, at);
      this.members[small] = 1;
      this.members[small & ~caseBit] = 1;
    }
    for (let at = 0; at + step <= secret.length; at += 1)
      if (isUniform(secret, at)) this.uniform.add(lettered(secret, at));
    // The last step of all begins at two places, as every step does.
    for (let at = 0; secret.length >= step && at <= secret.length - step + 1; at += 1) {
      const place = placeOf(secret, at);
      this.seen[place] = (this.seen[place] ?? 0) | kind;
    }
  }

  /** Whether any may stand in the text, in whatever letter case. */
  mayBeIn(text: string, kinds = everyKind): boolean {
    return this.nextIn(text, 0, kinds) >= 0;
  }

  /** The next step of text from `from` on that may stand in a secret; -1 where none does. */
  nextIn(text: string, from: number, kinds: number): number {
    for (let run = this.runIn(text, Math.max(0, from - half)); run; run = this.runIn(text, run.end)) {
      const first = from + step * Math.ceil(Math.max(0, run.start - from) / step);
      const found = this.stepIn(text, run, first, kinds);
      if (found >= 0) return found;
    }
    return -1;
  }

  /** The next run from `from` on in which a secret may stand, plain or in base64: most texts are passed over with that. */
  runIn(text: string, from: number): Run | undefined {
    return nextRun(this.members, text, runMin, from);
  }

  /** Whether any may stand in a run, in whatever letter case. */
  mayBeWithin(text: string, run: Run): boolean {
    return this.stepIn(text, run, run.start, everyKind) >= 0;
  }

  private stepIn(text: string, run: Run, from: number, kinds: number): number {
    const { seen, uniform } = this;
    if (seen === undefined) return -1;
    for (let at = from; at + step <= run.end; at += step) {
      if (isUniform(text, at) && !uniform.has(lettered(text, at))) continue;
      const found = kinds & kindsAt(seen, text, at);
      if (found === 0) continue;
      if (at + step + half <= run.end && (found & kindsBeside(seen, text, at, 1)) !== 0) return at;
      if (at - half >= run.start && (found & kindsBeside(seen, text, at, -1)) !== 0) return at;
    }
    return -1;
  }
}

/** The same in either letter case. */
const lettered = (text: string, at: number): number => text.charCodeAt(at) | caseBit;

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
