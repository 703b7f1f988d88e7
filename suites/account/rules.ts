// Rules of the account suite: profiles, account lists and the active account (Authentication, 9).
import { at, dataOf, isBare, isShown, itemsOf, type Rule, rules, wasAccepted } from '../../lib/index.ts';
import { hasSlug } from '../shared/answer.ts';
import { foreignLists, keysOfAccounts } from './key-rules.ts';
import { lists } from './list-rules.ts';
import { sessions } from './session-rules.ts';
import { switches } from './switch-rules.ts';
import { mixups } from './view-rules.ts';

/** A profile shows the rate limits, and each listed account has a slug. */
const shown: Rule = ({ replies }, { expect }) => {
  for (const reply of replies.filter(isShown)) {
    if (reply.operation === 'GET /me') {
      const limits = at(dataOf(reply), 'platform', 'rate_limits') ?? undefined;
      const found = { expected: 'data.platform.rate_limits', actual: limits };
      expect('account-me-rate-limits', reply, limits !== undefined, 'GET /me should hold platform.rate_limits', found);
    }
    const nameless = reply.operation === 'GET /me/accounts' ? itemsOf(reply).filter((one) => !hasSlug(one)) : undefined;
    const found = { expected: 'a slug in each record', actual: nameless };
    if (nameless)
      expect('account-accounts-slugs', reply, nameless.length === 0, 'every listed account should have a slug', found);
  }
};

/** The configured session whose user has no active account, unless a request names one. */
const accountless = 'COVENANT_JWT_NO_ACCOUNT';

const undetermined: Rule = ({ replies }, { expect }) => {
  const own = replies.filter(({ credential }) => credential === accountless);
  const switched = own.find((one) => one.operation === 'PATCH /me/active-account' && wasAccepted(one));
  const asked = own.filter((one) => one.operation === 'GET /me/team-accounts' && isBare(one));
  // The configuration does not promise this user the scope: 403 is accepted unless some reply is 400.
  const mayLackScope = !asked.some(({ status }) => status === 400);
  for (const reply of asked) {
    const { status } = reply;
    if ([401, 429].includes(status) || status >= 500 || (status === 403 && mayLackScope)) continue;
    if (switched && switched.after < reply.id) continue;
    const message = 'without an account the team accounts should be refused with 400';
    expect('account-team-accounts-undetermined', reply, status === 400, message, { expected: 400, actual: status });
  }
};

export const accountRules = rules(
  ['api-keys-made-identity'],
  shown,
  undetermined,
  keysOfAccounts,
  foreignLists,
  lists,
  sessions,
  switches,
  mixups,
);
