// What is not as it should be with target and credentials, reported before the cases begin.
import { Client, type Connection } from '../client/client.ts';
import type { EventStream } from '../client/event-stream.ts';
import { targetChecks } from '../doctor/target.ts';
import { type CredentialStatuses, probeTitle } from '../fixtures/probe.ts';
import { unfitCredentials } from '../fixtures/unfit-credentials.ts';

/** A person should know it before the run has ended; asks nothing where nobody listens. */
export async function reportUnfit(
  statuses: CredentialStatuses,
  connection: Connection,
  events: EventStream,
): Promise<void> {
  const primary = statuses.get('COVENANT_API_KEY');
  if (!events.isHeard || primary === undefined) return;
  const { target, clock } = connection;
  const api = new Client(connection, primary.credential, probeTitle);
  const unfit = await unfitCredentials({ statuses, target, api, now: clock.now() });
  const wanting = targetChecks(target, statuses).filter(({ state }) => state === 'wrong' || state === 'missing');
  for (const { reason } of unfit) events.notice(`${reason}; what rests on it is not tested`);
  for (const { says } of wanting) events.notice(says);
}
