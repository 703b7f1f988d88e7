// Waits for what lists may lag behind, and for time to pass between two requests.
import { lagMsMax, type Tools } from '../../lib/index.ts';

/** In milliseconds: more than a second, the resolution that the timestamps of a target may have. */
export const apartMs = 1100;

/** Looks at once, and after the maximum lag. Resolves to the result of the second look. */
export async function lookTwice<T>(clock: Tools['clock'], look: () => Promise<T>): Promise<T> {
  await look();
  await clock.sleep(lagMsMax + 1);
  return look();
}

/** Repeats a read at the end of the run, so that no case waits for the lag. */
export function lookAtEnd({ atEnd, clock }: Pick<Tools, 'atEnd' | 'clock'>, look: () => Promise<unknown>): void {
  const dueAt = clock.now() + lagMsMax + 1;
  atEnd(async () => {
    await clock.sleep(Math.max(0, dueAt - clock.now()));
    await look();
  });
}
