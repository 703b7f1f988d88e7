// Invented tokens in place of secrets: of the same shape, so that a run computes with them as it did with the real ones.
import { type Random, seededRandom } from '../runtime/random.ts';
import { Disguised } from '../secrets/disguised.ts';
import { madeBy } from '../secrets/recipe.ts';
import { Remembered } from '../secrets/remembered.ts';
import { type Invented, Secrets } from '../secrets/secrets.ts';

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
  /** What is known to it is replaced from then on, wherever it turns up. */
  readonly secrets = new Secrets((name, value, made) => (made ? this.madeFor(value, made) : this.of(name, value)));
  private readonly random = seededRandom(0).derive('stand-ins');
  private readonly disguised = new Disguised();
  private readonly replaced = new Remembered();
  /** By the name under which the run knows it. */
  private readonly byName = new Map<string, string>();
  private readonly known: (readonly [secret: string, standIn: string])[] = [];

  replace(text: string): string {
    return this.replaced.of(text, () => this.disguised.redact(this.secrets.exchanged(text)));
  }

  /** A piece of a known secret gets that piece of its stand-in. */
  private of(name: string, value: string): string {
    const secret = secretPart(value);
    const piece = this.secrets.exchanged(secret);
    const standIn = piece === secret ? this.invented(secret, secret === value) : piece;
    // In other letter case, backwards or packed nothing of the same shape can stand there.
    this.disguised.add(secret, `<${name}>`);
    const whole = this.instead(value, secret, standIn);
    this.byName.set(name, whole);
    return whole;
  }

  /** What a run made from secrets gets what is made in the same way from their stand-ins; what it made from none stays. */
  private madeFor(value: string, { recipe }: Invented): string {
    const secret = secretPart(value);
    const made = recipe
      ? secretPart(madeBy(recipe, this.byName))
      : (this.madeOtherwise(secret) ?? this.invented(secret, secret === value));
    return this.instead(value, secret, made);
  }

  private invented(secret: string, isKey: boolean): string {
    return invented(secret, isKey, this.random.derive(String(this.known.length)));
  }

  private madeOtherwise(value: string): string | undefined {
    for (const disguise of disguises)
      for (const [secret, standIn] of this.known) if (disguise(secret) === value) return disguise(standIn);
    return undefined;
  }

  private instead(value: string, secret: string, standIn: string): string {
    this.known.push([secret, standIn]);
    this.replaced.clear();
    return value.replace(secret, () => standIn);
  }
}
