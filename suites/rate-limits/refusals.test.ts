// Tests of the wait in a 429 against a token bucket on virtual time: a slow network must not fail the target.
import { expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import type { Reply } from '../../lib/index.ts';
import { virtualClock } from '../../lib/runtime/virtual-clock.ts';
import { judgeRecovery, judgeWords } from './refusals.ts';

const refillMs = 6000;

interface Way {
  /** The seconds in the message, from the true ones. */
  readonly says?: (seconds: number) => number;
  /** Duration of each look's reply, by number from 0. */
  readonly lookMs?: (look: number) => number;
}

/** The outcome of the check: passed, or the class of the error. */
async function judged({ says = (seconds) => seconds, lookMs = () => 0 }: Way): Promise<string> {
  const clock = virtualClock(0);
  const bucket = { tokens: 3, at: 0 };
  let count = 0;
  let looked = 0;
  const answer = async (takesMs: number): Promise<Reply> => {
    const sentAt = clock.now();
    bucket.tokens = Math.min(3, bucket.tokens + (sentAt - bucket.at) / refillMs);
    bucket.at = sentAt;
    const accepted = bucket.tokens >= 1;
    if (accepted) bucket.tokens -= 1;
    const seconds = says(Math.ceil(((1 - bucket.tokens) * refillMs) / 1000));
    count += 1;
    const id = count;
    await clock.sleep(takesMs);
    const message = `Rate limit exceeded. Please wait ${seconds} seconds before retrying.`;
    const said = accepted ? { status: 200 } : { status: 429, json: { error: { message } } };
    return replyOf({ id, sentAt, receivedAt: clock.now(), ...said });
  };
  const send = () => answer(0);
  const look = () => {
    looked += 1;
    return answer(lookMs(looked - 1));
  };
  const exceeded = { send, allowance: { limit: 20, rate: 'write', minuteMs: 60_000 }, looks: [look, look] } as const;
  let outcome = '';
  const check = async (_: string, expectation: () => void | Promise<void>) => {
    try {
      await expectation();
      outcome = 'passed';
    } catch (error) {
      outcome = error instanceof Error ? error.constructor.name : String(error);
    }
  };
  await judgeRecovery(exceeded, { check, clock } as never);
  return outcome;
}

test('a wait that is true passes, one that is too short fails', async () => {
  expect(await judged({})).toBe('passed');
  expect(await judged({ says: () => 1 })).toBe('Mismatch');
});

test('what was accepted while a look was under way may lengthen the wait: it is tried anew', async () => {
  expect(await judged({ lookMs: (look) => (look < 2 ? 9000 : 0) })).toBe('passed');
  expect(await judged({ lookMs: () => 9000 })).toBe('Undecided');
  expect(await judged({ says: () => 1, lookMs: (look) => (look < 2 ? 9000 : 0) })).toBe('Mismatch');
});

/** The requirements that these refusals violate. */
async function brokenBy(...replies: readonly Reply[]): Promise<readonly string[]> {
  const broken: string[] = [];
  const check = async (id: string, expectation: () => void) => {
    try {
      expectation();
    } catch {
      broken.push(id);
    }
  };
  await judgeWords(replies, { check } as never);
  return broken;
}
const doubt = '429 without the error envelope';
const refusal = (seconds: number, more: object = { request_id: 'r' }): Reply => {
  const error = { code: 'RATE_LIMITED', message: `Please wait ${seconds} seconds.` };
  return replyOf({ status: 429, json: { ...more, error }, ...('request_id' in more ? {} : { doubt }) });
};

test('a refusal without the envelope is the target’s own where it speaks as its other ones, and may be another’s where not', async () => {
  const page = replyOf({ status: 429, json: { error: { code: 'SLOW', message: 'Too fast' } }, doubt });
  expect(await brokenBy(refusal(9), page)).toEqual([]);
  expect(await brokenBy(refusal(9), refusal(8, {}))).toEqual(['rate-limits-refused-envelope']);
});
