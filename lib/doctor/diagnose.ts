// The doctor: checks configuration and credentials against the target with a handful of reads, and writes nothing.
import type { ProfileName } from '../catalogue/profiles.ts';
import { type Connection, type ConnectionOptions, connect } from '../client/client.ts';
import { Inconclusive } from '../client/errors.ts';
import { Ledger } from '../client/ledger.ts';
import { credentialNames, type Target } from '../configuration/settings.ts';
import { Aborted, type CredentialStatuses, probe } from '../fixtures/probe.ts';
import { defined, picked } from '../runtime/defined.ts';
import { Secrets } from '../secrets/secrets.ts';
import { acceptanceChecks, type Check, credentialChecks, targetChecks } from './checks.ts';

/** A probe that found a target which can be judged. */
export interface Probed {
  readonly connection: Connection;
  readonly statuses: CredentialStatuses;
}

export interface Diagnosis {
  readonly checks: readonly Check[];
  /** The target with those credentials only that are what they should be; absent where no run can begin. */
  readonly usable?: Target;
  /** Present with it. */
  readonly probed?: Probed;
}

const unknowable: readonly Check[] = [
  {
    what: 'creation of keys',
    state: 'open',
    says: 'Whether keys can be made through the interface shows only when one is made, and the doctor writes nothing.',
    remedy: 'Where they cannot, what rests on made keys (revocation, above all) is not tested.',
  },
  {
    what: 'rights to create',
    state: 'open',
    says: 'Whether the primary user may create companies and contacts, and the restricted one may not, shows only in a run.',
  },
];

function usableTarget(target: Target, checks: readonly Check[]): Target {
  const fine = (name: string): boolean => checks.some(({ what, state }) => what === name && state === 'fine');
  const names = credentialNames.filter((name) => name === 'COVENANT_API_KEY' || fine(name));
  const { foreignSlug, ...rest } = target;
  return {
    ...rest,
    credentials: picked(names, target.credentials),
    ...defined({ foreignSlug }),
  };
}

/** Never rejects for whatever the target does. */
export async function diagnose(options: ConnectionOptions, profile?: ProfileName): Promise<Diagnosis> {
  const connection = connect(options, new Ledger(), true);
  const secrets = new Secrets();
  try {
    const statuses = await probe(connection, secrets);
    const credentials = await credentialChecks(connection, statuses, profile);
    const checks = [...targetChecks(connection.target, statuses), ...credentials, ...unknowable];
    return { checks, usable: usableTarget(connection.target, credentials), probed: { connection, statuses } };
  } catch (error) {
    if (!(error instanceof Aborted || error instanceof Inconclusive)) throw error;
    const says = `${error.message.replace(/\.$/, '')}.`;
    if (!(error instanceof Aborted && error.answers)) return { checks: [{ what: 'target', state: 'wrong', says }] };
    const refused: Check = {
      what: 'COVENANT_API_KEY',
      state: 'wrong',
      says: `${says.charAt(0).toUpperCase()}${says.slice(1)}`,
    };
    const answers: Check = { what: 'target', state: 'fine', says: `${connection.target.baseUrl} answers.` };
    return { checks: [answers, refused, ...(await acceptanceChecks(connection, secrets, profile))] };
  }
}
