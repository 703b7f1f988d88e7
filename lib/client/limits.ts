// What a target tells of its rate limits: the numbers in GET /me, and the seconds in the message of a 429.

import type { RateClass } from '../catalogue/operations.ts';
import { type Phrase, phrase } from './limit-phrase.ts';

/** What is known of a value from the keys and labels above it. */
interface Context {
  readonly rateClass?: Phrase['rateClass'];
  readonly window?: number | undefined;
  /** The key that leads here is understood, so that a number here is a limit and not, say, what remains of it. */
  readonly clear: boolean;
  readonly depth: number;
}

interface Found {
  readonly rateClass: Phrase['rateClass'];
  readonly limit: number;
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

const parts = (text: string): string[] => text.split(/[;\n|]|,(?!\d)(?![^(]*\))/);

function inText(text: string, context: Context): Found[] {
  const shared = phrase(text).window ?? context.window ?? minute;
  return parts(text)
    .map(phrase)
    .flatMap(({ rateClass, clear, numbers: [limit, ...more], window = shared }) =>
      clear && limit !== undefined && more.length === 0
        ? [{ rateClass: narrow(context.rateClass, rateClass), limit, window }]
        : [],
    );
}

type Member = { readonly key: Phrase; readonly value: unknown };

const isWindow = ({ key: { words, window } }: Member): boolean =>
  words.some((word) => windowWords.has(word)) || (window === undefined && words.join() === 'per');

/** Seconds. A bare number is read only where it can be no other length than a minute. */
function windowIn({ key, value }: Member): number | undefined {
  if (typeof value === 'string' && !/^\d+$/.test(value)) return phrase(value).window;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const length = Number(value);
  if (key.window !== undefined) return length * key.window;
  return length === minute || length === minute * 1_000 ? minute : Number.NaN;
}

/** The window that members of this class's own, or of no class, agree upon. */
function windowBeside(members: readonly Member[], rateClass: Phrase['rateClass']): number | undefined {
  const told = members
    .filter((one) => isWindow(one) && (one.key.rateClass === undefined || one.key.rateClass === rateClass))
    .map(windowIn)
    .filter((window) => window !== undefined);
  return new Set(told).size > 1 ? Number.NaN : told[0];
}

const textsOf = (value: unknown): string[] => [value].flat().filter((one) => typeof one === 'string');

const isLabel = ({ key, value }: Member): boolean =>
  key.words.some((word) => labelWords.has(word)) && textsOf(value).some((text) => phrase(text).numbers.length === 0);

function inObject(value: object, context: Context): Found[] {
  const members = Object.entries(value).map(([key, inner]) => ({ key: phrase(key), value: inner }));
  const labels = members.filter(isLabel);
  const label = phrase(labels.flatMap((one) => textsOf(one.value)).join(' '));
  const own = narrow(context.rateClass, label.rateClass);
  return members
    .filter((one) => !isWindow(one) && !labels.includes(one) && !one.key.words.some((word) => spent.has(word)))
    .flatMap(({ key, value: inner }) => {
      const rateClass = narrow(own, key.rateClass);
      const window = key.window ?? windowBeside(members, rateClass) ?? context.window;
      return search(inner, { rateClass, window, clear: key.clear, depth: context.depth + 1 });
    });
}

function search(value: unknown, context: Context): Found[] {
  if (context.depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((one) => search(one, { ...context, depth: context.depth + 1 }));
  if (typeof value === 'object' && value !== null) return inObject(value, context);
  if (!context.clear) return [];
  if (typeof value === 'string') return inText(value, context);
  const { rateClass, window = minute } = context;
  return typeof value === 'number' ? [{ rateClass, limit: value, window }] : [];
}

/** Requests a minute, where the window fits into a minute without remainder and the result can be a limit. */
function perMinute({ limit, window }: Found): number[] {
  const requests = limit * (minute / window);
  const whole = Number.isSafeInteger(limit) && Number.isSafeInteger(requests) && minute % window === 0;
  return whole && limit >= 1 && window > 0 ? [requests] : [];
}

/**
 * The limits, requests a minute, in `data.platform.rate_limits` of GET /me, whose shape the document leaves open
 * (Limits / Rate limits): numbers, objects, arrays or texts. A class is left out where its limit is not told, not
 * understood, or told in two ways that differ; a window is a minute unless another is named. Never throws.
 */
export function readLimits(rateLimits: unknown): Partial<Record<RateClass, number>> {
  const found = search(rateLimits, { clear: true, depth: 0 });
  const limits: Partial<Record<RateClass, number>> = {};
  for (const rateClass of ['read', 'write', 'validate'] as const) {
    const told = found.filter((one) => one.rateClass === rateClass);
    // A limit for the minute itself beats those for shorter windows beside it.
    const plain = new Set(told.filter(({ window }) => window === minute).flatMap(perMinute));
    const [limit, ...others] = plain.size > 0 ? plain : new Set(told.flatMap(perMinute));
    if (limit !== undefined && others.length === 0) limits[rateClass] = limit;
  }
  return limits;
}

// Neither part of a word, an identifier or a time of day, nor a count of something else than seconds.
const counted =
  '(?:more |further )?(?:requests?|reads?|writes?|calls?|attempts?|operations?|validations?|minutes?|mins?|hours?|hrs?|days?|ms|milliseconds?|m|h|d|per)(?![a-z])';
const number = String.raw`(?<!\w|\w-|\d[:./])(\d+(?:\.\d+)?)(?!\.?[\d:-]*\d)(?!\s*(?:${counted}|[%/]))`;
const keyed = [
  String.raw`wait[^\d.;!?]{0,40}?`,
  String.raw`after(?![a-z])[^\d.;!?]{0,40}?`,
  String.raw`(?<![a-z])in(?![a-z])(?:\s|[:=~]|about|approximately|at least|another|less than|the next)*`,
].map((before) => new RegExp(before + number, 'i'));
const anyNumber = new RegExp(number, 'gi');
const inSeconds = new RegExp(String.raw`${number}\s*(?:more |further )?(?:s|secs?|seconds?)(?![a-z])`, 'gi');

/**
 * The seconds to wait that the message of a 429 tells (Errors): the number after `wait`, `after` or `in`; else the only
 * one with a unit of seconds; else the largest that is no more than a minute. Numbers that count something else are
 * passed over; undefined where none is left.
 */
export function secondsToWait(message: string): number | undefined {
  for (const pattern of keyed) {
    const told = pattern.exec(message)?.[1];
    if (told !== undefined) return Number(told);
  }
  const numbers = (pattern: RegExp) => [...message.matchAll(pattern)].map((match) => Number(match[1]));
  const [only, ...others] = new Set(numbers(inSeconds));
  if (only !== undefined && others.length === 0) return only;
  const short = numbers(anyNumber).filter((one) => one <= minute);
  return short.length > 0 ? Math.max(...short) : undefined;
}
