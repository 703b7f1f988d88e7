// Finishes the clean-up of a run that was killed: from its ledger, with the credentials that are configured now.

import { Client, type Connection } from '../client/client.ts';
import { type ConnectionOptions, connect } from '../client/connection.ts';
import type { Ledger } from '../client/ledger.ts';
import type { CredentialName } from '../configuration/settings.ts';
import { type CredentialStatuses, probe } from '../fixtures/probe.ts';
import { Secrets } from '../secrets/secrets.ts';
import { type ApiOf, cleanUp } from './cleanup.ts';

/** Rejects with `Aborted` where the target cannot be reached or refuses the primary key; the ledger shows what is left. */
export async function cleanUpLater(options: ConnectionOptions, ledger: Ledger): Promise<void> {
  const connection = connect(options, ledger, false);
  const statuses = await probe(connection, new Secrets());
  await cleanUp(ledger, speakersOf(connection, statuses));
}

/** Who cleans up for a credential. */
export const speakersOf =
  (connection: Connection, statuses: CredentialStatuses | undefined): ApiOf =>
  (name) => {
    const credential = statuses?.get(name as CredentialName)?.credential;
    return credential && new Client(connection, credential, 'clean-up');
  };
