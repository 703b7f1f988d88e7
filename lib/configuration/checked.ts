// Checks single settings before anything is sent: numbers, the address of a target, the profile, words of a list.
import { distance } from 'fastest-levenshtein';
import { apiPath } from '../catalogue/operations.ts';
import { defaultProfile, type ProfileName, profileNames } from '../catalogue/profiles.ts';
import { type Credentials, credentialNames, existsIn, type Found, UsageError } from './settings.ts';

/** @throws UsageError with this sentence where the text is no JSON. */
export function jsonIn(text: string, sentence: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageError(sentence);
  }
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

/**
 * The word as one of those that are known.
 * @throws UsageError that says of which kind it is none, names the nearest, and then all.
 */
export function oneOf<T extends string>(
  word: string,
  known: readonly T[],
  kind: string,
  where = '',
  all = 'There are',
): T {
  const found = known.find((one) => one === word);
  if (found !== undefined) return found;
  const name = JSON.stringify(word) + where;
  throw new UsageError(`No ${kind} is called ${name}${didYouMean(word, known)} ${all} ${known.join(', ')}.`);
}

/** @throws UsageError unless the text is a whole number between the two, both included. */
export function wholeNumber({ value, where }: Found, least: number, most: number): number {
  const text = value.trim();
  const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${JSON.stringify(value)} (${where}) is not a whole number between ${least} and ${most}.`);
}

/** The same for an option that may not be given. */
export const optionalNumber = (
  where: string,
  value: string | undefined,
  least: number,
  most: number,
): number | undefined => (value === undefined ? undefined : wholeNumber({ value, where }, least, most));

/** The same for a setting that may be absent. */
export const checkedNumber = (found: Found | undefined, least: number, most: number): number | undefined =>
  found && wholeNumber(found, least, most);

/** Shown only where it can hold no secret: no user, no query, no fragment. */
const shown = (value: string): string => (/[@?#]/.test(value) ? 'The base URL' : `The base URL ${value}`);

function parsed({ value, where }: Found): URL {
  const name = `${shown(value)} (${where})`;
  const hint = 'write it like https://staging.example.com';
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value))
    throw new UsageError(`${name} has no http:// or https:// in front; ${hint}.`);
  if (!URL.canParse(value)) throw new UsageError(`${name} is not a URL; ${hint}.`);
  return new URL(value);
}

/** The base URL without a slash at its end, and without the interface's own path where that was pasted along. */
export interface BaseUrl {
  readonly url: string;
  /** For somebody who pasted too much. */
  readonly notices: readonly string[];
}

/**
 * A base URL that can be used.
 * @throws UsageError saying what is wrong with it and what to do.
 */
export function checkedBaseUrl(found: Found): BaseUrl {
  const url = parsed(found);
  const name = `${shown(found.value)} (${found.where})`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${name} is neither http nor https; the interface is JSON over HTTP.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${name} contains a user or password; leave them out and put the key in COVENANT_API_KEY.`);
  }
  if (/[?#]/.test(found.value)) throw new UsageError(`${name} has a query or fragment; leave off what follows ? or #.`);
  const path = url.pathname.replace(/\/+$/, '');
  const own = path.endsWith(apiPath) ? path.slice(0, -apiPath.length).replace(/\/+$/, '') : path;
  const notices = own === path ? [] : [`${name} ends with ${apiPath}, which is added anyway; it is used without it.`];
  return { url: url.origin + own, notices };
}

/**
 * The value as one of a few words.
 * @throws UsageError that names them, and the nearest.
 */
export function oneWord<T extends string>({ value, where }: Found, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found) return found;
  throw new UsageError(`${JSON.stringify(value)} (${where}) is none of ${known.join(', ')}${didYouMean(value, known)}`);
}

/** A flag goes before what the product declares. */
export function chosenProfile(flag: string | undefined, declared?: Found): ProfileName {
  const given = flag === undefined ? declared : { value: flag, where: '--profile' };
  return given ? oneWord(given, profileNames) : defaultProfile;
}

/** Those that exist in the profile, and a notice where others are set. */
export function credentialsIn(
  profile: ProfileName | undefined,
  credentials: Credentials,
): { readonly credentials: Credentials; readonly unused: readonly string[] } {
  const foreign: readonly string[] = credentialNames.filter(
    (name) => credentials[name] !== undefined && !existsIn(name, profile),
  );
  return {
    credentials: Object.fromEntries(Object.entries(credentials).filter(([name]) => !foreign.includes(name))),
    unused: foreign.map((name) => `${name} is set and not used: the ${profile} profile has no such credential.`),
  };
}
