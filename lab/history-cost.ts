// What it takes to judge a history: the world folded and every rule applied, at a standard and at a thorough run's length.
import { handlerTransport } from '../lib/client/transports/handler.ts';
import type { Effort } from '../lib/configuration/settings.ts';
import type { History } from '../lib/model/history.ts';
import { Judge, rules } from '../lib/model/judge.ts';
import { World } from '../lib/model/world.ts';
import { run } from '../lib/run/run.ts';
import { virtualClock } from '../lib/runtime/virtual-clock.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, targetOf } from './examine.ts';
import { createReference } from './reference/index.ts';

/** The history of a run of the reference. */
async function historyOf(effort: Effort): Promise<History> {
  const clock = virtualClock();
  const inside = { now: () => clock.now(), sleep: (ms: number) => clock.inside.sleep(ms) };
  const { handler, env } = await createReference({ clock: inside });
  const kept: History[] = [];
  const keep = rules(['envelope-valid-served'], ({ history }) => void kept.push(history));
  await run({
    suites: [...suites, { area: 'envelope', cases: [], rules: keep }],
    target: targetOf(env),
    settings: { ...defaultSettings, effort },
    transport: handlerTransport(handler, clock),
    clock,
  });
  const [history] = kept;
  if (history === undefined) throw new Error('the run kept no history');
  return history;
}

/** Milliseconds an exchange; `exchanges` in all. */
export interface HistoryCost {
  readonly exchanges: number;
  readonly each: number;
}

/** By a clock of the caller's, in milliseconds. */
export async function historyCost(effort: Effort, now: () => number): Promise<HistoryCost> {
  const history = await historyOf(effort);
  const started = now();
  const world = new World(history);
  for (const { rules: own } of suites) own?.apply(world, new Judge());
  const exchanges = history.replies.length;
  return { exchanges, each: (now() - started) / exchanges };
}
