// Switching the active account of a session, and putting it back.
import type { Api, Credential, Membership, Reply, Tools } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';

/** The session on its stored preference: it names no account by itself. */
export const stored = ({ account: _, ...session }: Credential): Credential => session;

/** `account`: what X-Active-Account names beside it. */
export const switchTo = (api: Api, slug: unknown, account?: string): Promise<Reply> =>
  api.send('PATCH /me/active-account', { body: { slug }, ...(account === undefined ? {} : { account }) });

/** Does what may change the stored preference, and restores the former one; where it is not known the run reports it as residue. */
export async function borrowed<T>(
  own: Api,
  former: Membership | undefined,
  { switching }: Pick<Tools, 'switching'>,
  work: () => Promise<T>,
): Promise<T> {
  const restored = switching({ credential: own.credential.name, ...(former ? { slug: former.slug } : {}) });
  try {
    return await work();
  } finally {
    if (former && wasAccepted(await switchTo(own, former.slug))) restored();
  }
}
