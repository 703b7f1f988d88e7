// Whether a text may hold any secret: a few bits of each step of every secret, in one table for all the ways in which they are written.
import { base64, type Codes, codesOf, nextRun, type Run, type Table, tableOf } from './runs.ts';

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
function placeOf(codes: Codes, at: number): number {
  let hash = 0;
  for (let next = at; next < at + step; next += 2) hash = Math.imul(hash ^ ((codes[next] ?? 0) | caseBit), 0x01000193);
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
    const codes = codesOf(secret);
    this.seen ??= new Uint8Array(places);
    for (let at = 0; at < codes.length; at += 1) {
      const small = lettered(codes, at);
      this.members[small] = 1;
      this.members[small & ~caseBit] = 1;
    }
    for (let at = 0; at + step <= codes.length; at += 1)
      if (isUniform(codes, at)) this.uniform.add(lettered(codes, at));
    // The last step of all begins at two places, as every step does.
    for (let at = 0; codes.length >= step && at <= codes.length - step + 1; at += 1) {
      const place = placeOf(codes, at);
      this.seen[place] = (this.seen[place] ?? 0) | kind;
    }
  }

  /** Whether any may stand in the text, in whatever letter case. */
  mayBeIn(codes: Codes, kinds = everyKind): boolean {
    return this.nextIn(codes, 0, kinds) >= 0;
  }

  /** The next step of text from `from` on that may stand in a secret; -1 where none does. */
  nextIn(codes: Codes, from: number, kinds: number): number {
    for (let run = this.runIn(codes, Math.max(0, from - half)); run; run = this.runIn(codes, run.end)) {
      const first = from + step * Math.ceil(Math.max(0, run.start - from) / step);
      const found = this.stepIn(codes, run, first, kinds);
      if (found >= 0) return found;
    }
    return -1;
  }

  /** The next run from `from` on in which a secret may stand, plain or in base64: most texts are passed over with that. */
  runIn(codes: Codes, from: number): Run | undefined {
    return nextRun(this.members, codes, runMin, from);
  }

  /** Whether any may stand in a run, in whatever letter case. */
  mayBeWithin(codes: Codes, run: Run): boolean {
    return this.stepIn(codes, run, run.start, everyKind) >= 0;
  }

  private stepIn(codes: Codes, run: Run, from: number, kinds: number): number {
    const { seen, uniform } = this;
    if (seen === undefined) return -1;
    for (let at = from; at + step <= run.end; at += step) {
      const found = kinds & kindsAt(seen, codes, at);
      if (found === 0 || (isUniform(codes, at) && !uniform.has(lettered(codes, at)))) continue;
      if (at + step + half <= run.end && (found & kindsBeside(seen, codes, at, 1)) !== 0) return at;
      if (at - half >= run.start && (found & kindsBeside(seen, codes, at, -1)) !== 0) return at;
    }
    return -1;
  }
}

/** The same in either letter case. */
const lettered = (codes: Codes, at: number): number => (codes[at] ?? 0) | caseBit;

/** Whether the step is one character, in either letter case. */
function isUniform(codes: Codes, from: number): boolean {
  const first = lettered(codes, from);
  let at = from + 1;
  while (at < from + step && lettered(codes, at) === first) at += 1;
  return at === from + step;
}

/** The kinds of secrets in which the step that begins here may stand. */
function kindsAt(seen: Uint8Array, codes: Codes, at: number): number {
  const kinds = seen[placeOf(codes, at)] ?? 0;
  return kinds === 0 ? 0 : kinds & (seen[placeOf(codes, at + 1)] ?? 0);
}

/** The same for half a step more, after the step (`side` 1) or before it (-1): also from a quarter on, as many places are taken by chance. */
const kindsBeside = (seen: Uint8Array, codes: Codes, at: number, side: 1 | -1): number =>
  kindsAt(seen, codes, at + (side * half) / 2) & kindsAt(seen, codes, at + side * half);
