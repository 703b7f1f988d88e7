// The limits that GET /me reports of an account: one number each, and no other in between; refusals in the envelope, and
// what they refused was not carried out.
import {
  at,
  bodyOf,
  dataOf,
  grouped,
  isNamedByRun,
  isSession,
  isShown,
  isWholeList,
  noteListsOf,
  type RateClass,
  type Reply,
  type Rule,
  readLimits,
  rules,
  textsIn,
  tokenOf,
  wasAccepted,
} from '../../lib/index.ts';
import { isRefused } from './burst.ts';
import { alikeTo, isOfAccount } from './refusals.ts';

const enforced = {
  read: 'rate-limits-read-enforced',
  write: 'rate-limits-write-enforced',
  validate: 'rate-limits-validate-enforced',
} as const satisfies Record<RateClass, string>;
type Id = (typeof enforced)[RateClass] | 'rate-limits-refused-envelope' | 'rate-limits-refused-effect';

/** As it counts wherever no other minute is configured: only the sameness matters. */
const minuteMs = 60_000;

interface Reported {
  readonly reply: Reply;
  readonly limit: number;
}

/** More are no limit, but what is left of it, under whatever name. */
const limitsMax = 3;

/** A number, another one after it, and the first again: a limit that somebody changes meanwhile does not come back. */
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

/** A session moves from account to account; a key stays. The contract puts the sibling on the account that is exhausted. */
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

/** Refusals without the envelope in the very words of the target's other ones are its own; whatever comes in other words may not be. */
const enveloped: Rule<Id> = ({ replies, history }, { expect }) => {
  for (const reply of alikeTo(replies.filter(isThrottled), (history.suspect ?? []).filter(isThrottled))) {
    const found = { expected: 'error and request_id', actual: reply.json };
    const message = 'a refusal for the limit should have the error envelope';
    if (reply.operation !== undefined) expect('rate-limits-refused-envelope', reply, false, message, found);
  }
};

/** Texts that nothing but one write of this run carries. */
const marksIn = (value: unknown): readonly string[] => textsIn(value).filter(isNamedByRun);

/** What a refused write would have left is shown nowhere; what was sent again, or may have been, is not looked for. */
const leftNothing: Rule<Id> = ({ replies, history }, { expect, count }) => {
  const writes = replies.filter(({ request }) => request.method !== 'GET');
  const refused = writes.filter(isThrottled);
  const others = [...writes.filter((one) => !isThrottled(one)), ...(history.suspect ?? [])];
  const open = new Set(others.flatMap((one) => marksIn(bodyOf(one))));
  for (const { body = '' } of history.lost) for (const mark of marksIn(parsed(body))) open.add(mark);
  const sources = new Map(
    refused.flatMap((one) => marksIn(bodyOf(one)).flatMap((mark) => (open.has(mark) ? [] : [[mark, one] as const]))),
  );
  const first = Math.min(...[...sources.values()].map(({ id }) => id));
  for (const reply of replies.filter((one) => one.after >= first && one.request.method === 'GET' && wasAccepted(one))) {
    count('rate-limits-refused-effect');
    for (const text of new Set(marksIn(dataOf(reply)))) {
      const source = sources.get(text);
      if (source === undefined || source.id > reply.after) continue;
      const found = { expected: 'nothing of what was refused', actual: text, because: [source] };
      expect('rate-limits-refused-effect', reply, false, 'a refused write should not be carried out', {
        ...found,
        ...(source.operation ? { operation: source.operation } : {}),
      });
    }
  }
};

/** Notes and keys whose deletion was refused for the limit, and never tried otherwise, are there. */
const stillThere: Rule<Id> = (world, { expect }) => {
  const message = 'what a refused deletion named should still be there';
  const triedBefore = (attempts: readonly Reply[], reply: Reply): Reply | undefined => {
    const tried = attempts.filter(({ after }) => after < reply.id);
    return tried.every(isThrottled) ? tried.find(({ id }) => id <= reply.after) : undefined;
  };
  for (const page of noteListsOf(world).pages.filter(isWholeList)) {
    const lacks = noteListsOf(world).missing(page);
    for (const note of noteListsOf(world).expected(page)?.must ?? []) {
      const refused = triedBefore(note.refusedDeletions, page.reply);
      if (refused === undefined) continue;
      const holds = !lacks.some((lack) => lack.note === note && lack.isLost);
      const found = { expected: `note ${note.id}`, actual: 'not in the list', because: [refused] };
      expect('rate-limits-refused-effect', page.reply, holds, message, found);
    }
  }
  for (const reply of world.replies) {
    const key = world.keys.of(tokenOf(reply));
    const refused = key && triedBefore(key.attempts, reply);
    if (key === undefined || refused === undefined || !world.keys.hasLivingMaker(key, reply)) continue;
    const found = { expected: 'any status but 401', actual: reply.status, because: [refused] };
    expect('rate-limits-refused-effect', reply, reply.status !== 401, message, found);
  }
};

const parsed = (body: string): unknown => bodyOf({ request: { method: 'POST', url: '', headers: {}, body } });

export const rateLimitRules = rules(
  [...Object.values(enforced), 'rate-limits-refused-envelope', 'rate-limits-refused-effect'],
  reported,
  enveloped,
  leftNothing,
  stillThere,
);
