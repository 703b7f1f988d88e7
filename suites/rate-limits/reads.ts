// Reads for when a class is spent, and credentials of other accounts.
import type { Api, Call, Company, Credential, OperationId, Random, Reply, Tools } from '../../lib/index.ts';
import { protectedReads, readsById } from '../shared/groups.ts';
import { type Caller, Reader } from '../walk/reads.ts';
import { isThrottled, type Send } from './burst.ts';

/** Whether the credentials have no account in common. */
const areApart = (one: Credential, other: Credential): boolean =>
  !one.accounts.some((account) => other.accounts.includes(account));

/** One credential per other account; none that shares an account with the exhausted or an earlier one. */
export const othersThan = (exhausted: Credential, all: readonly (Credential | undefined)[]): readonly Credential[] =>
  all
    .filter((one) => one !== undefined)
    .filter((one, place, given) => [exhausted, ...given.slice(0, place)].every((former) => areApart(former, one)));

/** Sends a request before another class is spent; after a 429 again in two minutes, as some limiters count so long. */
export async function controlOf(send: Send, { clock, limits }: Pick<Tools, 'clock' | 'limits'>): Promise<Reply> {
  const reply = await send();
  if (!isThrottled(reply)) return reply;
  await clock.sleep(2 * limits.minuteMs);
  return send();
}

export const accepting =
  (api: Api, operation: OperationId, call: Call = {}): Send =>
  () =>
    api.send(operation, { ...call, throttle: 'accept' });

/** Headers that change nothing about a request; it still counts. Some limiters count by the address that proxies report. */
export const harmlessHeaders = (random: Random, slug: string | undefined): Call =>
  slug === undefined || random.int(0, 1) === 0
    ? { headers: { 'x-origin-app': 'covenant, another part', 'x-forwarded-for': '203.0.113.7' } }
    : { account: slug };

/** Every read with its calls: plain, and with each kind of parameters or with a header. */
const callsOf = (api: Api, company: number, random: Random, slug?: string) => {
  const reader = new Reader(random);
  return [...protectedReads, ...readsById].map((operation) => {
    const path = operation.includes('{') ? { company_id: company } : {};
    const calls = reader.readsOf({ api }, operation, path).map(({ call }) => call);
    return [operation, calls.length > 1 ? calls : [...calls, { path, ...harmlessHeaders(random, slug) }]] as const;
  });
};

/** The ways to send each read. */
export const readWays = (api: Api, { id }: Company, random: Random, slug: string | undefined) =>
  callsOf(api, id, random, slug).map(([operation, calls]) => calls.map((call) => accepting(api, operation, call)));

/** Four different reads, each as sent by every caller. */
export const sameReads = ([first, ...others]: readonly [Caller, ...Caller[]], company: number, random: Random) =>
  random
    .shuffled(callsOf(first.api, company, random))
    .slice(0, 4)
    .flatMap(([operation, [, ...varied]]) => {
      const [call] = random.shuffled(varied);
      return [first, ...others].map(({ api, under }) => accepting(api, operation, { ...call, ...under }));
    });
