// Credentials that are set and are not what the configuration says they are: found by the offers themselves, for notices and for the doctor.
import type { Api } from './client/client.ts';
import { NotTested } from './client/errors.ts';
import type { CredentialName, Target } from './configuration/settings.ts';
import * as offers from './offers.ts';
import type { Standings } from './standing.ts';

export interface Shortfall {
  readonly name: CredentialName;
  /** In the words of the requirements that will not be tested for it. */
  readonly reason: string;
}

interface Asked {
  readonly standings: Standings;
  readonly target: Target;
  /** Asks for what a scope opens where validate speaks against a credential. */
  readonly api: Api;
  readonly now: number;
}

type Offer = (asked: Asked) => unknown;

const table: { readonly [Name in CredentialName]: readonly Offer[] } = {
  COVENANT_API_KEY: [
    ({ standings, api }) => offers.withScope(standings, 'account:read', api),
    ({ standings, api }) => offers.withScope(standings, 'billing:read', api),
  ],
  COVENANT_API_KEY_RESTRICTED: [({ standings, api }) => offers.restricted(standings, api)],
  COVENANT_API_KEY_SECONDARY: [({ standings }) => offers.secondary(standings)],
  COVENANT_JWT: [({ standings }) => offers.session(standings, 'COVENANT_JWT')],
  COVENANT_JWT_EXPIRED: [({ standings, now }) => offers.expiredSession(standings, now)],
  COVENANT_JWT_NO_ACCOUNT: [({ standings }) => offers.session(standings, 'COVENANT_JWT_NO_ACCOUNT')],
  COVENANT_RATE_API_KEY: [({ standings }) => offers.exhaustible(standings)],
  COVENANT_RATE_API_KEY_SIBLING: [({ standings }) => offers.sibling(standings)],
};

async function shortfall(name: CredentialName, asked: Asked): Promise<Shortfall | undefined> {
  for (const offer of table[name]) {
    try {
      await offer(asked);
    } catch (error) {
      if (error instanceof NotTested) return { name, reason: error.message };
      throw error;
    }
  }
  return undefined;
}

/** One for each credential that is set and does not fit, in the order of the configuration. */
export async function shortfalls(asked: Asked): Promise<readonly Shortfall[]> {
  const found: Shortfall[] = [];
  for (const name of asked.standings.keys()) {
    const one = await shortfall(name, asked);
    if (one) found.push(one);
  }
  return found;
}
