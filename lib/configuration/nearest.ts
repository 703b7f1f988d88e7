// Finds the known word that a mistyped one was probably meant to be.
import { distance } from 'fastest-levenshtein';

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
