// A list kept in the order of rank, in which new records may come to light a little later.
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
