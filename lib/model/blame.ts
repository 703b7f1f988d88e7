// Picks the violated requirement where an observation may have several causes: the first whose premise holds.

/** Premises in the order in which they are tried. The last one must always hold. */
export type Blame<Facts, Id extends string> = readonly (readonly [premise: (facts: Facts) => boolean, id: Id])[];

export function blamed<Facts, Id extends string>(table: Blame<Facts, Id>, facts: Facts): Id {
  const row = table.find(([premise]) => premise(facts));
  if (row === undefined) throw new Error('no premise of this table of blame holds');
  return row[1];
}

export const otherwise = (): boolean => true;
