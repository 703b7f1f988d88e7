// Edits of companies that are not found for who made them: under a header, or with another key of the maker's user.

import { highLimits, mutants, type Wrap } from '../mutant.ts';
import { altered, instead, lastSegment, refusal, type Seen } from '../wrappers/mutator.ts';
import { createCompany as create, editCompany as edit } from '../wrappers/operations.ts';
import { bodyOf, noting } from '../wrappers/records.ts';
import { firstMaker, isKey, isSession, knowingKeys, tokenOf } from '../wrappers/tokens.ts';

const header = 'x-active-account';

/** An edit of a session looks into the stored account only; what the header alone selects is not found there. */
const editingInStoredOnly: Wrap = instead(edit, async (seen, honest) => {
  if (!isSession(seen) || !seen.request.headers.has(header)) return undefined;
  const url = seen.url.href;
  const read = await honest(await altered(seen, { method: 'GET', url, headers: { [header]: null } }));
  if (read.status !== 404) return undefined;
  // Whether the body is right and who may edit at all is decided by the honest server.
  return honest(await altered(seen, { headers: { [header]: null } }));
});

const noCompany = () => refusal(404, 'NOT_FOUND', 'Company not found');

/** A company is found for edits by the key that made it, and by no other of the same user. */
const editingByOwnKeyOnly =
  (isMeant: (seen: Seen) => boolean): Wrap =>
  (honest, clock) => {
    const makers = new Map<string, string>();
    const noted = noting(create, ({ id }, seen) => makers.set(String(id), tokenOf(seen)))(honest, clock);
    return knowingKeys(async ({ seen, honest: inner, keys }) => {
      const maker = makers.get(lastSegment(seen));
      const token = tokenOf(seen);
      if (seen.operation !== edit || maker === undefined || maker === token || !isKey(token)) return undefined;
      if (!isMeant(seen) || firstMaker(maker, keys) !== firstMaker(token, keys)) return undefined;
      // Whoever may not edit, or sends what is refused, is answered as ever, and nothing is written.
      const response = await inner(await altered(seen, { body: { ...bodyOf(seen), name: null } }));
      return response.status === 422 ? noCompany() : response;
    })(noted, clock);
  };

export default mutants(
  {
    'envelope-valid-served': {
      // Authentication 9: for sessions the account comes from the header or from the stored preference.
      'companies-edit-under-a-header-looks-into-the-stored-account': editingInStoredOnly,
      // Authentication 3: a key inherits the user's permissions.
      'companies-edit-by-another-key-of-the-maker-is-not-found': editingByOwnKeyOnly(() => true),
    },
  },
  highLimits,
);
