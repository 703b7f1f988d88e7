// The secrets of a run; removes them from every text.

import { type Derivation, derivationOf, type Source, sourcesOf } from './derivation.ts';
import { gram, type Place, Places, Plain, type Spelling } from './places.ts';

/** Shorter values would remove ordinary words. */
const lengthMin = gram;
/** What stands before the token of a request. */
const bearer = 'Bearer ';

/** The most secrets tracked one by one; no target has a reason to show more. */
export const secretsMax = 5000;
/** The form of keys in the document; a prefix of one is shorter. */
export const likeKey = /svc_sk_[\w.~+/=-]{16,}/g;
/** Removed once there are more: all that looks like a key, or is named so. */
const perhapsKey = new RegExp(`${likeKey.source}|(?<="api_?key"\\s*:\\s*")[^"<]+`, 'gi');

type Spelled = Pick<Spelling, 'text' | 'unit' | 'phase'>;

/** The characters of the encoding that no neighbouring bytes have a part in, where so many bytes stand before them. */
function base64Core(value: string, before: number): Spelled {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
  const from = Math.ceil((before * 8) / 6);
  const text = bytes.toString('base64').slice(from, Math.floor((bytes.length * 8) / 6));
  return { text, unit: 4, phase: (4 - from) % 4 };
}

const base64url = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

/**
 * The ways in which targets write a value: plain, backwards, in hexadecimal, in base64. Letter case and escapes make no
 * difference.
 */
function spellings(value: string): Spelled[] {
  const base64 = [0, 1, 2].map((before) => base64Core(value, before));
  return [
    { text: value, unit: 1, phase: 0 },
    { text: [...value].reverse().join(''), unit: 1, phase: 0 },
    { text: Buffer.from(value).toString('hex'), unit: 2, phase: 0 },
    ...base64,
    ...base64.map((one) => ({ ...one, text: base64url(one.text) })),
  ];
}

/** The first part of a JWT only says how it is signed, and is the same in every JWT of a server. */
const openPart = (secret: string): number => (secret.startsWith('eyJ') ? secret.indexOf('.') + 1 : 0);

/** A name that is safe inside JSON, whatever a target or a token calls a thing. */
export const plainName = (name: string): string => name.replace(/["\\\p{Cc}]/gu, "'");

type Headers = Readonly<Record<string, string>>;

/** Headers without secrets. A cookie is always a credential. */
export const cleanHeaders = (headers: Headers, clean: (text: string) => string): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [clean(name), name === 'set-cookie' ? '<COOKIE>' : clean(value)]),
  );

/** For a token that the run invented: its derivation, if there is one. */
export interface Invented {
  readonly derivation: Derivation | undefined;
}

/** Called once with each new secret; returns its stand-in of the same shape for `exchanged`. */
export type OnNew = (name: string, value: string, invented?: Invented) => string | undefined;

interface Secret {
  readonly value: string;
  readonly mark: string;
  readonly standIn: string | undefined;
}

const cases = [(one: string) => one, (one: string) => one.toUpperCase(), (one: string) => one.toLowerCase()];

/** The stand-in of a part of a secret, in the letter case of the text. */
function standInAt({ text }: Plain, { spelling, start, end, from }: Place): string {
  const part = (of: string): string => of.slice(from, from + end - start);
  const other = part(spelling.standIn());
  const cased = cases.find((write) => write(part(spelling.text)) === text.slice(start, end));
  return cased?.(other) ?? other;
}

export class Secrets {
  /** The sources of derivations: secrets that are not invented. */
  private readonly sources: Source[] = [];
  /** The name of each added value. */
  private readonly names = new Map<string, string>();
  /** How many values were added under a name. */
  private readonly counts = new Map<string, number>();
  private readonly made = new Map<string, Derivation>();
  /** Marks by whole secret: most requests contain exactly one. */
  private readonly marks = new Map<string, string>();
  private readonly places = new Places();
  /** Added and not yet indexed: most runs of the laboratory write no text. */
  private fresh: Secret[] = [];
  private overflown = false;
  private readonly onNew: OnNew;

  constructor(onNew: OnNew = () => undefined) {
    this.onNew = onNew;
  }

  /**
   * From now on the value is written as `<NAME>` wherever it turns up: in either letter case, backwards, in hexadecimal
   * or base64, escaped as in JSON, URLs or HTML, and in part where it was split or cut off. Returns the name: of a value
   * that has one already that, and a number more where another value has it.
   */
  add(named: string, value: string): string {
    const known = this.names.get(value);
    if (known !== undefined) return known;
    const name = this.free(plainName(named));
    this.names.set(value, name);
    if (value.length >= lengthMin && !this.marks.has(value)) this.sources.push(...sourcesOf(name, value));
    this.hide(name, value);
    return name;
  }

  private free(name: string): string {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  }

  /** Like `add`, for a token that the run invented: its derivation is no secret. */
  addInvented(named: string, value: string): void {
    const name = plainName(named);
    const derivation = derivationOf(value, this.sources);
    if (derivation !== undefined) this.made.set(name, derivation);
    this.hide(name, value, { derivation });
  }

  /** The derivations of invented tokens, by name. */
  get derivations(): ReadonlyMap<string, Derivation> {
    return this.made;
  }

  private hide(name: string, value: string, invented?: Invented): void {
    if (value.length < lengthMin || this.marks.has(value)) return;
    this.overflown ||= this.marks.size >= secretsMax;
    if (this.overflown) return;
    const mark = `<${name}>`;
    this.marks.set(value, mark);
    const standIn = this.onNew(name, value, invented);
    this.fresh.push({ value, mark, standIn });
  }

  /** Too many secrets to track each. */
  get areTooMany(): boolean {
    return this.overflown;
  }

  /** The mark of a text that is exactly a secret; undefined for any other. */
  marked(text: string): string | undefined {
    if (!text.startsWith(bearer)) return this.marks.get(text);
    const mark = this.marks.get(text.slice(bearer.length));
    return mark === undefined ? undefined : bearer + mark;
  }

  redact(text: string): string {
    return this.marked(text) ?? this.written(text, (_, { spelling }) => spelling.mark);
  }

  /** Replaces each secret, or part of it, by its stand-in, spelled and escaped alike. */
  exchanged(text: string): string {
    return this.written(text, (plain, place) => plain.rewritten(place.start, standInAt(plain, place)));
  }

  private written(text: string, write: (plain: Plain, place: Place) => string): string {
    if (text.length < lengthMin) return text;
    this.learn();
    const plain = new Plain(text);
    let other = '';
    let kept = 0;
    for (const place of this.places.in(plain)) {
      other += text.slice(kept, plain.origin(place.start)) + write(plain, place);
      kept = plain.origin(place.end);
    }
    other += text.slice(kept);
    return this.overflown ? other.replace(perhapsKey, '<KEY>') : other;
  }

  private learn(): void {
    const { fresh } = this;
    this.fresh = [];
    for (const { value, mark, standIn } of fresh) {
      const secret = new Plain(value).text;
      let others: readonly Spelled[] | undefined;
      const standsFor = (index: number): string => {
        others ??= spellings(new Plain(standIn ?? value).text);
        return others[index]?.text ?? '';
      };
      const all = spellings(secret);
      for (const [index, spelled] of all.entries()) {
        // Both alphabets of base64 mostly write the same.
        if (all.slice(0, index).some(({ text }) => text === spelled.text)) continue;
        const open = index === 0 ? openPart(secret) : 0;
        this.places.add({ ...spelled, mark, standIn: () => standsFor(index), open });
      }
    }
  }
}
