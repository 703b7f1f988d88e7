// What a target reports of its rate limits in GET /me.
import { apiPath, documentedMinuteMs, type RateClass } from '../catalogue/operations.ts';
import { defined } from '../runtime/defined.ts';

/** The limits of the account that a run exhausts, and whose requests may count there. */
export interface Allowances {
  /** Length of the target's minute. */
  readonly minuteMs: number;
  /** The name of the exhausted key. */
  readonly key: string;
  /** Requests a minute of its account; a class is absent where neither GET /me nor the configuration says. */
  readonly limits: Partial<Readonly<Record<RateClass, number>>>;
  /** For each configured credential, the accounts that its requests may count against. */
  readonly accounts: ReadonlyMap<string, readonly string[]>;
}

/** What is known of a value from the keys and labels above it. */
interface Context {
  readonly rateClass?: Phrase['rateClass'];
  readonly window?: number | undefined;
  /** The key that leads here is understood, so that a number here is a limit and not, say, what remains of it. */
  readonly clear: boolean;
  readonly depth: number;
  /** Length of the target's minute. */
  readonly minuteMs: number;
}

interface FoundLimit {
  readonly rateClass: Phrase['rateClass'];
  readonly limit: number;
  /** Seconds; a whole minute of the target, however long, is 60. */
  readonly window: number;
}

const minute = 60;
const deepest = 12;
const spent = new Set(['used', 'usage', 'remaining', 'left', 'consumed', 'history', 'reset', 'resets', 'burst']);
const windowWords = new Set(['window', 'interval', 'period', 'duration', 'timeframe', 'unit']);
const labelWords = new Set(
  (
    'type class name endpoint endpoints method methods category kind operation operations label bucket group path ' +
    'route verb action scope key id'
  ).split(' '),
);

/** The class that holds further in. A single path stays one, and a POST within validating is still validating. */
function narrow(outer: Phrase['rateClass'], inner: Phrase['rateClass']): Phrase['rateClass'] {
  if (outer === undefined || outer === inner) return inner;
  if (inner === undefined || (outer === 'validate' && inner === 'write')) return outer;
  return outer !== 'other' && inner === 'validate' ? 'validate' : 'other';
}

/** A window as long as the target's minute is its minute, which a sandbox may have shortened. */
const asWindow = (seconds: number, minuteMs: number): number =>
  Math.round(seconds * 1000) === minuteMs ? minute : seconds;

/** Limits that one sentence lists: each names a class of its own, or it is one limit of two windows. */
function listed(sentence: string): string[] {
  const each = sentence.split(/\s(?:and|&)\s+(?=\d)/);
  return each.every((one) => phrase(one).rateClass !== undefined) ? each : [sentence];
}

const parts = (text: string): string[] => text.split(/[;\n|]|,(?!\d)(?![^(]*\))/).flatMap(listed);

function inText(text: string, context: Context): FoundLimit[] {
  const shared = phrase(text).window ?? context.window ?? minute;
  return parts(text)
    .map(phrase)
    .flatMap(({ rateClass, clear, numbers: [limit, ...more], window = shared }) =>
      clear && limit !== undefined && more.length === 0
        ? [{ rateClass: narrow(context.rateClass, rateClass), limit, window: asWindow(window, context.minuteMs) }]
        : [],
    );
}

type Member = { readonly key: Phrase; readonly value: unknown };

const isWindow = ({ key: { words, window } }: Member): boolean =>
  words.some((word) => windowWords.has(word)) || (window === undefined && words.join() === 'per');

/** Seconds. A bare number is read only where it can hardly be another length than the minute, in seconds or milliseconds. */
function windowIn({ key, value }: Member, minuteMs: number): number | undefined {
  if (typeof value === 'string' && !/^\d+$/.test(value)) return phrase(value).window;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const length = Number(value);
  if (key.window !== undefined) return length * key.window;
  const minutes = [minute, minute * 1000, minuteMs / 1000, minuteMs];
  return minutes.includes(length) ? minute : Number.NaN;
}

/** The window that members of this class's own, or of no class, agree upon. */
function windowBeside(
  members: readonly Member[],
  rateClass: Phrase['rateClass'],
  minuteMs: number,
): number | undefined {
  const windows = members
    .filter((one) => isWindow(one) && (one.key.rateClass === undefined || one.key.rateClass === rateClass))
    .map((one) => windowIn(one, minuteMs))
    .filter((window) => window !== undefined)
    .map((window) => asWindow(window, minuteMs));
  return new Set(windows).size > 1 ? Number.NaN : windows[0];
}

const textsOf = (value: unknown): string[] => [value].flat().filter((one) => typeof one === 'string');

const isLabel = ({ key, value }: Member): boolean =>
  key.words.some((word) => labelWords.has(word)) && textsOf(value).some((text) => phrase(text).numbers.length === 0);

function inObject(value: object, context: Context): FoundLimit[] {
  const members = Object.entries(value).map(([key, inner]) => ({ key: phrase(key), value: inner }));
  const labels = members.filter(isLabel);
  const label = phrase(labels.flatMap((one) => textsOf(one.value)).join(' '));
  const own = narrow(context.rateClass, label.rateClass);
  return members
    .filter((one) => !isWindow(one) && !labels.includes(one) && !one.key.words.some((word) => spent.has(word)))
    .flatMap(({ key, value: inner }) => {
      const rateClass = narrow(own, key.rateClass);
      const window = key.window ?? windowBeside(members, rateClass, context.minuteMs) ?? context.window;
      return search(inner, { ...context, rateClass, window, clear: key.clear, depth: context.depth + 1 });
    });
}

function search(value: unknown, context: Context): FoundLimit[] {
  if (context.depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((one) => search(one, { ...context, depth: context.depth + 1 }));
  if (typeof value === 'object' && value !== null) return inObject(value, context);
  if (!context.clear) return [];
  if (typeof value === 'string') return inText(value, context);
  const { rateClass, window = minute, minuteMs } = context;
  return typeof value === 'number' ? [{ rateClass, limit: value, window: asWindow(window, minuteMs) }] : [];
}

/**
 * Requests a minute, where the window fits into a minute without remainder and the result can be a limit. In a sandbox
 * with a minute of another length only that minute is read: whether its seconds are shortened too is not known.
 */
function perMinute({ limit, window }: FoundLimit, minuteMs: number): number[] {
  const requests = limit * (minute / window);
  const fits = minute % window === 0 && (window === minute || minuteMs === documentedMinuteMs);
  const whole = Number.isSafeInteger(limit) && Number.isSafeInteger(requests);
  return fits && whole && limit >= 1 && window > 0 ? [requests] : [];
}

/**
 * The limits, requests a minute, in `data.platform.rate_limits` of GET /me, whose shape the document leaves open
 * (Limits / Rate limits): numbers, objects, arrays or texts. A class is left out where its limit is not reported, not
 * understood, or reported in two ways that differ; a window is a minute unless another is named, and a window as long as
 * the target's minute (`minuteMs`, milliseconds) is that minute. Never throws.
 */
export function readLimits(
  rateLimits: unknown,
  minuteMs: number = documentedMinuteMs,
): Partial<Record<RateClass, number>> {
  const found = search(rateLimits, { clear: true, depth: 0, minuteMs });
  const limits: Partial<Record<RateClass, number>> = {};
  for (const rateClass of ['read', 'write', 'validate'] as const) {
    const ofClass = found.filter((one) => one.rateClass === rateClass);
    const requestsIn = (some: readonly FoundLimit[]) => new Set(some.flatMap((one) => perMinute(one, minuteMs)));
    // A limit for the minute itself beats those for shorter windows beside it.
    const plain = requestsIn(ofClass.filter(({ window }) => window === minute));
    const [limit, ...others] = plain.size > 0 ? plain : requestsIn(ofClass);
    if (limit !== undefined && others.length === 0) limits[rateClass] = limit;
  }
  return limits;
}

interface Phrase {
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
  [
    'write',
    new Set(['write', 'writes', 'post', 'posts', 'patch', 'put', 'delete', 'deletes', 'mutation', 'mutations']),
  ],
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
function phrase(given: string): Phrase {
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
