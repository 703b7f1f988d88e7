// The clock of the long session: it stands where the next request puts it, and moves on where the server sleeps.
import type { VirtualClock } from '../../../../lib/runtime/virtual-clock.ts';

export interface ScriptClock extends VirtualClock {
  set(ms: number): void;
}

export function scriptClock(startMs: number): ScriptClock {
  let now = startMs;
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
  };
  const clock = { now: () => now, sleep };
  return {
    ...clock,
    inside: clock,
    during: (work) => work(),
    set: (ms) => {
      now = Math.max(now, ms);
    },
  };
}
