// `npm run bench`: what a run costs besides the time of the target: ratios within one process run, so that the speed of the machine cancels out.
import { handlerTransport } from '../../lib/client/transports/handler.ts';
import type { Effort, Settings } from '../../lib/configuration/settings.ts';
import { type Controls, controlsOf } from '../../lib/evidence/controls.ts';
import { readEvidence } from '../../lib/evidence/read.ts';
import type { History } from '../../lib/model/history.ts';
import { Judge, rules } from '../../lib/model/judge.ts';
import { World } from '../../lib/model/world.ts';
import { views } from '../../lib/report/views.ts';
import type { RunResult } from '../../lib/result.ts';
import { run } from '../../lib/run/run.ts';
import { virtualClock } from '../../lib/runtime/virtual-clock.ts';
import { suites } from '../../suites/index.ts';
import { defaultSettings, examine, targetOf } from '../examine.ts';
import { judge, recordedRun } from '../recorded-run.ts';
import { createReference, type Handler } from '../reference/index.ts';
import { documented, higherTier, rows, timeOf } from './minutes.ts';

const rounds = 5;
const now = () => performance.now();

interface Measured {
  readonly name: string;
  readonly ms: number;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

async function timed(name: string, work: () => Promise<unknown>): Promise<Measured> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return { name, ms: median(times) };
}

/** The result of one run, and a function that sends its requests to the reference again, without the suite. */
async function traffic(): Promise<{ result: RunResult; replay: () => Promise<void> }> {
  const requests: Request[] = [];
  let honest: Handler | undefined;
  const result = await examine({
    wrap: (handler) => {
      honest = handler;
      return (request) => {
        requests.push(request.clone());
        return handler(request);
      };
    },
  });
  return {
    result,
    replay: async () => {
      for (const request of requests) await (await honest?.(request.clone()))?.text();
    },
  };
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(8);

const runTimed = (name: string, settings: Partial<Settings>) => timed(name, () => examine({ settings }));

function table(rows: readonly Measured[], base: Measured): string {
  return rows.map(({ name, ms }) => `${name.padEnd(44)}${(ms / base.ms).toFixed(2).padStart(7)}\n`).join('');
}

/** Of processor time, by all threads. */
function secondsUsed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Bytes still in use, after a few turns of the event loop in which the rest is released. */
async function heapInUse(): Promise<number> {
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

/** Prints times relative to a standard run in this process: medians of five after a warm-up. */
async function bench(print: (text: string) => void): Promise<void> {
  const { result, replay } = await traffic();
  const base = await runTimed('a standard run', {});
  const rows = [
    base,
    await runTimed('a quick run', { effort: 'quick' }),
    await runTimed('a thorough run', { effort: 'thorough' }),
    await runTimed('a standard run without the exhaustion', { exhaustion: false }),
    await timed('a standard run with its report', async () => (await examine()).report),
    await timed('that with its evidence recorded, without sockets', () => recordedRun()),
    await timed('its requests, sent to the reference alone', replay),
    await timed('the HTML report of it', async () => views.html.render(result)),
  ];
  print(`time, as a share of a standard run in this process (median of ${rounds})\n${table(rows, base)}`);
  const used: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = secondsUsed();
    await examine();
    used.push(secondsUsed() - before);
  }
  print(`the reference is examined in ${Math.min(...used).toFixed(1)} s of processor time (at most 2)\n`);
  const [short, long] = [await historyCost('standard', now), await historyCost('thorough', now)];
  print(
    `judging a history: ${long.exchanges} exchanges take ${(long.each / short.each).toFixed(2)} times as long each as ${short.exchanges} (at most 1.5)\n`,
  );
  const { built, recording, reportFile, file } = await recordedRun();
  const evidence = readEvidence(file, 'evidence.jsonl.gz');
  const took = (work: () => unknown): string => {
    const before = secondsUsed();
    work();
    return (secondsUsed() - before).toFixed(1);
  };
  const writing = took(() => [...recording.lines(built.report, reportFile)]);
  const verifying = took(() => judge(file, reportFile));
  let controls: Controls | undefined;
  const controlling = took(() => {
    controls = controlsOf(evidence, suites);
  });
  print(
    `evidence, in seconds of processor time: written in ${writing} (at most 1), verified in ${verifying} (at most 2); live controls: ${controls?.shown} of ${controls?.musts} MUSTs seen to fail (at least 90 %) in ${controlling} (at most 60)\n`,
  );
  const before = await heapInUse();
  const kept = await examine();
  const bytes = JSON.stringify(kept.transcript).length;
  const grown = (await heapInUse()) - before;
  print(`memory: a run keeps ${(grown / bytes).toFixed(2)} bytes on the heap for each byte of its transcript\n`);
}

/** How long runs take under the document's limits, in virtual time. */
async function minutes(print: (text: string) => void): Promise<void> {
  const latencies = [0, 50, 200];
  const tiers = [documented, higherTier];
  print(`\n${'seconds under limits, in virtual time'.padEnd(60)}    wall   least   ratio    goal  stays\n`);
  for (const limits of tiers) {
    for (const row of rows) {
      for (const latencyMs of latencies) {
        const { wallMs, leastMs, stays } = await timeOf({ ...row, limits, latencyMs });
        const name = `${Object.values(limits).join('/')}, ${latencyMs} ms: ${row.name}`;
        const ratio = leastMs === 0 ? '-' : (wallMs / leastMs).toFixed(2);
        const goal = limits === documented ? seconds(row.goalMs ?? row.maxMs) : '';
        const left = Object.entries(stays).map(([kind, count]) => `${count} ${kind}`);
        print(
          `${name.padEnd(60)}${seconds(wallMs)}${seconds(leastMs)}${ratio.padStart(8)}${goal.padStart(8)}  ${left.join(', ')}\n`,
        );
      }
    }
  }
}

const print = (text: string) => process.stdout.write(text);
await minutes(print);
if (!process.argv.includes('--minutes')) await bench(print);

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
interface HistoryCost {
  readonly exchanges: number;
  readonly each: number;
}

/** By a clock of the caller's, in milliseconds. */
async function historyCost(effort: Effort, now: () => number): Promise<HistoryCost> {
  const history = await historyOf(effort);
  const started = now();
  const world = new World(history);
  for (const { rules: own } of suites) own?.apply(world, new Judge());
  const exchanges = history.replies.length;
  return { exchanges, each: (now() - started) / exchanges };
}
