// Unusual slugs of accounts: in another letter case where the profile shows them, and refused for their form.
import { altered, instead, isObject, type Json, onStatus, type Seen } from '../mutants/wrappers/mutator.ts';
import { onRecords, onText } from '../mutants/wrappers/records.ts';
import { together, variants } from './variant.ts';

const switching = 'PATCH /me/active-account';

const capitalised = ({ slug, ...account }: Json): Json => ({
  ...account,
  slug: String(slug).replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
});

/** GET /me shows slugs as they were typed, the list of accounts as they are compared. */
const inAnyCase = together([
  onText(switching, 'slug', (slug) => slug.toLowerCase()),
  instead(
    ({ request }) => request.headers.has('x-active-account'),
    async (seen, honest) => {
      const named = seen.request.headers.get('x-active-account')?.toLowerCase() ?? null;
      return honest(await altered(seen, { headers: { 'x-active-account': named } }));
    },
  ),
  onRecords('GET /me', ({ account, accounts, ...data }) => ({
    ...data,
    account: isObject(account) ? capitalised(account) : account,
    accounts: (accounts as Json[]).map(capitalised),
  })),
]);

const reserved = ['null', 'true', 'false'];
/** An empty one counts as missing. */
const isImpossible = ({ operation, body }: Seen): boolean => {
  const slug = isObject(body) ? body.slug : undefined;
  return operation === switching && typeof slug === 'string' && (slug.length < 3 || reserved.includes(slug));
};

export default variants({
  'slugs-capitalised-in-the-profile': {
    why: 'GET /me and GET /me/accounts both show slugs; that they write them in the same letter case is not said.',
    wrap: inAnyCase,
  },
  'slugs-that-are-impossible-refused-with-422': {
    why: 'A text that can be no slug may fail validation, before any account is looked for.',
    wrap: onStatus(isImpossible, 404, 422),
  },
});
