// Finds which of many long texts is contained in another, without searching for each.

/** Characters per lookup. */
const gram = 8;

export class SubstringIndex {
  private readonly all: string[] = [];
  /** Distance between lookups, small enough to hit every needle. */
  private stride = Number.POSITIVE_INFINITY;
  private grams = new Set<string>();

  /** Texts shorter than eight characters are never found. */
  add(needle: string): void {
    this.all.push(needle);
    const stride = Math.min(this.stride, Math.max(1, needle.length - gram + 1));
    const fresh = stride < this.stride ? this.all : [needle];
    if (stride < this.stride) this.grams = new Set();
    this.stride = stride;
    for (const one of fresh) for (let at = 0; at < stride; at += 1) this.grams.add(one.slice(at, at + gram));
  }

  in(text: string): string | undefined {
    for (let at = 0; at + gram <= text.length; at += this.stride)
      if (this.grams.has(text.slice(at, at + gram))) return this.all.find((needle) => text.includes(needle));
    return undefined;
  }
}
