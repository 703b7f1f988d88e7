// What a made key may create: whatever its maker creates on the same account.
import type { JudgedId, OperationId, Reply, Story, Wrong } from '../../lib/index.ts';
import { wasAccepted } from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { sentBody, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';
import { Whereabouts } from './whereabouts.ts';

export const inheritedIds = ['api-keys-made-rights'] as const satisfies readonly JudgedId[];

const creations: readonly (OperationId | undefined)[] = ['POST /companies', 'POST /contacts'];

/** By what is made, who is behind it, where, and for which company: one that a user may not see may be refused for that. */
function groupsOf({ replies }: Story, tokens: Tokens, whereabouts: Whereabouts): readonly (readonly Reply[])[] {
  const groups = new Map<string, Reply[]>();
  for (const reply of replies) {
    const root = tokens.rootOf(tokenOf(reply));
    const account = whereabouts.of(reply);
    if (!creations.includes(reply.operation) || reply.undocumented || reply.mayReplay || !root || !account) continue;
    const name = JSON.stringify([reply.operation, root, account, sentBody(reply)?.company_id]);
    groups.set(name, [...(groups.get(name) ?? []), reply]);
  }
  return [...groups.values()];
}

/** Its maker was let in each time, so it is not for want of the right. */
function ofGroup(all: readonly Reply[], tokens: Tokens): readonly Wrong[] {
  const isMade = (reply: Reply): boolean => tokens.lifeOf(tokenOf(reply)) !== undefined;
  const byMaker = all.filter((reply) => !isMade(reply));
  const [creation] = byMaker.filter(wasAccepted);
  if (creation === undefined || byMaker.some(({ status }) => status === 403)) return [];
  return all.flatMap((reply): readonly Wrong[] => {
    const token = tokenOf(reply);
    const isRefused = reply.status === 403 && isMade(reply) && token !== undefined && tokens.isLive(token, reply);
    if (!isRefused || reply.operation === undefined) return [];
    const found = { expected: '201, as for its maker', actual: 403, replies: [creation, reply] };
    return [wrong('api-keys-made-rights', reply.operation, 'a made key should create what its maker creates', found)];
  });
}

export const judgeInherited = (story: Story, tokens: Tokens): readonly Wrong[] =>
  groupsOf(story, tokens, new Whereabouts(story, tokens)).flatMap((group) => ofGroup(group, tokens));
