// Reads for when a class is spent, and credentials of other accounts.
import type { Api, Call, Company, Credential, OperationId, Reply, Tools } from '../../lib/index.ts';
import { protectedReads, readsById } from '../shared/groups.ts';
import { Reader } from '../walk/reads.ts';
import { isRefused, type Send } from './burst.ts';

type Random = Tools['random'];

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
  if (!isRefused(reply)) return reply;
  await clock.sleep(2 * limits.minuteMs);
  return send();
}

export const accepting =
  (api: Api, operation: OperationId, call: Call = {}): Send =>
  () =>
    api.send(operation, { ...call, throttle: 'accept' });

/** A header that changes nothing about a request; it still counts. */
export const besides = (random: Random, slug: string | undefined): Call =>
  slug === undefined || random.int(0, 1) === 0
    ? { headers: { 'x-origin-app': 'covenant, another part' } }
    : { account: slug };

/** Each read plain, and with parameters or a header. */
function callsOf(
  api: Api,
  company: number,
  random: Random,
  slug?: string,
): readonly (readonly [OperationId, Call, Call])[] {
  const reader = new Reader(random);
  return [...protectedReads, ...readsById].map((operation) => {
    const path = operation.includes('{') ? { company_id: company } : {};
    const [plain, ...varied] = reader.readsOf({ api }, operation, path).map(({ call }) => call);
    const [drawn = { ...plain, ...besides(random, slug) }] = random.shuffled(varied);
    return [operation, plain ?? {}, drawn];
  });
}

/** Each read, plain and with parameters or a header. */
export const readPairs = (api: Api, company: Company, random: Random, slug: string | undefined) =>
  callsOf(api, company.id, random, slug).map(
    ([operation, plain, varied]) => [accepting(api, operation, plain), accepting(api, operation, varied)] as const,
  );

/** `count` different reads, each as sent by every caller. */
export const sameReads = ([api, ...others]: readonly [Api, ...Api[]], company: number, random: Random, count: number) =>
  random
    .shuffled(callsOf(api, company, random))
    .slice(0, count)
    .flatMap(([operation, , call]) => [api, ...others].map((one) => accepting(one, operation, call)));
