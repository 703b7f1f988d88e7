// Rules: a key keeps the account that validations report, and a foreign X-Active-Account opens no other account.
import {
  accountHeaderOf,
  at,
  dataOf,
  identifierOf,
  isShown,
  itemsOf,
  type Reply,
  type Rule,
  session,
  tokenOf,
  validatedIn,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';

export const keysOfAccounts: Rule = ({ replies, keys, accounts }, { expect }) => {
  const first = new Map<string, string>();
  for (const reply of replies) {
    const token = validatedIn(reply);
    const account = at(dataOf(reply), 'account_id') ?? undefined;
    const created = keys.of(token)?.created;
    if (token === undefined || account === undefined || created === undefined) continue;
    const [actual, expected] = [wordOf(account), first.get(token)];
    first.set(token, expected ?? actual);
    const found = { expected, actual, because: [created] };
    if (expected !== undefined)
      expect('account-active-key-unmoved', reply, actual === expected, 'a key should stay on its account', found);
    else if (accounts.isUnderForeign(created))
      expect(
        'account-header-foreign',
        reply,
        !accounts.isOfOthers(actual),
        'no header should open an account of others',
        {
          ...found,
          expected: 'a refusal, or a key of an account of the session',
        },
      );
    else if (accountHeaderOf(created) !== undefined && created.credential !== session) {
      const ofMaker = accounts.ofToken(tokenOf(created));
      const message = 'a key should be of the account of the key that made it, whatever the header says';
      if (ofMaker !== undefined)
        expect('account-header-key-unmoved', reply, actual === ofMaker, message, { ...found, expected: ofMaker });
    }
  }
};

const kinds = { 'GET /companies': ['company', 'name'], 'GET /contacts': ['contact', 'last_name'] } as const;

/** Under a foreign X-Active-Account a list must not show records that only keys of other accounts see. */
export const foreignLists: Rule = ({ replies, accounts }, { expect, count }) => {
  for (const [operation, [kind, name]] of Object.entries(kinds)) {
    const all = replies.filter((reply) => reply.operation === operation && wasAccepted(reply));
    const marksIn = (reply: Reply): readonly string[] =>
      itemsOf(reply).map((item) => JSON.stringify([identifierOf(kind, item), item[name]]));
    const isOfOthers = (reply: Reply): boolean =>
      reply.credential !== session && accounts.isOfOthers(accounts.of(reply) ?? '');
    const foreign = all.filter((reply) => accounts.isUnderForeign(reply));
    const others = new Set(all.filter((one) => isOfOthers(one) && isShown(one)).flatMap(marksIn));
    for (const one of all.filter((reply) => !isOfOthers(reply) && !foreign.includes(reply)))
      for (const mark of marksIn(one)) others.delete(mark);
    for (const reply of foreign) {
      const actual = marksIn(reply).filter((mark) => others.has(mark));
      if (others.size > 0) count('account-header-foreign', reply);
      if (actual.length > 0)
        expect('account-header-foreign', reply, false, 'no header should open an account of others', {
          expected: 'a refusal, or what is seen without the header',
          actual,
        });
    }
  }
};
