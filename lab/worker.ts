// A thread of the laboratory: examines whatever name it receives, and posts what came of it.
import { parentPort, workerData } from 'node:worker_threads';
import type { Settings } from '../lib/configuration/settings.ts';
import { answerTo } from './conditional/judged.ts';
import { judgedAgainOf } from './evidence/judged-again.ts';
import { installLeanFetch } from './lean-fetch.ts';
import type { Extent } from './matrix/judgement.ts';
import { outcomeNamed } from './matrix/judgement.ts';
import type { Work } from './matrix/pool.ts';
import { scheduleOutcome } from './network/examine-schedule.ts';
import { outcomeOverHttp } from './over-http.ts';

type Examine = (name: string, how: Extent & Partial<Settings>) => Promise<unknown>;

const examining: Readonly<Record<Work, Examine>> = {
  subjects: outcomeNamed,
  conditional: (name, { effort }) => answerTo(name, effort),
  schedules: scheduleOutcome,
  evidence: judgedAgainOf,
  'second reading over HTTP': (name, { effort }) => outcomeOverHttp(name, effort),
};

if (parentPort !== null) {
  const port = parentPort;
  const { work, how } = workerData as { work: Work; how: Extent & Partial<Settings> };
  // What goes over sockets needs the streams of the real classes.
  if (work !== 'evidence' && work !== 'second reading over HTTP') installLeanFetch();
  // Refusals are exceptions, whose stack traces are not used here and would take a tenth of the time.
  Error.stackTraceLimit = 0;
  port.on('message', async (name: string) => port.postMessage(await examining[work](name, how)));
}
