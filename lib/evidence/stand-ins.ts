// Invented tokens in place of secrets: of the same shape, so that a run computes with them as it did with the real ones.
import { type Random, seededRandom } from '../runtime/random.ts';
import { Disguised } from '../secrets/disguised.ts';
import { Fragments } from '../secrets/fragments.ts';
import { madeBy, type Recipe } from '../secrets/recipe.ts';
import { spellings } from '../secrets/secrets.ts';

/** Of a key so much of its beginning stays: a target shows as much of it as `key_prefix`. */
const shareKept = 0.4;
const keptMax = 15;
/** Secrets as short as this have no part that could stay. */
const shortMax = 15;

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;

/** Never the same: with what stays of its beginning a stand-in would be long enough to be taken for the secret. */
function otherThan(random: Random, character: string): string {
  const alphabet = alphabets.find((one) => one.includes(character));
  if (alphabet === undefined) return character;
  const others = alphabet.replace(character, '');
  return others.charAt(random.int(0, others.length - 1));
}

/** Of a signature nothing is shown anywhere. The last character stays: its bits reach into what stands behind it in base64. */
function invented(secret: string, isKey: boolean, random: Random): string {
  const kept = isKey && secret.length > shortMax ? Math.min(keptMax, Math.floor(secret.length * shareKept)) : 0;
  const last = secret.length > shortMax ? secret.length - 1 : secret.length;
  return [...secret].map((one, at) => (at < kept || at >= last ? one : otherThan(random, one))).join('');
}

/** Of a JWT only the signature is secret. */
function secretPart(value: string): string {
  const parts = value.split('.');
  return value.startsWith('eyJ') && parts.length === 3 ? (parts[2] ?? '') : value;
}

/** Other ways in which a run writes a secret down, to see it refused. */
const disguises: readonly ((secret: string) => string)[] = [
  (secret) => secret.toLowerCase(),
  (secret) => secret.toUpperCase(),
  (secret) => [...secret].reverse().join(''),
];

export class StandIns {
  private readonly random = seededRandom(0).derive('stand-ins');
  private readonly fragments = new Fragments();
  private readonly disguised = new Disguised();
  /** By the name under which the run knows it. */
  private readonly byName = new Map<string, string>();
  private readonly secrets: (readonly [secret: string, standIn: string])[] = [];
  private short: (readonly [secret: string, standIn: string])[] = [];

  /** From now on the value is replaced wherever it turns up. A piece of a known secret gets that piece of its stand-in. */
  add(name: string, value: string): void {
    const secret = secretPart(value);
    const known = this.replace(secret);
    const standIn = known === secret ? this.invented(secret, secret === value) : known;
    this.byName.set(
      name,
      value.replace(secret, () => standIn),
    );
    this.hide(secret, standIn);
    // In other letter case, backwards or packed nothing of the same shape can stand there.
    this.disguised.add(secret, `<${name}>`);
  }

  /** What a run made from secrets gets what is made in the same way from their stand-ins; what it made from none stays. */
  addMade(value: string, recipe: Recipe | undefined): void {
    const secret = secretPart(value);
    const made = recipe
      ? secretPart(madeBy(recipe, this.byName))
      : (this.madeOtherwise(secret) ?? this.invented(secret, secret === value));
    if (made !== secret) this.hide(secret, made);
  }

  replace(text: string): string {
    let clean = text;
    for (const [secret, standIn] of this.short) if (clean.includes(secret)) clean = clean.replaceAll(secret, standIn);
    return this.disguised.redact(this.fragments.redact(clean));
  }

  private invented(secret: string, isKey: boolean): string {
    return invented(secret, isKey, this.random.derive(String(this.secrets.length)));
  }

  private madeOtherwise(value: string): string | undefined {
    for (const disguise of disguises)
      for (const [secret, standIn] of this.secrets) if (disguise(secret) === value) return disguise(standIn);
    return undefined;
  }

  private hide(secret: string, standIn: string): void {
    if (secret === '') return;
    this.secrets.push([secret, standIn]);
    const written = spellings(standIn);
    const own = spellings(secret);
    for (const [index, spelling] of own.entries()) {
      // Many are the same.
      if (own.indexOf(spelling) < index) continue;
      const replacement = written[index] ?? '';
      this.fragments.add(spelling, (from, to) => replacement.slice(from, to));
      if (!Fragments.finds(spelling)) this.short.push([spelling, replacement]);
    }
    this.short.sort(([one], [other]) => other.length - one.length);
  }
}
