// Looks twice, as lists may lag behind a write: at once, and after the maximum lag.
import { lagMsMax, type Tools } from '../../lib/index.ts';

/** Resolves to the result of the second look. */
export async function lookTwice<T>(clock: Tools['clock'], look: () => Promise<T>): Promise<T> {
  await look();
  await clock.sleep(lagMsMax + 1);
  return look();
}
