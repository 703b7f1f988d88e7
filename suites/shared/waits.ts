// Waits between requests: because lists may lag, because another node may answer, and until timestamps differ.
import { lagMsMax, type Tools } from '../../lib/index.ts';

export async function repeatAfterLag(clock: Tools['clock'], look: () => Promise<unknown>): Promise<void> {
  await look();
  await clock.sleep(lagMsMax + 1);
  await look();
}

export function repeatAtEnd({ atEnd, clock }: Pick<Tools, 'atEnd' | 'clock'>, look: () => Promise<unknown>): void {
  const dueAt = clock.now() + lagMsMax + 1;
  atEnd(async () => {
    await clock.sleep(Math.max(0, dueAt - clock.now()));
    await look();
  });
}

/** In milliseconds: more than a second, the resolution that a target may use. */
export const timestampGapMs = 1100;

/** Time after which another node may answer, in milliseconds. */
export const nextNodeMs = 700;
