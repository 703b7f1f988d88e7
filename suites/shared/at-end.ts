// Waits between two requests: repeats of a read, because lists may lag, and the distance of two timestamps.
import { lagMsMax, type Tools } from '../../lib/index.ts';

export async function lookTwice(clock: Tools['clock'], look: () => Promise<unknown>): Promise<void> {
  await look();
  await clock.sleep(lagMsMax + 1);
  await look();
}

export function lookAtEnd({ atEnd, clock }: Pick<Tools, 'atEnd' | 'clock'>, look: () => Promise<unknown>): void {
  const dueAt = clock.now() + lagMsMax + 1;
  atEnd(async () => {
    await clock.sleep(Math.max(0, dueAt - clock.now()));
    await look();
  });
}

/** In milliseconds: more than a second, the resolution that a target may use. */
export const apartMs = 1100;
