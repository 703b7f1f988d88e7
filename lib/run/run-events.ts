// The events at the beginning and the end of a run, and about a target or credentials that are wrong.
import { Client, type Connection } from '../client/client.ts';
import type { EventStream } from '../client/event-stream.ts';
import type { Ledger } from '../client/ledger.ts';
import { targetChecks } from '../doctor/checks.ts';
import type { Happening } from '../events.ts';
import { unfitCredentials } from '../fixtures/credentials.ts';
import { type CredentialStatuses, probeTitle } from '../fixtures/probe.ts';
import { defined } from '../runtime/defined.ts';
import { type Brief, briefOf } from './build-report.ts';
import type { Findings } from './findings.ts';
import type { Monitors } from './monitors.ts';
import type { RunInput } from './run-input.ts';
import type { Selection } from './selection.ts';
import { totalsOf } from './verdict.ts';

export const startedEvent = (run: string, { target, settings }: RunInput, { ids, cases }: Selection): Happening => ({
  event: 'started',
  format: 'covenant-events/1',
  run,
  seed: settings.seed,
  base_url: target.baseUrl,
  requirements: ids.size,
  cases: cases.length,
});

/** The verdict may still change: by replies to the clean-up, and by the rules over all replies. */
export function cleanUpEvent(
  ledger: Ledger,
  findings: Findings,
  monitors: Monitors,
  whyUnseen: Parameters<Monitors['conclude']>[1],
  aborted: string | undefined,
): Happening {
  monitors.conclude(findings, whyUnseen);
  const { verdict } = briefOf({ findings, replies: [], ...defined({ aborted }) });
  return { event: 'phase', phase: 'clean-up', things: ledger.deletable().length, verdict };
}

export const finishedEvent = ({ verdict, reason, requirements }: Brief, durationMs: number): Happening => ({
  event: 'finished',
  verdict,
  ...defined({ reason }),
  totals: totalsOf(requirements),
  duration_ms: durationMs,
});

/** Tells people before the run has ended; sends nothing if nobody listens. */
export async function reportUnfit(
  statuses: CredentialStatuses,
  connection: Connection,
  events: EventStream,
): Promise<void> {
  const primary = statuses.get('COVENANT_API_KEY');
  if (!events.hasListeners || primary === undefined) return;
  const { target, clock } = connection;
  const api = new Client(connection, primary.credential, probeTitle);
  const unfit = await unfitCredentials({ statuses, target, api, now: clock.now() });
  const wanting = targetChecks(target, statuses).filter(({ state }) => state === 'wrong' || state === 'missing');
  for (const { reason } of unfit) events.notice(`${reason}; what rests on it is not tested`);
  for (const { says } of wanting) events.notice(says);
}
