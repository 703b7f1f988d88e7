// Switches the active account of a session, shows it by its billing, and restores it.
import type { Api, Credential, Membership, Reply, Tools } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';

/** The session on its stored account, without X-Active-Account. */
export const stored = ({ account: _, ...session }: Credential): Credential => session;

/** `account`: the value of X-Active-Account. */
export const switchTo = (api: Api, slug: unknown, account?: string): Promise<Reply> =>
  api.send('PATCH /me/active-account', { body: { slug }, ...(account === undefined ? {} : { account }) });

/** Runs work that may change the stored account, then restores it; if that is unknown, the run reports residue. */
export async function withAccountRestored<T>(
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

/** The replies of both billing operations. */
export type View = readonly [summary: Reply, credits: Reply];

/** Without `account`, X-Active-Account is not sent. */
export async function viewOf(api: Api, account?: string): Promise<View> {
  const call = account === undefined ? {} : { account };
  return Promise.all([api.send('GET /billing/summary', call), api.send('GET /billing/credits/balance', call)]);
}
