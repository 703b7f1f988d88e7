// Reads one phrase of a target's rate limits, a key or a text: which class, which window, which numbers.
import { apiPath, type RateClass } from '../catalogue/operations.ts';
import { defined } from '../runtime/defined.ts';

export interface Phrase {
  /** `other`: it names something that is not a class of the document, such as one path, or two classes at once. */
  readonly rateClass?: RateClass | 'other';
  /** Seconds; NaN where two windows are named. */
  readonly window?: number;
  /** The numbers that are not part of a window. */
  readonly numbers: readonly number[];
  /** Every word of it is understood: nothing in it can turn the number into something else than a limit. */
  readonly clear: boolean;
  readonly words: readonly string[];
}

const classes: readonly (readonly [RateClass, ReadonlySet<string>])[] = [
  ['validate', new Set(['validate', 'validates', 'validation', 'validations'])],
  ['read', new Set(['read', 'reads', 'get', 'gets', 'head'])],
  ['write', new Set(['write', 'writes', 'post', 'posts', 'patch', 'put', 'delete', 'deletes'])],
];
const classWords = new Set(classes.flatMap(([, words]) => [...words]));

/** Words that may stand beside a limit and leave its meaning alone. */
const neutral = new Set(
  (
    'limit limits limited rate rates max maximum quota request requests req reqs call calls allowed allowance ' +
    'operation operations endpoint endpoints method methods public auth api key keys apikey value amount number up ' +
    'to of for at most the a an and or per every each in rolling sliding window description text http type class name'
  ).split(' '),
);

const seconds: Record<string, number> = {
  second: 1,
  sec: 1,
  s: 1,
  minute: 60,
  min: 60,
  m: 60,
  hour: 3_600,
  hr: 3_600,
  h: 3_600,
  day: 86_400,
  d: 86_400,
};
const windowPattern =
  /(?:(\d+(?:\.\d+)?)[\s-]*)?(?<![a-z'’])(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])/g;
const numberPattern = /-?\d+(?:\.\d+)?/g;

/** Longer texts are prose, not a limit. */
const longest = 200;

function plain(text: string): string {
  return text
    .slice(0, longest)
    .replaceAll(apiPath, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/_|(?<=[a-z])-/g, ' ')
    .replace(/(?<![a-z])rp([sm])(?![a-z])/g, (_, unit) => `requests per ${unit}`);
}

const secondsOf = (unit: string): number =>
  unit === 'ms' || unit.startsWith('milli') ? 0.001 : (seconds[unit] ?? seconds[unit.slice(0, -1)] ?? Number.NaN);

function classOf(words: readonly string[], text: string): Phrase['rateClass'] {
  const named = classes.filter(([, known]) => words.some((word) => known.has(word))).map(([name]) => name);
  // Validating is a POST, so both may be named.
  if (named.includes('validate')) return named.includes('read') ? 'other' : 'validate';
  // A single path has a limit of its own, which is not its class's.
  if (named.length > 1 || /(?:^|\s)\/\w/.test(text)) return 'other';
  return named[0];
}

/** Total: any text gives a phrase, though perhaps not a clear one. */
export function phrase(given: string): Phrase {
  const text = plain(given);
  const windows = [...text.matchAll(windowPattern)];
  const rest = text.replace(windowPattern, ' ');
  const words = rest.match(/[a-z]+/g) ?? [];
  const rateClass = classOf(words, text);
  const [first] = windows;
  // `min` alone, as in { min, max }, is not a minute.
  const lone = text.trim() === 'min';
  const window = first && windows.length === 1 ? Number(first[1] ?? 1) * secondsOf(first[2] ?? '') : Number.NaN;
  return {
    ...defined({ rateClass, window: first && window }),
    numbers: (rest.match(numberPattern) ?? []).map(Number),
    clear: given.length <= longest && !lone && words.every((word) => neutral.has(word) || classWords.has(word)),
    words,
  };
}
