// The secrets of a run, and the one place where they are taken out of a text.
import { Disguised } from './disguised.ts';
import { Fragments, lengthMin as partMin } from './fragments.ts';
import { type Recipe, recipeOf, type Source, sourcesOf } from './recipe.ts';
import { Remembered } from './remembered.ts';
import { Sieve } from './sieve.ts';

/** Shorter values would blank out ordinary words. */
const lengthMin = 6;
/** What stands before the token of a request. */
const bearer = 'Bearer ';

/** The characters of the encoding that no neighbouring bytes have a part in, for each of the three ways in which it can lie. */
function base64Cores(value: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

const base64url = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

/** A value as it stands in texts for people and programs; some spellings may be the same. */
function spellings(value: string): string[] {
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), html];
}

/** The same packed: of one that was cut off, too little may be left to be unpacked. */
function packings(value: string): string[] {
  const hex = Buffer.from(value).toString('hex');
  const base64 = base64Cores(value);
  return [...base64, ...base64.map(base64url), hex, hex.toUpperCase()];
}

/** A name as it stands in texts: within JSON too, whatever a target or a token calls a thing. */
export const plainName = (name: string): string => name.replace(/["\\\p{Cc}]/gu, "'");

/** Of a token that the run made up: whether it could be said how. */
export interface Invented {
  readonly recipe: Recipe | undefined;
}

/** Called once with each secret, as soon as it is known; returns what stands for it in `exchanged`, of the same shape. */
export type OnNew = (name: string, value: string, invented?: Invented) => string | undefined;

/** One spelling of a secret, by what is written in its place. */
interface Written {
  readonly mark: string;
  /** Of the same length as what it stands for; spelled when it is asked for, which it hardly ever is. */
  readonly standIn: () => string;
}

interface Fresh {
  readonly mark: string;
  readonly value: string;
  readonly standIn: string | undefined;
}

/** Each spelling of a secret once, with that of what stands for it. */
function writtenFor({ mark, value, standIn }: Fresh, spell: (text: string) => string[]): ReadonlyMap<string, Written> {
  let others: readonly string[] | undefined;
  const standsFor = (index: number): string => {
    others ??= spell(standIn ?? value);
    return others[index] ?? '';
  };
  return new Map(spell(value).map((spelling, index) => [spelling, { mark, standIn: () => standsFor(index) }]));
}

export class Secrets {
  private readonly known = new Set<string>();
  /** Of the secrets that are no invention. */
  private readonly sources: Source[] = [];
  /** Of the values that were added, by these. */
  private readonly names = new Map<string, string>();
  /** How many values were added under a name. */
  private readonly counts = new Map<string, number>();
  private readonly made = new Map<string, Recipe>();
  /** By the secret as a whole: most requests show one, by itself. */
  private readonly marks = new Map<string, string>();
  /** Added since the last text was cleaned: most runs of the laboratory write none. */
  private fresh: Fresh[] = [];
  private readonly sieve = new Sieve();
  private readonly plain = new Fragments<Written>(this.sieve);
  private readonly packed = new Fragments<Written>(this.sieve);
  private readonly disguised = new Disguised(this.sieve);
  private readonly whole = new Map<string, Written>();
  private longestFirst: [string, Written][] = [];
  /** Whether JSON escapes no character of any. */
  private jsonShowsAll = true;
  /** In a shorter text nothing can stand. */
  private shortest = partMin;
  /** Short texts as they were cleaned of all that is known. */
  private readonly short = new Remembered();
  private readonly onNew: OnNew;
  private readonly recorded: Readonly<Record<string, Recipe>> | undefined;

  /** `recorded`: how the invented tokens were made in a run that is played again, with stand-ins in place of its secrets. */
  constructor(onNew: OnNew = () => undefined, recorded?: Readonly<Record<string, Recipe>>) {
    this.onNew = onNew;
    this.recorded = recorded;
  }

  /**
   * From now on the value is written as `<NAME>` wherever it turns up: in any usual encoding, and in part where it was
   * split or cut off; also percent-encoded or escaped in another way, in another letter case, backwards, or packed.
   * Returns the name: of a value that has one already that, and a number more where another value has it.
   */
  add(named: string, value: string): string {
    const known = this.names.get(value);
    if (known !== undefined) return known;
    const name = this.free(plainName(named));
    this.names.set(value, name);
    if (value.length >= lengthMin && !this.known.has(value)) this.sources.push(...sourcesOf(name, value));
    this.hide(name, value);
    return name;
  }

  private free(name: string): string {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  }

  /** As `add`, for a token that the run made up itself: how it is made is no secret. */
  addInvented(named: string, value: string): void {
    const name = plainName(named);
    const own = recipeOf(value, this.sources);
    const recipe = this.recorded ? this.recorded[name] : own;
    if (recipe !== undefined) this.made.set(name, recipe);
    this.hide(name, value, { recipe: own });
  }

  /** How the invented tokens are made, by their names. */
  get recipes(): ReadonlyMap<string, Recipe> {
    return this.made;
  }

  private hide(name: string, value: string, invented?: Invented): void {
    if (value.length < lengthMin || this.known.has(value)) return;
    this.known.add(value);
    const standIn = this.onNew(name, value, invented);
    const mark = `<${name}>`;
    this.marks.set(value, mark);
    this.fresh.push({ mark, value, standIn });
  }

  /** What is written for a text that is a secret and nothing else; undefined for any other. */
  marked(text: string): string | undefined {
    if (!text.startsWith(bearer)) return this.marks.get(text);
    const mark = this.marks.get(text.slice(bearer.length));
    return mark === undefined ? undefined : bearer + mark;
  }

  redact(text: string): string {
    const marked = this.marked(text);
    if (marked !== undefined) return marked;
    this.learn();
    if (text.length < this.shortest) return text;
    return this.short.of(text, () => (this.mayHold(text) ? this.cleaned(text) : text));
  }

  private cleaned(text: string): string {
    let clean = text;
    for (const [secret, { mark }] of this.longestFirst) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, () => mark);
    }
    const unpacked = this.disguised.redact(this.plain.redact(clean, ({ of }) => of.mark));
    return this.packed.redact(unpacked, ({ of }) => of.mark);
  }

  /** The text with what stands for each secret, or for a part of it, spelled and encoded as the secret is there. */
  exchanged(text: string): string {
    this.learn();
    if (!this.mayHold(text)) return text;
    let other = text;
    for (const [secret, { standIn }] of this.longestFirst) {
      if (other.includes(secret)) other = other.replaceAll(secret, standIn);
    }
    return this.packed.redact(this.disguised.exchanged(other), ({ of, from, to }) => of.standIn().slice(from, to));
  }

  /** Whether a text of JSON may show any secret, in any of the texts that it holds: most hold none, and to look once is enough. */
  mayBeInJson(text: string): boolean {
    this.learn();
    return !this.jsonShowsAll || this.mayHold(text);
  }

  /** Of most texts that is all there is to know. */
  private mayHold(text: string): boolean {
    if (text.length < this.shortest) return false;
    return this.longestFirst.some(([secret]) => text.includes(secret)) || this.disguised.mayHold(text);
  }

  private learn(): void {
    if (this.fresh.length === 0) return;
    for (const one of this.fresh) {
      this.jsonShowsAll &&= JSON.stringify(one.value).length === one.value.length + 2;
      this.disguised.add(one.value, one.mark, one.standIn);
      this.addTo(this.plain, writtenFor(one, spellings));
      this.addTo(this.packed, writtenFor(one, packings));
    }
    this.fresh = [];
    this.short.clear();
    this.longestFirst = [...this.whole].sort(([one], [other]) => other.length - one.length);
    this.shortest = Math.min(partMin, this.longestFirst.at(-1)?.[0].length ?? partMin);
  }

  private addTo(fragments: Fragments<Written>, spelled: ReadonlyMap<string, Written>): void {
    for (const [spelling, written] of spelled) {
      fragments.add(spelling, written);
      if (!Fragments.finds(spelling)) this.whole.set(spelling, written);
    }
  }
}
