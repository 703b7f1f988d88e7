// Reads whole numbers from flags and variables.
import { UsageError } from './settings.ts';
import type { Found } from './settings-sources.ts';

/** @throws UsageError unless the text is a whole number between the two, both included. */
export function wholeNumber({ value, where }: Found, least: number, most: number): number {
  const text = value.trim();
  const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${JSON.stringify(value)} (${where}) is not a whole number between ${least} and ${most}.`);
}

/** The same for a setting that may be absent. */
export const checkedNumber = (found: Found | undefined, least: number, most: number): number | undefined =>
  found && wholeNumber(found, least, most);
