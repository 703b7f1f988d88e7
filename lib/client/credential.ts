// Who sends a request: a token under a name, and the accounts its requests may be counted against.
import { plainName, type Secrets } from '../secrets/secrets.ts';

export interface Credential {
  /** The variable's name, or a name that the suite gives; what reports print in place of the token. */
  readonly name: string;
  readonly kind: 'key' | 'session' | 'invalid' | 'none';
  /** Absent: no Authorization header. */
  readonly token?: string;
  /** The pools of its account; more than one where it is not known which; none where it belongs to no account. */
  readonly accounts: readonly string[];
  /** X-Active-Account of every request that names no other: of a session that has no stored account. */
  readonly account?: string;
  /** Only on keys that the run made: the configured credential behind them, which outlives them. */
  readonly root?: Credential;
}

/** Sends no Authorization header. */
export const anonymous: Credential = { name: 'none', kind: 'none', accounts: [] };

/** A token that the target must refuse; it belongs to no account. */
export function invalidCredential(secrets: Secrets, name: string, token: string): Credential {
  secrets.addInvented(name, token);
  return { name: plainName(name), kind: 'invalid', token, accounts: [] };
}
