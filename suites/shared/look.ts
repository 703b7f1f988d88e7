// Lists may lag behind a write: one look at once, and one when that time is over.
import { lagMsMax, type Tools } from '../../lib/index.ts';

/** Resolves to what the second look saw. */
export async function lookTwice<T>(clock: Tools['clock'], look: () => Promise<T>): Promise<T> {
  await look();
  await clock.sleep(lagMsMax + 1);
  return look();
}
