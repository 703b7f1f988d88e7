// Servers of the second reading over real sockets, in real time: what examinations in process would hide.
import pLimit from 'p-limit';
import { liveTransport } from '../lib/client/transports/live.ts';
import { run } from '../lib/run/run.ts';
import { wallClock } from '../lib/runtime/clock.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, targetOf } from './examine.ts';
import { type Outcome, outcomeOf } from './matrix/outcome.ts';
import { createSecondReading } from './second-reading/index.ts';

/** The target's minute, in milliseconds. */
const minuteMs = 2000;
/** A run mostly waits; more at once would make replies late within so short a minute. */
const atOnce = 6;

async function outcomeOverHttp(seed: number): Promise<Outcome> {
  const { env, listen } = await createSecondReading({ seed, minuteMs });
  const { url, close } = await listen();
  const { send, close: hangUp } = liveTransport();
  try {
    const { brief } = await run({
      suites,
      target: { ...targetOf(env), baseUrl: url, minuteMs },
      settings: { ...defaultSettings, seed },
      transport: send,
      clock: wallClock,
      listener: { onNotice: () => {} },
    });
    return outcomeOf(`second-reading-${seed}`, brief, 'standard');
  } finally {
    await hangUp();
    await close();
  }
}

/** A standard run of the whole suite against the server of each seed. */
export function outcomesOverHttp(seeds: readonly number[], progress: (finished: number) => void): Promise<Outcome[]> {
  const limited = pLimit(atOnce);
  let finished = 0;
  return limited.map(seeds, async (seed) => {
    const outcome = await outcomeOverHttp(seed);
    finished += 1;
    progress(finished);
    return outcome;
  });
}
