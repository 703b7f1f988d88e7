// A thread of the laboratory: a server of the second reading behind a socket, examined in real time with a short minute.
import { parentPort, workerData } from 'node:worker_threads';
import { liveTransport } from '../lib/client/transports/live.ts';
import type { Effort } from '../lib/configuration/settings.ts';
import { run } from '../lib/run/run.ts';
import { hurried, wallClock } from '../lib/runtime/clock.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, targetOf } from './examine.ts';
import { type Outcome, outcomeOf } from './matrix/judgement.ts';
import { secondReading } from './matrix/subject.ts';
import { createSecondReading } from './second-reading/index.ts';

/** Shared by both: what a run waits for besides the minute passes as quickly. */
const rate = 4;
/** The target's minute, in milliseconds of that clock. */
const minuteMs = 3000 * rate;
/** Small enough for a burst within half of such a minute, also on a loaded machine. */
const limits = { read: 100, write: 30, validate: 10 };

async function outcomeOverHttp(seed: number, effort: Effort): Promise<Outcome> {
  const clock = hurried(wallClock, rate);
  const { env, listen } = await createSecondReading({ seed, minuteMs, limits, now: clock.now, sleep: clock.sleep });
  const { url, close } = await listen();
  const { send, close: hangUp } = liveTransport();
  try {
    const { brief } = await run({
      suites,
      target: { ...targetOf(env), baseUrl: url, minuteMs },
      settings: { ...defaultSettings, seed, effort },
      transport: send,
      clock,
    });
    return outcomeOf(secondReading(seed).id, brief, effort);
  } finally {
    await hangUp();
    await close();
  }
}

if (parentPort !== null) {
  const port = parentPort;
  const effort = workerData as Effort;
  port.on('message', async (id: string) =>
    port.postMessage(await outcomeOverHttp(Number(id.split('-').at(-1)), effort)),
  );
}
