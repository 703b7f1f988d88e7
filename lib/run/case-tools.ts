// What one attempt at a case works with: everything but its fixtures, its judge and what makes its records.
import type { Case, Tools } from '../case.ts';
import { Client, type Connection, poolOf } from '../client/client.ts';
import { type Credential, invalidCredential } from '../client/credential.ts';
import type { Ledger } from '../client/ledger.ts';
import type { CredentialName, Effort } from '../configuration/settings.ts';
import type { CredentialStatuses } from '../fixtures/probe.ts';
import { endingWith } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ValidationTurn } from './validation-turn.ts';

interface CaseToolsOptions {
  readonly connection: Connection;
  readonly statuses: CredentialStatuses;
  readonly turn: ValidationTurn;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly ledger: Ledger;
  readonly effort: Effort;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** The case's title, in whose name its requests are sent. */
  readonly title: string;
}

const poolsOf = (credentials: readonly Credential[]) => [...new Set(credentials.flatMap(({ accounts }) => accounts))];

export function caseTools(one: Case, options: CaseToolsOptions): Omit<Tools, 'atEnd' | 'make'> {
  const { connection, statuses, turn, random, secrets, ledger, effort, attempt, signal, title } = options;
  const { clock, pacing } = connection;
  const primary = statuses.get('COVENANT_API_KEY');
  if (!primary) throw new Error('no credential status for the primary key');
  return {
    api: new Client(connection, primary.credential, title),
    clock: endingWith(clock, signal),
    random,
    effort,
    attempt,
    limits: {
      reported: (credential, rate) =>
        statuses.get((credential.root ?? credential).name as CredentialName)?.limits[rate],
      quiet: (credentials, rate) =>
        rate === 'validate' ? turn.take(one, signal) : pacing.quiet(poolsOf(credentials), rate, signal),
      room: (credential, rate, count) =>
        pacing.makeRoom(poolOf(credential.accounts, rate).accounts, rate, count, signal),
      reserve: (credential, rate, count) =>
        pacing.reserve(poolOf(credential.accounts, rate).accounts, rate, count, signal),
      minuteMs: pacing.minuteMs,
    },
    invalid: (name, token) => invalidCredential(secrets, name, token),
    hasKeyBeside: (id, credential) => ledger.hasKeyBeside(String(id), credential),
    switching: (change) => ledger.switching(change),
  };
}
