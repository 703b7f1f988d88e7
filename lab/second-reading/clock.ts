// The only place that knows real time: the default clock, and how moments are written down.

export const systemNow = (): number => Date.now();

/** Lets other pending work run once, without the passing of any (virtual) time. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** 2026-03-01T12:00:00.000Z */
export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Sun, 01 Mar 2026 12:00:00 GMT */
export const httpDateOf = (ms: number): string => new Date(ms).toUTCString();

export type TimeForm = 'millis-z' | 'seconds-z' | 'micros-offset' | 'hours-behind';

const HOURS_BEHIND = 5 * 3_600_000;

export function writeTime(ms: number, form: TimeForm): string {
  if (form === 'millis-z') return isoOf(ms);
  if (form === 'seconds-z') return `${isoOf(ms).slice(0, 19)}Z`;
  if (form === 'micros-offset') return `${isoOf(ms).slice(0, 23)}000+00:00`;
  return `${isoOf(ms - HOURS_BEHIND).slice(0, 23)}-05:00`;
}
