// Rules: GET /me reports stable limits, refused requests have no effect; and the other rules of the area.
import {
  at,
  dataOf,
  grouped,
  isSession,
  isShown,
  leftNothingRule,
  type Reply,
  type Rule,
  readLimits,
  rules,
  stillThereRule,
  tokenOf,
} from '../../lib/index.ts';
import { kept } from './burst-rules.ts';
import { rates } from './counted.ts';
import { isThrottled, recovered, worded } from './refusal-rules.ts';
import { spent } from './spent-rules.ts';

interface Reported {
  readonly reply: Reply;
  readonly limit: number;
}

/** More different values are not the limit but the remaining requests. */
const limitsMax = 3;

/** One value, then another, then the first again: a change of the limit would not revert. */
function swaying(reported: readonly Reported[]): readonly [Reported, Reported, Reported] | undefined {
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
      const [before, one, again] = swaying(seen) ?? [];
      const message = `GET /me should report the ${rate} limit that is enforced`;
      if (before && one && again)
        expect(`rate-limits-${rate}-enforced`, again.reply, false, message, {
          expected: before.limit,
          actual: one.limit,
          because: [before.reply, one.reply],
        });
    }
};

const effectOf = (refused: Reply) => (isThrottled(refused) ? ('rate-limits-refused-effect' as const) : undefined);

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
