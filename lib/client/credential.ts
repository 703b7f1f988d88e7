// Who sends a request: a named token, and the accounts that may count its requests.
import { plainName, type Secrets } from '../secrets/secrets.ts';

export interface Credential {
  /** The variable, or a name given by the suite; reports show it in place of the token. */
  readonly name: string;
  readonly kind: 'key' | 'session' | 'invalid' | 'none';
  /** Absent: no Authorization header. */
  readonly token?: string;
  /** The pools of its account; several if it is unknown which; none if it belongs to no account. */
  readonly accounts: readonly string[];
  /** X-Active-Account of every request that names no other: for a session without a stored account. */
  readonly account?: string;
  /** Only on keys that the run created: the configured credential behind them, which outlives them. */
  readonly root?: Credential;
}

/** Sends no Authorization header. */
export const anonymous: Credential = { name: 'none', kind: 'none', accounts: [] };

/** A token that the target must refuse; it belongs to no account. */
export function invalidCredential(secrets: Secrets, name: string, token: string): Credential {
  secrets.addInvented(name, token);
  return { name: plainName(name), kind: 'invalid', token, accounts: [] };
}
