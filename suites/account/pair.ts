// What the cases about the active account judge together, and the two accounts of one session that they compare.
import type { Api, Context, MadeKey, Membership } from '../../lib/index.ts';
import type { Views } from '../shared/account-view.ts';

export const ids = [
  'account-active-switch-effect',
  'account-active-key-unmoved',
  'account-active-with-key',
  'account-active-missing-slug',
  'account-accounts-complete',
  'account-header-selects',
  'account-header-wins',
  'account-header-temporary',
  'account-header-key-unmoved',
  'account-header-value',
] as const;
export type ActingContext = Context<(typeof ids)[number], 'session' | 'memberships'>;

/** Two accounts of one session, and how each is recognised. */
export interface Pair {
  readonly own: Api;
  readonly a: Membership;
  readonly b: Membership;
  /** A key that the session made while `a` was active. */
  readonly keyA: MadeKey;
  /** The same for `b`. */
  readonly keyB: MadeKey;
  /** As the validation returns them. */
  readonly accountA: string;
  readonly accountB: string;
  readonly views: Views;
  /** Billing alone proves nothing: the two look alike, or more than a sample is asked for. */
  readonly askKeys: boolean;
}
