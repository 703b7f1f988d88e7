// What a new company or contact shows that it was not given, and another one was: nothing of it is its own.
import {
  dataOf,
  isObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { sentBody } from './sent.ts';

export const borrowedIds = ['companies-create-fields', 'contacts-create-fields'] as const satisfies readonly JudgedId[];

const dutyOf: Partial<Record<OperationId, JudgedId>> = {
  'POST /companies': 'companies-create-fields',
  'POST /contacts': 'contacts-create-fields',
};

/** Shorter texts a target may have of its own accord; in characters. */
const ownMax = 12;
const isTelling = (value: unknown): value is string => typeof value === 'string' && value.length > ownMax;

/** The texts that a new record shows under names that it was not given. */
function further(reply: Reply): readonly (readonly [name: string, text: string])[] {
  const data = dataOf(reply);
  const sent = sentBody(reply);
  if (!isObject(data) || sent === undefined) return [];
  return Object.entries(data).flatMap(([name, value]) => (name in sent || !isTelling(value) ? [] : [[name, value]]));
}

export function judgeBorrowed({ replies }: Story): readonly Wrong[] {
  /** By member and text, the creation that was given it. */
  const givers = new Map<string, Reply>();
  return replies.flatMap((reply): readonly Wrong[] => {
    const { operation } = reply;
    const duty = operation && dutyOf[operation];
    if (operation === undefined || duty === undefined) return [];
    const isJudged = wasAccepted(reply) && !reply.undocumented && !reply.mayReplay;
    const found = (isJudged ? further(reply) : []).flatMap(([name, text]): readonly Wrong[] => {
      const giver = givers.get(JSON.stringify([operation, name, text]));
      if (giver === undefined) return [];
      const shown = { expected: `no ${name}, as none was given`, actual: text, replies: [giver, reply] };
      return [wrong(duty, operation, 'a new record should show nothing that another one was given', shown)];
    });
    for (const [name, text] of Object.entries(sentBody(reply) ?? {})) {
      const place = JSON.stringify([operation, name, text]);
      const known = givers.get(place);
      // What was refused should have left nothing to borrow: a record that was made shows more.
      if (isTelling(text) && (known === undefined || (wasAccepted(reply) && !wasAccepted(known))))
        givers.set(place, reply);
    }
    return found;
  });
}
