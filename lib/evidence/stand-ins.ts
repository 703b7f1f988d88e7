// Invented tokens in place of secrets: of the same shape, so that a run computes with them as it did with the real ones.
import { type Random, seededRandom } from '../runtime/random.ts';
import { Fragments } from '../secrets/fragments.ts';
import { spellings } from '../secrets/secrets.ts';

/** Of a key so much of its beginning stays: a target shows as much of it as `key_prefix`. */
const shareKept = 0.4;
const keptMax = 15;
/** Secrets as short as this have no part that could stay. */
const shortMax = 15;

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;

function otherThan(random: Random, character: string): string {
  const alphabet = alphabets.find((one) => one.includes(character));
  return alphabet === undefined ? character : alphabet.charAt(random.int(0, alphabet.length - 1));
}

/** The last character stays as well: its bits reach into what stands behind it in base64. */
function invented(secret: string, random: Random): string {
  const kept = secret.length > shortMax ? Math.min(keptMax, Math.floor(secret.length * shareKept)) : 0;
  const last = secret.length > shortMax ? secret.length - 1 : secret.length;
  return [...secret].map((one, at) => (at < kept || at >= last ? one : otherThan(random, one))).join('');
}

/** Of a JWT only the signature is secret. */
function secretPart(value: string): string {
  const parts = value.split('.');
  return value.startsWith('eyJ') && parts.length === 3 ? (parts[2] ?? '') : value;
}

export class StandIns {
  private readonly random = seededRandom(0).derive('stand-ins');
  private readonly fragments = new Fragments();
  private short: (readonly [secret: string, standIn: string])[] = [];
  private known = 0;

  /**
   * From now on the value is replaced wherever it turns up. What was made from a known secret, by another character
   * somewhere, gets what is made from its stand-in.
   */
  add(value: string): void {
    const secret = secretPart(value);
    if (secret === '') return;
    this.known += 1;
    const derived = this.replace(secret);
    const standIn = derived === secret ? invented(secret, this.random.derive(String(this.known))) : derived;
    const written = spellings(standIn);
    for (const [index, spelling] of spellings(secret).entries()) {
      const replacement = written[index] ?? '';
      this.fragments.add(spelling, (from, to) => replacement.slice(from, to));
      if (!Fragments.finds(spelling)) this.short.push([spelling, replacement]);
    }
    this.short.sort(([one], [other]) => other.length - one.length);
  }

  replace(text: string): string {
    let clean = text;
    for (const [secret, standIn] of this.short) if (clean.includes(secret)) clean = clean.replaceAll(secret, standIn);
    return this.fragments.redact(clean);
  }
}
