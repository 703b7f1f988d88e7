// What two servers gave out in each other's place, and where they have gone ways of their own.
import type { Given } from './exchange.ts';

/** A shorter text may stand anywhere. */
const shortestSecret = 30;

/** What one server gave out, and what the other gave out in its place. */
export class Pairs {
  readonly #there = new Map<string, string>();
  readonly #back = new Map<string, string>();
  readonly #lost = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #secrets: string[] = [];

  /** What the other server knows by another name; the same value where it never gave one out. */
  value(kind: Given, first: string): string {
    return this.#there.get(`${kind} ${first}`) ?? first;
  }

  /** Whether both can be the same thing, as far as is known. */
  meet(kind: Given, first: unknown, second: unknown): boolean {
    const [one, other] = [`${kind} ${first}`, `${kind} ${second}`];
    const [there, back] = [this.#there.get(one), this.#back.get(other)];
    if (there === undefined && back === undefined) {
      this.#there.set(one, String(second));
      this.#back.set(other, String(first));
      return true;
    }
    return there === String(second) && back === String(first);
  }

  /** Whether a reply may be numbered so: not as another one, though a repeat may have a number of its own. */
  meetRequest(first: string, second: string): boolean {
    const other = `request ${second}`;
    const back = this.#back.get(other) ?? first;
    this.#back.set(other, back);
    return back === first;
  }

  /** Of cursors only the latest counts: a server may write a new one each time. */
  replace(kind: Given, first: string, second: string): void {
    this.#there.set(`${kind} ${first}`, second);
    this.#lost.delete(first);
  }

  /** Whether a sort, which is accepted or not, may be so: the first page decides for the later ones. */
  takes(sort: string, accepted: boolean, isFirst: boolean): boolean {
    if (!isFirst) return accepted || this.#refused.has(sort);
    if (accepted) this.#refused.delete(sort);
    else this.#refused.add(sort);
    return true;
  }

  /** What comes behind this cursor of the first server is not what comes behind any of the second. */
  lose(cursor: string): void {
    this.#lost.add(cursor);
  }
  isLost = (cursor: string): boolean => this.#lost.has(cursor);

  /** A key that the second server gave out; nothing shows it again, with its prefix or without, as it is or in base64. */
  keep(secret: string): void {
    if (secret.length < shortestSecret) return;
    this.#secrets.push(secret.replace(/^svc_sk_/, ''), Buffer.from(secret).toString('base64').replace(/=+$/, ''));
  }
  leaks = (text: string): boolean => this.#secrets.some((one) => text.includes(one));
}
