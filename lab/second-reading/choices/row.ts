// One row of the table of choices: the sentence that leaves something open, and the lawful readings of it.

export interface Row<V extends readonly string[]> {
  /** The place in the interface document, in our own words, and what it does not say. */
  sentence: string;
  values: V;
}

export function row<const V extends readonly [string, string, ...string[]]>(sentence: string, ...values: V): Row<V> {
  return { sentence, values };
}
