// Lists kept in the order of rank, in which new records may come to light a little later; and how their numbers are chosen.
import type { Choices } from './choices.ts';
import { type Dice, scatter } from './dice.ts';

export type NumberForm = Choices['companyIds'];
export type ListOrder = Choices['companyOrder'];

export interface Numbering {
  next(): number;
}

const INT31 = 2 ** 31 - 1;

export function numbering(form: NumberForm, dice: Dice): Numbering {
  if (form === 'random') return randomNumbers(dice);
  let last = startOf(form, dice);
  const step = form === 'gappy' || form === 'large' ? () => dice.between(1, 17) : () => 1;
  return {
    next: () => {
      last += step();
      return last;
    },
  };
}

function startOf(form: NumberForm, dice: Dice): number {
  if (form === 'from-high') return dice.between(10_000, 900_000);
  if (form === 'large') return 5_000_000_000 + dice.between(0, 1_000_000_000);
  return 0;
}

function randomNumbers(dice: Dice): Numbering {
  const taken = new Set<number>();
  const next = (): number => {
    const candidate = (dice.word() % (INT31 - 1)) + 1;
    if (taken.has(candidate)) return next();
    taken.add(candidate);
    return candidate;
  };
  return { next };
}

/** The place of a record in a list, given its identifier and its turn of creation (both unique). */
export function rankOf(order: ListOrder, id: number, turn: number): number {
  if (order === 'id-up') return id;
  if (order === 'id-down') return -id;
  if (order === 'oldest') return turn;
  if (order === 'newest') return -turn;
  return scatter(turn);
}

/** Whatever can stand in a list: a fixed place, a moment from which it is listed, and whether it is gone. */
export interface Listed {
  rank: number;
  due: number;
  gone: boolean;
}

/** What the paging code reads from. */
export interface Source<T extends Listed> {
  /** The records listed now, in order. Not to be kept. */
  visible(now: number): readonly T[];
  /** The records listed now, in order, as they will stay whatever happens later. */
  frozen(now: number): readonly T[];
}

export class Collection<T extends Listed> implements Source<T> {
  #items: T[] = [];
  #waiting: T[] = [];
  #lent = false;

  /** Puts many records in at once. */
  fill(items: Iterable<T>): void {
    this.#items = [...this.#items, ...items].sort((a, b) => a.rank - b.rank);
    this.#lent = false;
  }

  add(item: T, now: number): void {
    if (item.due > now) this.#waiting.push(item);
    else this.#insert(item);
  }

  remove(item: T): void {
    const at = placeAfter(this.#items, item.rank) - 1;
    if (this.#items[at] === item) this.#own().splice(at, 1);
    this.#waiting = this.#waiting.filter((other) => other !== item);
  }

  visible(now: number): readonly T[] {
    if (this.#waiting.length > 0) this.#settle(now);
    return this.#items;
  }

  frozen(now: number): readonly T[] {
    const items = this.visible(now);
    this.#lent = true;
    return items;
  }

  /** How many there are, listed or not yet. */
  get size(): number {
    return this.#items.length + this.#waiting.length;
  }

  #settle(now: number): void {
    const ripe = this.#waiting.filter((item) => item.due <= now);
    if (ripe.length === 0) return;
    this.#waiting = this.#waiting.filter((item) => item.due > now);
    for (const item of ripe) this.#insert(item);
  }

  #insert(item: T): void {
    this.#own().splice(placeAfter(this.#items, item.rank), 0, item);
  }

  #own(): T[] {
    if (this.#lent) {
      this.#items = this.#items.slice();
      this.#lent = false;
    }
    return this.#items;
  }
}

/** The index of the first item whose rank is greater. */
export function placeAfter(items: readonly Listed[], rank: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && item.rank <= rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A short list that lives elsewhere, as a source. */
export function sourceOf<T extends Listed>(items: readonly T[]): Source<T> {
  const sorted = [...items].sort((a, b) => a.rank - b.rank);
  return { visible: () => sorted, frozen: () => sorted };
}
