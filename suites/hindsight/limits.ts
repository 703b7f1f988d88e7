// The limits that GET /me reports of an account: one number each, and no other in between.
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

interface Reported {
  readonly reply: Reply;
  readonly limit: number;
}

/** More are no limit, but what is left of it, under whatever name. */
const limitsMax = 3;

/** A number, another one after it, and the first again: a limit that somebody changes meanwhile does not come back. */
function swaying(reported: readonly Reported[]): readonly Reported[] | undefined {
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

function ofAccount(profiles: readonly Reply[]): readonly Wrong[] {
  const seen = profiles.map((reply) => ({ reply, limits: limitsOf(reply) }));
  return (['read', 'write', 'validate'] as const).flatMap((rate) => {
    const reported = seen.flatMap(({ reply, limits }): Reported[] => {
      const limit = limits[rate];
      return limit === undefined ? [] : [{ reply, limit }];
    });
    const found = swaying(reported);
    if (found === undefined) return [];
    const [before, one] = found;
    return [
      wrong(ids[rate], 'GET /me', `GET /me should report the ${rate} limit that is enforced`, {
        expected: before?.limit,
        actual: one?.limit,
        replies: found.map(({ reply }) => reply),
      }),
    ];
  });
}

/** The contract puts the sibling on the account whose limits are exceeded. */
const accountOf = (root: string): string => root.replace(/_SIBLING$/, '');

/** A session moves from account to account; a key stays. */
export function judgeLimits({ replies }: Story, tokens: Tokens): readonly Wrong[] {
  const accounts = new Map<string, Reply[]>();
  for (const reply of replies) {
    const root = tokens.rootOf(tokenOf(reply));
    if (reply.operation !== 'GET /me' || !wasAccepted(reply) || root === undefined || isSession(root)) continue;
    accounts.set(accountOf(root), [...(accounts.get(accountOf(root)) ?? []), reply]);
  }
  return [...accounts.values()].flatMap(ofAccount);
}
