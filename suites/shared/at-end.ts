// Lists may lag behind a write: what is looked at again at the end of the run has had its time, and nobody waits for it.
import { lagMsMax, type Tools } from '../../lib/index.ts';

export function lookAtEnd({ atEnd, clock }: Pick<Tools, 'atEnd' | 'clock'>, look: () => Promise<unknown>): void {
  const dueAt = clock.now() + lagMsMax + 1;
  atEnd(async () => {
    await clock.sleep(Math.max(0, dueAt - clock.now()));
    await look();
  });
}
