// Repeats a read at the end of the run, so that no case waits for the lag of lists.
import { lagMsMax, type Tools } from '../../lib/index.ts';

export function lookAtEnd({ atEnd, clock }: Pick<Tools, 'atEnd' | 'clock'>, look: () => Promise<unknown>): void {
  const dueAt = clock.now() + lagMsMax + 1;
  atEnd(async () => {
    await clock.sleep(Math.max(0, dueAt - clock.now()));
    await look();
  });
}
