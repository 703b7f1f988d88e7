// Sessions after a switch: there is an active account then, so no plain read is refused for want of one.
import { type JudgedId, lagMsMax, type Story, type Wrong } from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isPlain } from './served.ts';
import { Choices } from './whereabouts.ts';

export const homelessIds = ['account-active-switch-effect'] as const satisfies readonly JudgedId[];

export function judgeHomeless(story: Story): readonly Wrong[] {
  const choices = new Choices(story);
  return story.replies.flatMap((reply): readonly Wrong[] => {
    const { operation, status } = reply;
    if (operation === undefined || status !== 400 || !isPlain(reply)) return [];
    const last = choices.switchTo(reply);
    if (last === undefined || reply.sentAt - last.receivedAt <= lagMsMax) return [];
    const found = { expected: '2xx', actual: status, replies: [last, reply] };
    return [wrong('account-active-switch-effect', operation, 'a session should have the account of its switch', found)];
  });
}
