// Finds the known word that a mistyped one was probably meant to be.

/** Edits between two words: insertions, deletions, exchanges and swaps of neighbours each count one. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (cells: number[], column: number): number => cells[column] ?? Number.POSITIVE_INFINITY;
      const exchange = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, exchange, swap));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The nearest of the known words, unless even that one is too far away to be meant. */
function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length * 0.4)) + 1;
  for (const candidate of known) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

/** `; did you mean X?`, or a full stop where nothing is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const best = nearest(word, known);
  return best === undefined ? '.' : `; did you mean ${best}?`;
}
