// Finds a key of an account that the session's user does not belong to.
import { type Api, type Memberships, NotTested } from '../../lib/index.ts';
import { slugsInMe } from '../shared/answer.ts';

/** The first of `owners` whose account is not among the memberships. */
export async function apartFrom({ all }: Memberships, owners: readonly Api[]): Promise<Api> {
  const joined = all.map(({ slug }) => slug);
  for (const owner of owners) {
    const slugs = await slugsInMe(owner);
    if (slugs.length > 0 && !slugs.some((slug) => joined.includes(slug))) return owner;
  }
  throw new NotTested('no key is known to be of an account that the user of COVENANT_JWT is not a member of');
}
