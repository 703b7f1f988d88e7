// The limits that GET /me reports of an account: the same throughout a run.
import {
  at,
  dataOf,
  type JudgedId,
  type RateClass,
  type Reply,
  readLimits,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isSession, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';

const ids = {
  read: 'rate-limits-read-enforced',
  write: 'rate-limits-write-enforced',
  validate: 'rate-limits-validate-enforced',
} as const satisfies Record<RateClass, JudgedId>;
export const limitIds: readonly JudgedId[] = Object.values(ids);

/** As it counts wherever no other minute is configured: only the sameness matters. */
const minuteMs = 60_000;

const limitsOf = (reply: Reply) => readLimits(at(dataOf(reply), 'platform', 'rate_limits'), minuteMs);

/** Where the first reply and the last agree, those between them do: the number that is enforced is one. */
function ofFamily(profiles: readonly Reply[]): readonly Wrong[] {
  const [first, last] = [profiles[0], profiles.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [before, after] = [limitsOf(first), limitsOf(last)];
  return profiles.flatMap((reply) => {
    const seen = limitsOf(reply);
    return (['read', 'write', 'validate'] as const)
      .filter((rate) => before[rate] !== undefined && before[rate] === after[rate])
      .filter((rate) => seen[rate] !== undefined && seen[rate] !== before[rate])
      .map((rate) =>
        wrong(ids[rate], 'GET /me', `GET /me should report the ${rate} limit that is enforced`, {
          expected: before[rate],
          actual: seen[rate],
          replies: [first, reply, last],
        }),
      );
  });
}

/** A session moves from account to account; a key stays. */
export function judgeLimits({ replies }: Story, tokens: Tokens): readonly Wrong[] {
  const families = new Map<string, Reply[]>();
  for (const reply of replies) {
    const root = tokens.rootOf(tokenOf(reply));
    if (reply.operation !== 'GET /me' || !wasAccepted(reply) || root === undefined || isSession(root)) continue;
    families.set(root, [...(families.get(root) ?? []), reply]);
  }
  return [...families.values()].flatMap(ofFamily);
}
