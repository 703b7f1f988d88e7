// Options that take several values.
import { UsageError } from '../configuration/settings.ts';

/**
 * `a,b` and a repeated option both add up.
 * @throws UsageError where nothing stands before, between or behind commas: a variable may have been empty there.
 */
export function list(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(',').map((item) => item.trim());
  if (names.includes(''))
    throw new UsageError(`${JSON.stringify(value)} has an empty name in it; write names with one comma between them.`);
  return [...before, ...names];
}
