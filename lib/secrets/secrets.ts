// The secrets of a run, and the one place where they are taken out of a text.
import { gram, type Place, Places, Plain, type Spelling } from './places.ts';
import { type Recipe, recipeOf, type Source, sourcesOf } from './recipe.ts';

/** Shorter values would blank out ordinary words. */
const lengthMin = gram;
/** What stands before the token of a request. */
const bearer = 'Bearer ';

/** So many are known one by one; no target has a reason to show more. */
export const secretsMax = 5000;
/** As the document shows keys; a prefix of one is shorter. */
export const likeKey = /svc_sk_[\w.~+/=-]{16,}/g;
/** What is hidden once there are more: all that looks like a key, or is called so. */
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

/** A value as targets write it: as it is, backwards, in hexadecimal, in base64. Letter case and escapes make no difference. */
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

/** The first part of a JWT says only how it is signed, and every JWT of a server begins with the same. */
const openPart = (secret: string): number => (secret.startsWith('eyJ') ? secret.indexOf('.') + 1 : 0);

/** A name as it stands in texts: within JSON too, whatever a target or a token calls a thing. */
export const plainName = (name: string): string => name.replace(/["\\\p{Cc}]/gu, "'");

type Headers = Readonly<Record<string, string>>;

/** Headers as they may be shown. A cookie is a credential, whatever it says. */
export const cleanHeaders = (headers: Headers, clean: (text: string) => string): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [clean(name), name === 'set-cookie' ? '<COOKIE>' : clean(value)]),
  );

/** Of a token that the run made up: whether it could be said how. */
export interface Invented {
  readonly recipe: Recipe | undefined;
}

/** Called once with each secret, as soon as it is known; returns what stands for it in `exchanged`, of the same shape. */
export type OnNew = (name: string, value: string, invented?: Invented) => string | undefined;

interface Secret {
  readonly value: string;
  readonly mark: string;
  readonly standIn: string | undefined;
}

const cases = [(one: string) => one, (one: string) => one.toUpperCase(), (one: string) => one.toLowerCase()];

/** What stands for a part of a secret, in the letter case that the part has in the text. */
function standInAt({ text }: Plain, { spelling, start, end, from }: Place): string {
  const part = (of: string): string => of.slice(from, from + end - start);
  const other = part(spelling.standIn());
  const cased = cases.find((write) => write(part(spelling.text)) === text.slice(start, end));
  return cased?.(other) ?? other;
}

export class Secrets {
  /** Of the secrets that are no invention. */
  private readonly sources: Source[] = [];
  /** Of the values that were added, by these. */
  private readonly names = new Map<string, string>();
  /** How many values were added under a name. */
  private readonly counts = new Map<string, number>();
  private readonly made = new Map<string, Recipe>();
  /** By the secret as a whole: most requests show one, by itself. */
  private readonly marks = new Map<string, string>();
  private readonly places = new Places();
  /** Not yet among the places: most runs of the laboratory write no text. */
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

  /** As `add`, for a token that the run made up itself: how it is made is no secret. */
  addInvented(named: string, value: string): void {
    const name = plainName(named);
    const recipe = recipeOf(value, this.sources);
    if (recipe !== undefined) this.made.set(name, recipe);
    this.hide(name, value, { recipe });
  }

  /** How the invented tokens are made, by their names. */
  get recipes(): ReadonlyMap<string, Recipe> {
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

  /** There are too many to know each. */
  get areTooMany(): boolean {
    return this.overflown;
  }

  /** What is written for a text that is a secret and nothing else; undefined for any other. */
  marked(text: string): string | undefined {
    if (!text.startsWith(bearer)) return this.marks.get(text);
    const mark = this.marks.get(text.slice(bearer.length));
    return mark === undefined ? undefined : bearer + mark;
  }

  redact(text: string): string {
    return this.marked(text) ?? this.written(text, (_, { spelling }) => spelling.mark);
  }

  /** The text with what stands for each secret, or for a part of it, spelled and escaped as the secret is there. */
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
