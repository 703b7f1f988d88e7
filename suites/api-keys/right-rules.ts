// What a made key may create and read: whatever its maker does on the same account (Resources / API key).
import { bodyOf, grouped, type Reply, type Rule, tokenOf, wasAccepted } from '../../lib/index.ts';

export const rightIds = ['api-keys-made-rights'] as const;

/** By what is created, who is behind it, where, and for which company: one that a user may not see may be refused for that. */
export const createdRights: Rule<'api-keys-made-rights'> = ({ replies, keys, accounts }, { expect }) => {
  const ownerOf = (reply: Reply): string | undefined => keys.ownerOf(tokenOf(reply));
  const creations = replies.filter(
    (reply) =>
      (reply.operation === 'POST /companies' || reply.operation === 'POST /contacts') &&
      !reply.undocumented &&
      !reply.mayReplay &&
      ownerOf(reply) !== undefined &&
      accounts.of(reply) !== undefined,
  );
  const placeOf = (reply: Reply): string =>
    JSON.stringify([reply.operation, ownerOf(reply), accounts.of(reply), bodyOf(reply)?.company_id]);
  for (const group of grouped(creations, placeOf).values()) {
    const byMaker = group.filter((reply) => keys.of(tokenOf(reply)) === undefined);
    const creation = byMaker.find(wasAccepted);
    // Its maker was let in each time, so it is not for want of the right.
    if (creation === undefined || byMaker.some(({ status }) => status === 403)) continue;
    for (const reply of group) {
      if (byMaker.includes(reply) || !keys.isLive(tokenOf(reply), reply)) continue;
      const found = { expected: '201, as for its maker', actual: reply.status, because: [creation] };
      expect('api-keys-made-rights', reply, reply.status !== 403, 'a key should have the rights of its maker', found);
    }
  }
};
