// Sessions after a switch: there is an active account then, so no plain read is refused for want of one.
import { type JudgedId, lagMsMax, type OperationId, type Story, type Wrong, wasAccepted } from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isPlain } from './served.ts';
import { Choices, headerOf } from './whereabouts.ts';

export const homelessIds = ['account-active-switch-effect'] as const satisfies readonly JudgedId[];

const change: OperationId = 'PATCH /me/active-account';

export function judgeHomeless(story: Story): readonly Wrong[] {
  const choices = new Choices(story);
  return story.replies.flatMap((reply): readonly Wrong[] => {
    const { operation, status, credential } = reply;
    if (operation === undefined || status !== 400 || headerOf(reply) !== undefined || !isPlain(reply)) return [];
    if (choices.of(reply) === undefined) return [];
    const last = story.replies.findLast(
      (one) => one.operation === change && one.credential === credential && one.id <= reply.after && wasAccepted(one),
    );
    if (last === undefined || reply.sentAt - last.receivedAt <= lagMsMax) return [];
    const found = { expected: '2xx', actual: status, replies: [last, reply] };
    return [wrong('account-active-switch-effect', operation, 'a session should have the account of its switch', found)];
  });
}
