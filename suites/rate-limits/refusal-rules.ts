// Rules: what a 429 says, and that a request is accepted after the seconds that it names.
import {
  at,
  expectCode,
  expectSchema,
  expectThat,
  graceMs,
  idempotencyKeyOf,
  isProtected,
  Mismatch,
  type Reply,
  type Rule,
  secondsToWait,
  wordOf,
} from '../../lib/index.ts';
import { isRefused } from './burst.ts';
import { burstsIn } from './burst-rules.ts';
import { type Account, type Counted, trafficOf } from './counted.ts';

export const wordIds = [
  'rate-limits-refused-code',
  'rate-limits-refused-envelope',
  'rate-limits-refused-seconds',
] as const;
type WordId = (typeof wordIds)[number];

const messageOf = (reply: Reply): string => wordOf(at(reply.json, 'error', 'message') ?? '');
export const secondsOf = (reply: Reply): number | undefined => secondsToWait(messageOf(reply));

function expectSeconds(reply: Reply): void {
  expectThat(secondsOf(reply) !== undefined, 'the message of a 429 should say how many seconds to wait', {
    expected: 'a number of seconds in error.message',
    actual: messageOf(reply) || 'no message',
    replies: reply,
  });
}

export const wordExpectations = {
  'rate-limits-refused-code': (reply) => expectCode(reply, 'RATE_LIMITED'),
  'rate-limits-refused-envelope': (reply) => expectSchema(reply, 'error', reply.json, ''),
  'rate-limits-refused-seconds': expectSeconds,
} as const satisfies Record<WordId, (reply: Reply) => void>;

/** Code and message without numbers, which identify the target's own refusals. */
const wordsOf = (reply: Reply): string =>
  JSON.stringify([at(reply.json, 'error', 'code'), messageOf(reply).replace(/\d+/g, 'n')]);

/** Suspect refusals with the same wording as certain ones: they come from the target, too. */
function alikeTo(firm: readonly Reply[], others: readonly Reply[]): readonly Reply[] {
  const own = new Set(firm.filter((reply) => messageOf(reply) !== '').map(wordsOf));
  return others.filter((reply) => own.has(wordsOf(reply))).map(({ doubt: _, ...reply }) => reply);
}

/** Refusals to invalid credentials may come from a gateway in other words. */
export const isThrottled = (reply: Reply): boolean =>
  isRefused(reply) &&
  (/^(?:COVENANT|MADE_KEY)_/.test(reply.credential) || reply.operation === 'POST /auth/validate-api-key');

function mismatchIn(expectation: (reply: Reply) => void, reply: Reply): Mismatch | undefined {
  try {
    expectation(reply);
    return undefined;
  } catch (error) {
    if (error instanceof Mismatch) return error;
    throw error;
  }
}

/** All refusals of a run. One without an envelope and with other words may come from a gateway. */
export const worded: Rule<WordId> = ({ replies, history }, { expect }) => {
  const firm = replies.filter(isThrottled);
  for (const reply of [...firm, ...alikeTo(firm, (history.suspect ?? []).filter(isThrottled))]) {
    if (reply.operation === undefined) continue;
    for (const id of wordIds) {
      const difference = mismatchIn(wordExpectations[id], reply)?.difference;
      const { message = '', expected, actual } = difference ?? {};
      expect(id, reply, difference === undefined, message, { expected, actual });
    }
  }
};

/** The clock may have been set back: a single refusal after the wait does not count. */
const refusalsMin = 2;

interface Return {
  readonly refused: Reply;
  /** The next request of the class, after the wait. */
  readonly reply: Reply;
}

/**
 * Nothing else was under way that could lengthen the wait or use up the request that was waited for. Only of cases that
 * have spent the class: elsewhere something in front may have refused, for reasons of its own.
 */
function returnsIn(counted: Counted, accountOf: (reply: Reply) => Account): readonly Return[] {
  const { replies, lost } = counted;
  const owners = burstsIn(counted).map(({ owner }) => owner);
  const isCertain = (one: Reply): boolean => one.doubt === undefined && isProtected(one) && accountOf(one) === 'own';
  let latest = 0;
  return replies.flatMap((reply, place): Return[] => {
    const [refused, next] = [replies[place - 1], replies[place + 1]];
    const isLast = refused !== undefined && refused.id > latest;
    latest = Math.max(latest, refused?.id ?? 0);
    const seconds = refused && secondsOf(refused);
    if (!isLast || seconds === undefined || !isRefused(refused) || !owners.includes(reply.owner)) return [];
    const isAlone = next === undefined || next.after >= reply.id;
    const isLost = lost.some((after) => after >= refused.after && after < reply.id);
    const isWaited = reply.sentAt >= refused.receivedAt + seconds * 1000 + graceMs;
    return isAlone && !isLost && isWaited && isCertain(refused) && isCertain(reply) ? [{ refused, reply }] : [];
  });
}

/** The refused request was the first under its Idempotency-Key and was not carried out: its repetition cannot conflict. */
const conflicts = ({ refused, reply }: Return): boolean =>
  reply.status === 409 &&
  !reply.mayReplay &&
  idempotencyKeyOf(reply) !== undefined &&
  idempotencyKeyOf(reply) === idempotencyKeyOf(refused);

/** Not of validations: whose budget each is charged to is open. */
export const recovered: Rule<'rate-limits-refused-recovery'> = (world, { expect }) => {
  const traffic = trafficOf(world);
  for (const rate of ['read', 'write'] as const) {
    const counted = traffic?.classes.get(rate);
    let inVain = 0;
    for (const one of traffic && counted ? returnsIn(counted, traffic.accountOf) : []) {
      const { refused, reply } = one;
      inVain = isRefused(reply) ? inVain + 1 : 0;
      if (inVain > 0 && inVain < refusalsMin) continue;
      const message = `a request should be accepted ${secondsOf(refused)} s after the refusal`;
      expect('rate-limits-refused-recovery', reply, inVain === 0 && !conflicts(one), message, {
        expected: 'any status but 429, and no conflict with the refused request',
        actual: reply.status,
        because: [refused],
      });
    }
  }
};
