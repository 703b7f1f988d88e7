// One schedule: a whole run behind a bad network, the clean-up behind a good one, and what stands on the target after both.
import { setMaxListeners } from 'node:events';
import { type Entry, Ledger } from '../../lib/client/ledger.ts';
import { type Handler, handlerTransport } from '../../lib/client/transports/handler.ts';
import type { Transport } from '../../lib/client/transports/transport.ts';
import type { Settings, Target } from '../../lib/configuration/settings.ts';
import type { BuiltReport } from '../../lib/run/build-report.ts';
import { cleanUpLater } from '../../lib/run/cleanup.ts';
import { run } from '../../lib/run/run.ts';
import type { Clock } from '../../lib/runtime/clock.ts';
import { type VirtualClock, virtualClock } from '../../lib/runtime/virtual-clock.ts';
import { suites } from '../../suites/index.ts';
import { defaultSettings, targetOf } from '../examine.ts';
import { type Outcome, outcomeOf } from '../matrix/judgement.ts';
import { createReference } from '../reference/index.ts';
import { disturbed, type Schedule, scheduleNamed, skewAt } from './schedule.ts';

export interface ScheduleOutcome extends Outcome {
  /** Keys, notes and switched accounts that are still there after `cleanup`, although they were not there before. */
  readonly left: readonly string[];
  /** False where the run had to be stopped. */
  readonly ended: boolean;
}

/** Beyond these a run counts as one that does not end. */
const requestsMax = 40_000;
const durationMsMax = 6 * 3_600_000;

/** A server as it is before a run, and the way to it. */
async function targetFor(schedule: Schedule, clock: VirtualClock) {
  const { reference, wrap, target: configured, skewMs = 0 } = schedule.subject.examination;
  const startedAt = clock.now();
  const now = () => clock.now() + skewMs + skewAt(schedule, 'target', clock.now() - startedAt);
  const inside = { now, sleep: (ms: number) => clock.inside.sleep(ms) };
  const { handler, env } = await createReference({ ...reference, clock: inside });
  const target: Target = { ...targetOf(env), ...configured };
  return { honest: handler, handler: wrap ? wrap(handler, clock) : handler, env, target };
}

/** Looks behind every wrapper, and waits where a limit is used up. */
export function asker(handler: Handler, env: Readonly<Record<string, string>>, clock: Clock): Ask {
  return async function ask(path, credential, account): Promise<readonly Record<string, unknown>[]> {
    const headers = {
      authorization: `Bearer ${env[credential]}`,
      'x-origin-app': 'laboratory',
      ...(account === undefined ? {} : { 'x-active-account': account }),
    };
    const reply = await handler(new Request(`http://reference.test/api/external/v2${path}`, { headers }));
    if (reply.status === 429) {
      await clock.sleep(61_000);
      return ask(path, credential, account);
    }
    const { data } = (await reply.json()) as { data?: Record<string, unknown>[] };
    return data ?? [];
  };
}

const lookingAt = async (env: Readonly<Record<string, string>>, handler: Handler, clock: VirtualClock) =>
  remains(Object.keys(env), asker(handler, env, clock));

/** What was there before is what a second server of the same seed has. */
async function leftBy(schedule: Schedule, found: readonly string[]): Promise<string[]> {
  const clock = virtualClock();
  const { honest, env } = await targetFor(schedule, clock);
  const before = await lookingAt(env, honest, clock);
  return found.filter((one) => !before.includes(one));
}

/** What `cleanup` does with the ledger of a run that left something. */
export async function cleanedUp(entries: readonly Entry[], target: Target, transport: Transport, clock: Clock) {
  const ledger = new Ledger();
  for (const entry of entries) ledger.apply(entry);
  if (!ledger.isClear()) await cleanUpLater({ target, transport, clock }, ledger);
}

/** Stops a run that does not end by itself. */
function bounded(transport: Transport, clock: VirtualClock) {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const until = clock.now() + durationMsMax;
  let requests = 0;
  const counting: Transport = (sent, limits) => {
    requests += 1;
    if (requests > requestsMax || clock.now() > until) stop.abort(new Error('the run does not end'));
    return transport(sent, limits);
  };
  return { transport: counting, signal: stop.signal };
}

/** The run behind the bad network, the target and what the run wrote down; for the command line, which shows one in full. */
export async function runBehind(schedule: Schedule, settings: Partial<Settings> = {}) {
  const clock = virtualClock();
  const { honest, handler, env, target } = await targetFor(schedule, clock);
  const good = handlerTransport(handler, clock);
  const { transport, signal } = bounded(disturbed(good, schedule, clock), clock);
  const entries: Entry[] = [];
  const startedAt = clock.now();
  const built: BuiltReport = await run({
    suites,
    target,
    settings: { ...defaultSettings, ...schedule.subject.examination.settings, ...settings, seed: schedule.seed },
    transport,
    clock: { now: () => clock.now() + skewAt(schedule, 'ours', clock.now() - startedAt), sleep: clock.sleep },
    signal,
    record: (entry) => entries.push(entry),
  });
  return { built, ended: !signal.aborted, entries, clock, honest, env, target, good };
}

export async function examineSchedule(schedule: Schedule, settings?: Partial<Settings>): Promise<ScheduleOutcome> {
  const ran = await runBehind(schedule, settings);
  const { built, ended, entries, clock, honest, env, target, good } = ran;
  // A clock that had jumped is right again before anybody cleans up.
  await clock.sleep(durationMsMax);
  await cleanedUp(entries, target, good, clock);
  const left = await leftBy(schedule, await lookingAt(env, honest, clock));
  const outcome = outcomeOf(`network-${schedule.seed}`, built.brief, 'standard');
  return { ...outcome, ended, left };
}

/** As it is named; an exception is an outcome too. */
export async function scheduleOutcome(name: string): Promise<ScheduleOutcome> {
  try {
    return { ...(await examineSchedule(scheduleNamed(name))), subject: name };
  } catch (error) {
    const trouble = `the suite crashed: ${error instanceof Error ? error.stack : String(error)}`;
    const nothing = { failed: [], untested: [], inconclusive: [], requests: 0, left: [], ended: true };
    return { subject: name, verdict: 'aborted', trouble, effort: 'standard', ...nothing };
  }
}

/** A request with one of the credentials, and `data` of its reply. */
type Ask = (path: string, credential: string, account?: string) => Promise<readonly Record<string, unknown>[]>;

/** One line for each, sorted; `names` are the variables of the credentials to look with. */
export async function remains(names: readonly string[], ask: Ask): Promise<string[]> {
  const found: string[] = [];
  for (const name of names.filter((one) => /API_KEY|JWT$/.test(one))) {
    const session = name === 'COVENANT_JWT';
    const accounts = session ? await ask('/me/accounts', name) : [undefined];
    for (const account of accounts) {
      const slug = account && String(account.slug);
      const keys = await ask('/api-keys?limit=200', name, slug);
      found.push(...keys.map(({ id }) => `key ${id} of ${name} ${slug}`));
      found.push(`${name} ${slug} ${account?.is_active}`);
    }
    if (session) continue;
    for (const { id } of await ask('/companies?limit=200', name)) {
      const notes = await ask(`/companies/${id}/notes?limit=200`, name);
      found.push(...notes.map((note) => `note ${note.id} of company ${id}`));
    }
  }
  return found.sort();
}
