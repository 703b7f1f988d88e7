// The seconds to wait that a target names in the message of a 429.

const minuteSeconds = 60;

// A number that is part of a word, an identifier or a time of day, or that counts something else than seconds.
const counted =
  '(?:more |further )?(?:requests?|reads?|writes?|calls?|attempts?|operations?|validations?|minutes?|mins?|hours?|hrs?|days?|ms|milliseconds?|m|h|d|per)(?![a-z])';
const number = String.raw`(?<!\w|\w-|\d[:./])(\d+(?:\.\d+)?)(?!\.?[\d:-]*\d)(?!\s*(?:${counted}|[%/]))`;
const keyed = [
  String.raw`wait[^\d.;!?]{0,40}?`,
  String.raw`after(?![a-z])[^\d.;!?]{0,40}?`,
  String.raw`(?<![a-z])in(?![a-z])(?:\s|[:=~]|about|approximately|at least|another|less than|the next)*`,
].map((before) => new RegExp(before + number, 'i'));
const anyNumber = new RegExp(number, 'gi');
/** A message may be in any language: sec, seconds, Sekunden, secondes, segundos, secondi, 秒. */
const inSeconds = new RegExp(String.raw`${number}\s*(?:more |further )?(?:(?:s|se[cgk]\p{L}*)(?!\p{L})|秒)`, 'giu');

/**
 * The seconds to wait that the message of a 429 names (Errors): the number after `wait`, `after` or `in`; else the only
 * one with a unit of seconds; else the largest that is no more than a minute. Numbers that count something else are
 * passed over; undefined where none is left.
 */
export function secondsToWait(message: string): number | undefined {
  for (const pattern of keyed) {
    const seconds = pattern.exec(message)?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  const numbers = (pattern: RegExp) => [...message.matchAll(pattern)].map((match) => Number(match[1]));
  const [only, ...others] = new Set(numbers(inSeconds));
  if (only !== undefined && others.length === 0) return only;
  const short = numbers(anyNumber).filter((one) => one <= minuteSeconds);
  return short.length > 0 ? Math.max(...short) : undefined;
}
