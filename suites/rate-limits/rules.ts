// Rules: what a 429 says and must not change, when a request is accepted again, and which limits GET /me reports; with
// the rules of bursts and spent classes.
import {
  at,
  dataOf,
  expectCode,
  expectSchema,
  expectThat,
  graceMs,
  grouped,
  idempotencyKeyOf,
  isProtected,
  isSession,
  isShown,
  leftNothingRule,
  Mismatch,
  type Reply,
  type Rule,
  readLimits,
  rules,
  secondsToWait,
  stillThereRule,
  tokenOf,
  wordOf,
} from '../../lib/index.ts';
import { isThrottled } from './burst.ts';
import { burstsIn, kept } from './burst-rules.ts';
import { type Counted, rates, trafficOf } from './counted.ts';
import { spent } from './spent-rules.ts';

const messageOf = (reply: Reply): string => wordOf(at(reply.json, 'error', 'message') ?? '');
export const secondsOf = (reply: Reply): number | undefined => secondsToWait(messageOf(reply));

/** Of whatever algorithm: after a minute without requests a limit per minute accepts one. The rest is for clocks and round numbers. */
const secondsMax = 600;

/** What every 429 should say. */
export const wordExpectations = {
  'rate-limits-refused-code': (reply: Reply) => expectCode(reply, 'RATE_LIMITED'),
  'rate-limits-refused-envelope': (reply: Reply) => expectSchema(reply, 'error', reply.json, ''),
  'rate-limits-refused-seconds': (reply: Reply) =>
    expectThat(
      (secondsOf(reply) ?? Infinity) <= secondsMax,
      'the message of a 429 should say how many seconds to wait',
      {
        expected: 'a number of seconds in error.message that fits a limit per minute',
        actual: messageOf(reply) || 'no message',
        replies: reply,
      },
    ),
} as const;
export type WordId = keyof typeof wordExpectations;
export const wordIds = Object.keys(wordExpectations) as readonly WordId[];

/** Code and message without numbers, which identify the target's own refusals. */
const wordsOf = (reply: Reply): string =>
  JSON.stringify([at(reply.json, 'error', 'code'), messageOf(reply).replace(/\d+/g, 'n')]);

/** Refusals to invalid credentials may come from a gateway in other words. */
const isOfTarget = (reply: Reply): boolean =>
  isThrottled(reply) &&
  (/^(?:COVENANT|MADE_KEY)_/.test(reply.credential) || reply.operation === 'POST /auth/validate-api-key');

/** All refusals of a run. One without an envelope and with other words may come from a gateway. */
const worded: Rule<WordId> = ({ replies, history: { suspect = [] } }, { count, expect }) => {
  const firm = replies.filter(isOfTarget);
  const own = new Set(firm.filter((reply) => messageOf(reply) !== '').map(wordsOf));
  const alike = suspect.filter((reply) => isOfTarget(reply) && own.has(wordsOf(reply)));
  for (const reply of [...firm, ...alike.map(({ doubt: _, ...one }) => one)]) {
    if (reply.operation === undefined) continue;
    for (const id of wordIds)
      try {
        wordExpectations[id](reply);
        count(id, reply);
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error;
        expect(id, reply, false, error.difference.message, error.difference);
      }
  }
};

/** The clock may have been set back: a single refusal after the wait does not count. */
const refusalsMin = 2;

/**
 * Each last refusal of a class with the next request after its wait. Nothing else was under way that could lengthen the
 * wait or use up the request that was waited for. Only of cases that have spent the class: elsewhere something in front
 * may have refused, for reasons of its own.
 */
function retriesIn(counted: Counted, isOwn: (reply: Reply) => boolean): readonly (readonly [Reply, Reply])[] {
  const { replies, lost } = counted;
  const owners = burstsIn(counted).map(({ owner }) => owner);
  const isCertain = (one: Reply): boolean => one.doubt === undefined && isProtected(one) && isOwn(one);
  let latest = 0;
  return replies.flatMap((refused, place): (readonly [Reply, Reply])[] => {
    const [reply, next] = replies.slice(place + 1, place + 3);
    const isLast = refused.id > latest;
    latest = Math.max(latest, refused.id);
    const seconds = isThrottled(refused) && isLast ? secondsOf(refused) : undefined;
    if (reply === undefined || seconds === undefined || !owners.includes(reply.owner)) return [];
    const isAlone = next === undefined || next.after >= reply.id;
    const isLost = lost.some((after) => after >= refused.after && after < reply.id);
    const isWaited = reply.sentAt >= refused.receivedAt + seconds * 1000 + graceMs;
    return isAlone && !isLost && isWaited && isCertain(refused) && isCertain(reply) ? [[refused, reply]] : [];
  });
}

/** Not of validations: whose budget each is charged to is open. */
const recovered: Rule<'rate-limits-refused-recovery'> = (world, { expect }) => {
  const traffic = trafficOf(world);
  for (const rate of ['read', 'write'] as const) {
    const counted = traffic?.classes.get(rate);
    let refusedInRow = 0;
    for (const [refused, reply] of counted ? retriesIn(counted, (one) => traffic?.accountOf(one) === 'own') : []) {
      refusedInRow = isThrottled(reply) ? refusedInRow + 1 : 0;
      if (refusedInRow > 0 && refusedInRow < refusalsMin) continue;
      const message = `a request should be accepted ${secondsOf(refused)} s after the refusal`;
      expect('rate-limits-refused-recovery', reply, refusedInRow === 0 && !conflicts(refused, reply), message, {
        expected: 'any status but 429, and no conflict with the refused request',
        because: [refused],
      });
    }
  }
};

/** The refused request was the first under its Idempotency-Key and was not carried out: its repetition cannot conflict. */
const conflicts = (refused: Reply, reply: Reply): boolean =>
  reply.status === 409 &&
  !reply.mayReplay &&
  idempotencyKeyOf(reply) !== undefined &&
  idempotencyKeyOf(reply) === idempotencyKeyOf(refused);

interface Reported {
  readonly reply: Reply;
  readonly limit: number;
}

/** More different values are not the limit but the remaining requests. */
const limitsMax = 3;

/** One value, then another, then the first again: a change of the limit would not revert. */
function changedAndBack(reported: readonly Reported[]): readonly [Reported, Reported, Reported] | undefined {
  const limits = new Set(reported.map(({ limit }) => limit));
  if (limits.size > limitsMax) return undefined;
  for (const one of reported)
    for (const limit of limits) {
      const others = reported.filter((other) => limit !== one.limit && other.limit === limit);
      const before = others.find(({ reply }) => reply.id <= one.reply.after);
      const again = others.find(({ reply }) => reply.after >= one.reply.id);
      if (before && again) return [before, one, again];
    }
  return undefined;
}

/** Sessions are left out, as they change accounts. The sibling key is on the exhausted key's account by contract. */
const reported: Rule = ({ replies, keys }, { expect }) => {
  const accountOf = (reply: Reply): string | undefined => {
    const owner = keys.ownerOf(tokenOf(reply));
    return isSession(owner) ? undefined : owner?.replace(/_SIBLING$/, '');
  };
  const all = replies.filter((reply) => reply.operation === 'GET /me' && isShown(reply) && accountOf(reply));
  for (const profiles of grouped(all, accountOf).values())
    for (const rate of rates) {
      const seen = profiles.flatMap((reply): Reported[] => {
        // Whatever minute is configured: only equality matters.
        const limit = readLimits(at(dataOf(reply), 'platform', 'rate_limits'))[rate];
        return limit === undefined ? [] : [{ reply, limit }];
      });
      const [before, one, again] = changedAndBack(seen) ?? [];
      const message = `GET /me should report the ${rate} limit that is enforced`;
      if (before && one && again)
        expect(`rate-limits-${rate}-enforced`, again.reply, false, message, {
          expected: before.limit,
          actual: one.limit,
          because: [before.reply, one.reply],
        });
    }
};

const effectOf = (refused: Reply) => (isOfTarget(refused) ? ('rate-limits-refused-effect' as const) : undefined);

export const rateLimitRules = rules(
  [],
  reported,
  kept,
  worded,
  recovered,
  spent,
  leftNothingRule(effectOf),
  stillThereRule(effectOf),
);
