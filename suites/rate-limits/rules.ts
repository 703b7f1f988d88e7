// Rules: GET /me reports stable limits, 429s have the envelope, and refused requests have no effect.
import {
  at,
  dataOf,
  grouped,
  isSession,
  isShown,
  leftNothingRule,
  type RateClass,
  type Reply,
  type Rule,
  readLimits,
  rules,
  stillThereRule,
  tokenOf,
} from '../../lib/index.ts';
import { isRefused } from './burst.ts';
import { alikeTo, isOfAccount } from './refusals.ts';

const enforced = {
  read: 'rate-limits-read-enforced',
  write: 'rate-limits-write-enforced',
  validate: 'rate-limits-validate-enforced',
} as const satisfies Record<RateClass, string>;
type Id = (typeof enforced)[RateClass] | 'rate-limits-refused-envelope' | 'rate-limits-refused-effect';

/** Used for every target, whatever minute is configured: only equality of the limits matters. */
const minuteMs = 60_000;

interface Reported {
  readonly reply: Reply;
  readonly limit: number;
}

/** More different values are not the limit but the remaining requests. */
const limitsMax = 3;

/** One value, then another, then the first again: a change of the limit would not revert. */
function swaying(reported: readonly Reported[]): readonly [Reported, Reported, Reported] | undefined {
  const limits = new Set(reported.map(({ limit }) => limit));
  if (limits.size < 2 || limits.size > limitsMax) return undefined;
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
const reported: Rule<Id> = ({ replies, keys }, { expect }) => {
  const accountOf = (reply: Reply): string | undefined => {
    const owner = keys.ownerOf(tokenOf(reply));
    return isSession(owner) ? undefined : owner?.replace(/_SIBLING$/, '');
  };
  const all = replies.filter((reply) => reply.operation === 'GET /me' && isShown(reply) && accountOf(reply));
  for (const profiles of grouped(all, accountOf).values())
    for (const rate of ['read', 'write', 'validate'] as const) {
      const seen = profiles.flatMap((reply): Reported[] => {
        const limit = readLimits(at(dataOf(reply), 'platform', 'rate_limits'), minuteMs)[rate];
        return limit === undefined ? [] : [{ reply, limit }];
      });
      const found = swaying(seen);
      if (found === undefined) continue;
      const [before, one, again] = found;
      expect(enforced[rate], again.reply, false, `GET /me should report the ${rate} limit that is enforced`, {
        expected: before.limit,
        actual: one.limit,
        because: [before.reply, one.reply],
      });
    }
};

const isThrottled = (reply: Reply): boolean => isRefused(reply) && isOfAccount(reply);

/** Refusals without envelope but with the target's own wording come from the target; others may come from a gateway. */
const enveloped: Rule<Id> = ({ replies, history }, { expect }) => {
  for (const reply of alikeTo(replies.filter(isThrottled), (history.suspect ?? []).filter(isThrottled))) {
    const found = { expected: 'error and request_id', actual: reply.json };
    const message = 'a refusal for the limit should have the error envelope';
    if (reply.operation !== undefined) expect('rate-limits-refused-envelope', reply, false, message, found);
  }
};

const effectOf = (refused: Reply) => (isThrottled(refused) ? ('rate-limits-refused-effect' as const) : undefined);

export const rateLimitRules = rules(
  [...Object.values(enforced), 'rate-limits-refused-envelope', 'rate-limits-refused-effect'],
  reported,
  enveloped,
  leftNothingRule(effectOf),
  stillThereRule(effectOf),
);
