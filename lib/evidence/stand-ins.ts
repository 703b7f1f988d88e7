// Invented tokens in place of secrets: of the same shape, and as alike among each other as the real ones.
import { type Random, seededRandom } from '../runtime/random.ts';
import { madeBy, shortMax, shownOf } from '../secrets/recipe.ts';
import { type Invented, Secrets } from '../secrets/secrets.ts';

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
  const kept = isKey ? shownOf(secret) : 0;
  const last = secret.length > shortMax ? secret.length - 1 : secret.length;
  return [...secret].map((one, at) => (at < kept || at >= last ? one : otherThan(random, one))).join('');
}

/** Of a JWT only the signature is secret. */
function secretPart(value: string): string {
  const parts = value.split('.');
  return value.startsWith('eyJ') && parts.length === 3 ? (parts[2] ?? '') : value;
}

export class StandIns {
  /** What is known to it is replaced, wherever it stands. */
  readonly secrets = new Secrets((name, value, made) => this.of(name, value, made));
  private readonly random = seededRandom(0).derive('stand-ins');
  /** By the name under which the run knows it. */
  private readonly byName = new Map<string, string>();
  private count = 0;

  replace(text: string): string {
    return this.secrets.exchanged(text);
  }

  /** What a run made from secrets gets what is made in the same way from their stand-ins; what it made from none stays. */
  private of(name: string, value: string, made?: Invented): string {
    const secret = secretPart(value);
    const standIn = made?.recipe ? secretPart(madeBy(made.recipe, this.byName)) : this.standInFor(secret, value);
    const whole = value.replace(secret, () => standIn);
    if (made === undefined) this.byName.set(name, whole);
    this.count += 1;
    return whole;
  }

  /** A piece of a known secret, also backwards or in other letter case, gets that piece of its stand-in. */
  private standInFor(secret: string, value: string): string {
    const piece = this.secrets.exchanged(secret);
    if (piece !== secret) return piece;
    return invented(secret, secret === value, this.random.derive(String(this.count)));
  }
}
