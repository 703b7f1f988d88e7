// Checks what a 429 says: code, envelope, seconds to wait, and that a request is accepted after them.
import {
  at,
  beyondDoubt,
  type Context,
  everyReply,
  expectCode,
  expectSchema,
  expectThat,
  graceMs,
  idempotencyKeyOf,
  NotTested,
  type Reply,
  secondsToWait,
  type Tools,
  Undecided,
  wordOf,
} from '../../lib/index.ts';
import { orLost } from '../shared/attempt.ts';
import { type Allowance, type Burst, isRefused, type Send } from './burst.ts';
import { spend } from './spent.ts';

export const wordIds = [
  'rate-limits-refused-code',
  'rate-limits-refused-envelope',
  'rate-limits-refused-seconds',
] as const;
type WordContext = Context<(typeof wordIds)[number], never>;
type RecoveryContext = Context<'rate-limits-refused-recovery', never>;

const messageOf = (reply: Reply): string => wordOf(at(reply.json, 'error', 'message') ?? '');
const secondsOf = (reply: Reply): number | undefined => secondsToWait(messageOf(reply));

function expectSeconds(reply: Reply): void {
  expectThat(secondsOf(reply) !== undefined, 'the message of a 429 should say how many seconds to wait', {
    expected: 'a number of seconds in error.message',
    actual: messageOf(reply) || 'no message',
    replies: reply,
  });
}

const expectations = {
  'rate-limits-refused-code': (reply: Reply) => expectCode(reply, 'RATE_LIMITED'),
  'rate-limits-refused-envelope': (reply: Reply) => expectSchema(reply, 'error', reply.json, ''),
  'rate-limits-refused-seconds': expectSeconds,
};

/** Code and message without numbers, which identify the target's own refusals. */
const wordsOf = (reply: Reply): string =>
  JSON.stringify([at(reply.json, 'error', 'code'), messageOf(reply).replace(/\d+/g, 'n')]);

/** Suspect refusals with the same wording as certain ones: they come from the target, too. */
export function alikeTo(firm: readonly Reply[], others: readonly Reply[]): readonly Reply[] {
  const own = new Set(firm.filter((reply) => messageOf(reply) !== '').map(wordsOf));
  return others.filter((reply) => own.has(wordsOf(reply))).map(({ doubt: _, ...reply }) => reply);
}

/** Refusals by the target: the certain ones and those with the same wording. */
function ownAmong(refused: readonly Reply[]): readonly Reply[] {
  const firm = beyondDoubt(refused);
  const others = refused.filter((reply) => !firm.includes(reply));
  return [...firm, ...alikeTo(firm, others)];
}

/** Judges all refusals of each operation. */
export async function judgeWords(replies: readonly Reply[], { check }: WordContext): Promise<void> {
  const refused = replies.filter(isRefused);
  for (const operation of new Set(refused.map((reply) => reply.operation))) {
    const seen = ownAmong(refused.filter((reply) => reply.operation === operation));
    for (const id of wordIds) {
      const expectation = () => {
        for (const reply of seen) expectations[id](reply);
      };
      await check(id, expectation, operation);
    }
  }
}

/** Refusals to invalid credentials may come from a gateway in other words. */
export const isOfAccount = ({ credential, operation }: Reply): boolean =>
  /^(?:COVENANT|MADE_KEY)_/.test(credential) || operation === 'POST /auth/validate-api-key';

/** All refusals of a run. The seconds depend on a clock. */
export const words = wordIds.map((id) =>
  everyReply(
    id,
    {
      over: [],
      anyInput: true,
      applies: (reply) => isRefused(reply) && isOfAccount(reply),
      ...(id === 'rate-limits-refused-seconds' ? { byClock: true } : {}),
    },
    expectations[id],
  ),
);

/** Longer waits are not tested, in milliseconds. */
const waitMsMax = 150_000;

interface Recovery {
  readonly refused: Reply;
  readonly seconds: number | undefined;
  /** Nothing was accepted or lost between the refusal and the wait, which could lengthen the wait. */
  readonly isLast: boolean;
  /** The reply after the wait; absent if no seconds were named or they are too many. */
  readonly reply?: Reply;
}

/** A refusal and the request that got it. */
interface Refusal {
  readonly refused: Reply;
  readonly send: Send;
  /** See Recovery. */
  readonly isLast: boolean;
}

/** When the client may retry, in milliseconds since the epoch. */
const returnAt = (refused: Reply): number =>
  refused.receivedAt + (secondsOf(refused) ?? Number.POSITIVE_INFINITY) * 1000;

/** Tolerance for rounded seconds. */
const roundedMs = 2000;

/** The last refusal, of the request with the shortest wait: later refusals may lengthen the wait. */
async function soonest(last: Refusal, looks: readonly Send[]): Promise<Refusal> {
  const replies = await Promise.all(looks.map((look) => orLost(look())));
  const others = replies.flatMap((refused, place): Refusal[] => {
    const send = looks[place];
    return send && refused && isRefused(refused) && refused.doubt === undefined
      ? [{ refused, send, isLast: false }]
      : [];
  });
  const sorted = others.toSorted((one, other) => returnAt(one.refused) - returnAt(other.refused));
  const [first] = sorted;
  if (first === undefined) return { ...last, isLast: replies.every(isRefused) };
  const sooner = returnAt(first.refused) < returnAt(last.refused) - roundedMs ? first : last;
  const { send } = sooner;
  const next = await orLost(send());
  // Where nodes answer in turn, the second try reaches the node that named the wait.
  const isLater = next && isRefused(next) && returnAt(next) > returnAt(sooner.refused) + roundedMs;
  const refused = isLater ? await orLost(send()) : next;
  // If the others took so long that it is accepted, it uses up the request that was waited for.
  return refused && isRefused(refused) ? { refused, send, isLast: true } : { ...last, isLast: false };
}

/** The exceeded limit and the requests for the retry. */
interface Return {
  readonly send: Send;
  readonly allowance: Allowance;
  /** Sent after the wait in place of `send`. */
  readonly after?: Send;
  /** Other requests of the class that change nothing. */
  readonly looks: readonly Send[];
}

async function recovery({ send, allowance, after = send, looks }: Return, clock: Tools['clock']): Promise<Recovery> {
  const spent = await spend(send, allowance);
  const last = await soonest({ refused: spent, send, isLast: true }, looks);
  const { refused, isLast } = last;
  const seconds = secondsOf(refused);
  const waitMs = (seconds ?? 0) * 1000 + graceMs;
  if (seconds === undefined || waitMs > waitMsMax) return { refused, seconds, isLast };
  await clock.sleep(Math.max(0, refused.receivedAt + waitMs - clock.now()));
  return { refused, seconds, isLast, reply: await (last.send === send ? after : last.send)() };
}

/** A clock may have been set back: only this many refusals after a wait fail. */
const refusalsMax = 2;
const triesMax = 4;

/** Each try waits until nothing is spent, so that it starts like the first. */
async function recovered(exceeded: Return, clock: Tools['clock']): Promise<Recovery> {
  for (let tries = 1, refusals = 0; ; tries += 1) {
    const found = await recovery(exceeded, clock);
    if (!isRefused(found.reply)) return found;
    refusals += found.isLast ? 1 : 0;
    if (refusals === refusalsMax || tries === triesMax) return { ...found, isLast: refusals === refusalsMax };
    await clock.sleep(waitMsMax);
  }
}

/** Waits the named seconds plus a grace period; then `after` (default: the refused request) must be accepted. */
export async function judgeRecovery(exceeded: Return, { check, clock }: RecoveryContext): Promise<Reply> {
  const { refused, seconds, isLast, reply } = await recovered(exceeded, clock);
  await check(
    'rate-limits-refused-recovery',
    () => {
      if (!reply)
        throw new NotTested(seconds === undefined ? 'no 429 names the seconds' : `${seconds} s are too long to wait`);
      if (isRefused(reply) && !isLast)
        throw new Undecided(
          'each time something was accepted or lost after the last refusal, which may lengthen its wait',
        );
      // With an Idempotency-Key it is the same request. The first was refused, so it cannot conflict.
      const { status } = reply;
      const inVain = isRefused(reply) || (status === 409 && idempotencyKeyOf(reply) !== undefined);
      expectThat(!inVain, `a request should be accepted ${seconds} s after the refusal`, {
        expected: 'any status but 429, and no conflict with the refused request',
        actual: status,
        replies: [refused, reply],
      });
    },
    reply?.operation,
  );
  return refused;
}

export function retryAfterAnswer(refused: Reply): string {
  const header = refused.headers['retry-after'];
  if (header === undefined) return 'no';
  const seconds = secondsOf(refused);
  return seconds !== undefined && Math.abs(Number(header) - seconds) <= 1
    ? 'yes, and it agrees'
    : 'yes, but it differs';
}

const speaking = /rate-?limit|retry-after|quota/;

export function headersAnswer({ accepted, refused }: Burst): string {
  const names = (replies: readonly Reply[]) => {
    const found = new Set(replies.flatMap((reply) => Object.keys(reply.headers)).filter((name) => speaking.test(name)));
    return found.size === 0 ? 'none' : [...found].sort().join(', ');
  };
  return `on successes ${names(accepted)}; on refusals ${names(refused)}`;
}

/** Derived from the wait of the first refusal, when little time has passed. */
export function algorithmAnswer({ refused: [first], startedAt }: Burst, { limit, minuteMs }: Allowance): string {
  const seconds = first && secondsOf(first);
  if (seconds === undefined) return 'cannot be seen';
  const waitMs = seconds * 1000;
  if (waitMs <= (2 * minuteMs) / limit + 1000 && waitMs <= minuteMs / 2) return 'what is spent flows back bit by bit';
  const left = minuteMs - ((first?.receivedAt ?? 0) - startedAt);
  return Math.abs(waitMs - left) <= 1000
    ? 'a minute begins with the first requests, or slides'
    : 'minutes begin by the clock';
}

/** Whether the wait grows although nothing more is accepted. */
export function countedAnswer({ refused: [first] }: Burst, last: Reply): string {
  const [early, late] = [first && secondsOf(first), secondsOf(last)];
  if (early === undefined || late === undefined) return 'cannot be seen';
  return late > early ? 'yes' : 'the wait did not grow';
}
