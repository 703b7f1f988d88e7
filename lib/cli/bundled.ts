// The time of the bundled reference: both share a clock that hurries where a run waits, and stands still where the machine is slow.
import type { OnEvent } from '../events.ts';
import { type Clock, type HurriedClock, hurried } from '../runtime/clock.ts';

/** Lists have five seconds to catch up, nodes one to take turns: nobody should wait for that where no list lags. */
const rate = 10;
/** By the clock on the wall, of which only waits are counted. */
export const bundledMinuteMs = 1000;

interface BundledTime {
  readonly minuteMs: number;
  /** For the reference and the run; absent where a minute is configured, which is a real one. */
  readonly clock?: HurriedClock;
}

export const bundledTime = ({ minuteMs }: { readonly minuteMs?: number }, machine: Clock): BundledTime =>
  minuteMs === undefined ? { minuteMs: bundledMinuteMs * rate, clock: hurried(machine, rate) } : { minuteMs };

/** For those who follow a run: the times of all that happens as the clock on the wall shows them. */
export function byTheWall(onEvent: OnEvent, clock: HurriedClock): OnEvent {
  const begun = clock.before(clock.now());
  const moment = (at: string): string => new Date(clock.before(Date.parse(at))).toISOString();
  return (event) => {
    const at = moment(event.at);
    if (event.event === 'wait') onEvent({ ...event, at, until: moment(event.until) });
    else if (event.event === 'finished') onEvent({ ...event, at, duration_ms: clock.before(clock.now()) - begun });
    else onEvent({ ...event, at });
  };
}
