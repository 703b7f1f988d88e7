// Secrets behind encodings: what a text says once it is decoded, whatever its letter case and direction.
import { type View, viewsOf } from './escapes.ts';
import { type Found, Fragments, headOf } from './fragments.ts';
import { packedRun, unpacked, worthUnpacking } from './packed.ts';
import { Remembered } from './remembered.ts';
import { type Codes, codesOf, passingCodesOf, type Run } from './runs.ts';
import type { Sieve } from './sieve.ts';

const isAscii = /^[\x20-\x7e]*$/;
const layersMax = 3;
/** In so many ways at most one run holds secrets. */
const waysMax = 8;

/** Of the same length: a few letters become two. */
function lower(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const backwards = (text: string): string => [...text].reverse().join('');

/** What is written where a secret is found. */
interface Written {
  readonly mark: string;
  /** As long as the secret, in small letters. */
  readonly standIn: string;
}

/** A part of a text in which a secret was found. */
interface Taken {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
  /** The part with what stands for the secret, encoded in the same way. */
  readonly exchanged: () => string;
}

/** In the letter case of another text of the same length. */
const casedAs = (model: string, text: string): string =>
  [...text].map((one, at) => (model[at] === lower(model[at] ?? '') ? one : one.toUpperCase())).join('');

/** A secret as it is found in the text that a view shows. */
function plainIn(text: string, { of: { mark, standIn }, start, end, from, to }: Found<Written>): Taken {
  return { start, end, mark, exchanged: () => casedAs(text.slice(start, end), standIn.slice(from, to)) };
}

/** The same, in the outermost text of the view. */
function outside(view: View, { start, end, mark, exchanged }: Taken): Taken {
  return {
    start: view.origin(start),
    end: view.origin(end),
    mark,
    exchanged: () => view.rewritten(start, end, exchanged()),
  };
}

export class Disguised {
  private readonly sieve: Sieve;
  private readonly fragments: Fragments<Written>;
  /** The mark for each run; empty where it holds nothing. Cursors come again and again. */
  private readonly marks = new Remembered();
  private ascii = true;

  constructor(sieve: Sieve) {
    this.sieve = sieve;
    this.fragments = new Fragments(sieve);
  }

  /** Secrets that are too short to differ from ordinary words in another letter case are left out. `standIn` is as long as the secret. */
  add(secret: string, mark: string, standIn = secret): void {
    if (!Fragments.finds(secret)) return;
    const head = headOf(secret).length;
    const [plain, other] = [lower(secret.slice(head)), lower(standIn.slice(head))];
    this.marks.clear();
    this.ascii &&= isAscii.test(plain);
    this.fragments.add(plain, { mark, standIn: other });
    this.fragments.add(backwards(plain), { mark, standIn: backwards(other) });
  }

  /** The text with its mark in place of each secret. */
  redact(text: string): string {
    let clean = '';
    let kept = 0;
    for (const { start, end, mark } of this.inOrder(text)) {
      if (start >= kept) clean += text.slice(kept, start) + mark;
      kept = Math.max(kept, end);
    }
    return clean + text.slice(kept);
  }

  /** The text with what stands for each secret, encoded in the same way. */
  exchanged(text: string): string {
    return this.exchangedIn(text, layersMax);
  }

  private exchangedIn(text: string, layers: number): string {
    let other = '';
    let kept = 0;
    for (const { start, end, exchanged } of this.inOrder(text, layers)) {
      if (end <= kept) continue;
      // Of one that begins within another, what stands behind that.
      other += start >= kept ? text.slice(kept, start) + exchanged() : exchanged().slice(kept - start);
      kept = end;
    }
    return other + text.slice(kept);
  }

  private inOrder(text: string, layers = layersMax): readonly Taken[] {
    const views = viewsOf(text).filter((view) => this.mayHoldIn(view.text));
    if (views.length === 0) return [];
    const found = views.flatMap((view) => [...this.takenIn(view, layers)]);
    return found.length < 2 ? found : found.sort((one, other) => one.start - other.start);
  }

  /** Whether anything may be found in a text, by whoever shares the sieve: most texts hold nothing, and that is soon seen. */
  mayHold(text: string): boolean {
    return viewsOf(text).some((view) => this.mayHoldIn(view.text));
  }

  private mayHoldIn(text: string): boolean {
    // In other alphabets small letters differ from capital ones in more than a bit.
    if (!this.ascii) return this.mayShow(text) || !this.packedIn(text, layersMax).next().done;
    const codes = passingCodesOf(text);
    for (let run = this.sieve.runIn(codes, 0); run; run = this.sieve.runIn(codes, run.end))
      if (this.sieve.mayBeWithin(codes, run) || this.mayBePacked(text, codes, run)) return true;
    return false;
  }

  private mayShow(text: string): boolean {
    return this.sieve.mayBeIn(codesOf(text)) || (!this.ascii && this.sieve.mayBeIn(codesOf(lower(text))));
  }

  private mayBePacked(text: string, codes: Codes, { start, end }: Run): boolean {
    for (let run = packedRun(codes, start, end); run; run = packedRun(codes, run.end, end))
      if (this.markIn(text, codes, run, layersMax) !== undefined) return true;
    return false;
  }

  private *takenIn(view: View, layers: number): Generator<Taken> {
    const { text } = view;
    if (this.mayShow(text))
      for (const found of this.fragments.in(lower(text))) yield outside(view, plainIn(text, found));
    for (const found of this.packedIn(text, layers)) yield outside(view, found);
  }

  /** Runs that hold a secret once they are unpacked; each is taken out as a whole. */
  private *packedIn(text: string, layers: number): Generator<Taken> {
    if (layers === 0) return;
    const codes = codesOf(text);
    for (let span = packedRun(codes, 0); span; span = packedRun(codes, span.end)) {
      const mark = this.markIn(text, codes, span, layers);
      const exchanged = (): string => this.packedAgain(text.slice(span.start, span.end), layers);
      if (mark !== undefined) yield { ...span, mark, exchanged };
    }
  }

  private markIn(text: string, codes: Codes, span: Run, layers: number): string | undefined {
    if (this.ascii && !worthUnpacking(text, codes, span)) return undefined;
    const run = text.slice(span.start, span.end);
    if (layers < layersMax) return this.markWithin(run, layers);
    return this.marks.of(run, () => this.markWithin(run, layers) ?? '') || undefined;
  }

  private markWithin(run: string, layers: number): string | undefined {
    for (const { inside } of unpacked(run))
      for (const view of viewsOf(inside)) for (const { mark } of this.takenIn(view, layers - 1)) return mark;
    return undefined;
  }

  /** A run may hold secrets in more than one way: once exchanged, they are found in none. */
  private packedAgain(run: string, layers: number): string {
    let again = run;
    for (let round = 0; round < waysMax; round += 1) {
      const other = this.packedOnce(again, layers);
      if (other === undefined) break;
      again = other;
    }
    return again;
  }

  private packedOnce(run: string, layers: number): string | undefined {
    for (const { inside, packed } of unpacked(run)) {
      const other = this.exchangedIn(inside, layers - 1);
      if (other !== inside) return packed(other);
    }
    return undefined;
  }
}
