// Reads a point in time: any ISO 8601 date with a time of day, as the document's timestamps are written.

export interface Instant {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly ms: number;
  /** False where the text carries neither `Z` nor an offset; it is then read as UTC. */
  readonly zoned: boolean;
}

// Date.parse does not help: it reads a time without offset as local, and knows neither the basic form nor a decimal comma.
const date =
  /(?<year>\d{4})(?<dash>-?)(?:(?<month>0[1-9]|1[0-2])\k<dash>(?<day>\d\d)|(?<ordinal>\d{3})|w(?<week>\d\d)\k<dash>(?<weekday>[1-7]))/;
const time = /(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d))?)?(?<fraction>[.,]\d+)?/;
const zone = /(?<zone>z|(?<sign>[+-])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?)?/;
const iso = new RegExp(`^${date.source}t${time.source}${zone.source}$`, 'i');

const dayMs = 86_400_000;

/** Monday of the first week of a year, which is the week of 4 January. */
function firstMonday(year: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
}

/** A month, a year or a year of weeks, from its first moment until its end, and which of its days is written. */
function daysOf(
  part: Readonly<Record<string, string | undefined>>,
): readonly [from: number, until: number, day: number] {
  const number = (name: string) => Number(part[name] ?? 0);
  const year = number('year');
  if (part.ordinal !== undefined) return [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1), number('ordinal')];
  if (part.week !== undefined)
    return [firstMonday(year), firstMonday(year + 1), 7 * (number('week') - 1) + number('weekday')];
  return [Date.UTC(year, number('month') - 1, 1), Date.UTC(year, number('month'), 1), number('day')];
}

/**
 * The instant that an ISO 8601 date-time names, or undefined for any other text. Extended or basic form, seconds and
 * offset optional, decimal point or comma, 24:00 and a leap second allowed; a day that the calendar lacks is refused.
 */
export function instant(text: string): Instant | undefined {
  const part = iso.exec(text)?.groups;
  if (part === undefined) return undefined;
  const number = (name: string) => Number(part[name] ?? 0);
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  const [from, until, day] = daysOf(part);
  const midnight = from + (day - 1) * dayMs;
  const onCalendar = midnight >= from && midnight < until;
  const onClock = hour < 24 || (hour === 24 && minute === 0 && second === 0);
  const zoneOnClock = number('zoneHour') < 24 && number('zoneMinute') < 60;
  if (!onCalendar || !onClock || minute > 59 || second > 60 || !zoneOnClock) return undefined;

  // A fraction belongs to the smallest unit that is written.
  const unit = part.second !== undefined ? 1_000 : part.minute !== undefined ? 60_000 : 3_600_000;
  const fraction = Number(`0${(part.fraction ?? '').replace(',', '.')}`) * unit;
  const offset = (part.sign === '-' ? -1 : 1) * (number('zoneHour') * 60 + number('zoneMinute')) * 60_000;
  const ms = midnight + hour * 3_600_000 + minute * 60_000 + second * 1_000 + Math.round(fraction) - offset;
  return { ms, zoned: part.zone !== undefined };
}
