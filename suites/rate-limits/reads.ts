// Spent reads of an account: which requests are refused, and which are not.
import {
  type Api,
  at,
  type Call,
  type Company,
  type Context,
  type Credential,
  expectThat,
  NotTested,
  type OperationId,
  type RateClass,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { type Allowance, isRefused, type Send } from './burst.ts';
import { besideSpentAgain, looksKept, whileSpent } from './spent.ts';

const reads = [
  'GET /me',
  'GET /me/accounts',
  'GET /me/team-accounts',
  'GET /account/team',
  'GET /api-keys',
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /companies',
  'GET /companies/{company_id}',
  'GET /companies/{company_id}/notes',
  'GET /contacts',
] as const satisfies readonly OperationId[];

type Query = NonNullable<Call['query']>;

/** The first credential of another account than the exhausted one. */
export const otherThan = (exhausted: Credential, others: readonly Credential[]): Credential | undefined =>
  others.find(({ accounts }) => !accounts.some((account) => exhausted.accounts.includes(account)));

/** One credential per other account; none that shares an account with the exhausted or an earlier one. */
export const othersThan = (exhausted: Credential, all: readonly (Credential | undefined)[]): readonly Credential[] =>
  all.flatMap((one, place) => {
    if (one === undefined || otherThan(exhausted, [one]) === undefined) return [];
    return all.slice(0, place).some((former) => former && otherThan(former, [one]) === undefined) ? [] : [one];
  });

/** Reserves requests for each credential; call the result to release them. */
export async function keepRoom(
  limits: Tools['limits'],
  credentials: readonly Credential[],
  rate: RateClass,
): Promise<() => void> {
  const leave = await Promise.all(credentials.map((one) => limits.reserve(one, rate, looksKept)));
  return () => {
    for (const one of leave) one();
  };
}

/** Accepted or 429. Other refusals may come before the request is counted. */
export const decisive = (answers: readonly (Reply | undefined)[]): Reply[] =>
  answers.filter((reply) => reply !== undefined).filter((reply) => wasAccepted(reply) || isRefused(reply));

export function expectRefusedWhileSpent(reply: Reply): void {
  expectThat(isRefused(reply), 'a request of a spent class should be refused', {
    expected: 429,
    actual: `${reply.status} in each of several rounds`,
    replies: reply,
  });
}

/** Sends a request before another class is spent; after a 429 again in two minutes, as some limiters count so long. */
export async function controlOf(send: Send, { clock, limits }: Pick<Tools, 'clock' | 'limits'>): Promise<Reply> {
  const reply = await send();
  if (!isRefused(reply)) return reply;
  await clock.sleep(2 * limits.minuteMs);
  return send();
}

/** `control`: the reply before the class was spent. With a limit of one a minute it may have used that up. */
export function expectLeftAlone(reply: Reply | undefined, what: string, control?: Reply, allowed = Infinity): void {
  if (!reply) throw new NotTested(`there is no ${what} to try`);
  if (control && isRefused(control))
    throw new NotTested(`${what} was refused already before the other class was spent`);
  if (control && allowed < 2 && isRefused(reply))
    throw new NotTested(`one such request a minute is too few to try ${what}: the run had sent one already`);
  expectThat(!isRefused(reply), `${what} should be served`, {
    expected: 'any status but 429',
    actual: 429,
    replies: reply,
  });
}

export const accepting =
  (api: Api, operation: OperationId, call: Call = {}) =>
  (): Promise<Reply> =>
    api.send(operation, { ...call, throttle: 'accept' });

/** Headers that change nothing about a request; it still counts. */
export const besides = (random: Tools['random'], slug: string | undefined): Call =>
  random.pick<Call>([
    { headers: { 'x-origin-app': 'covenant, another part' } },
    { headers: { accept: '*/*' } },
    slug === undefined ? { headers: { 'accept-language': 'en' } } : { account: slug },
  ]);

const limited = (random: Tools['random']): number => random.pick([1, 2, random.int(3, 199), 200]);

/** List parameters; a target need not support `sort`. */
const queries: { readonly [Id in OperationId]?: (random: Tools['random']) => readonly [Query, ...Query[]] } = {
  'GET /companies': (random) => [{ limit: limited(random) }, { fields: 'name' }, { sort: '-created_at', limit: 5 }],
  'GET /contacts': (random) => [{ limit: limited(random) }, { fields: 'last_name', limit: 3 }, { sort: 'created_at' }],
  'GET /api-keys': (random) => [{ limit: limited(random) }, { offset: 0 }, { limit: 2, offset: 1 }],
  // The limit is 1: a page with a cursor to the next one.
  'GET /companies/{company_id}/notes': () => [{ limit: 1 }],
};

/** A varied read: a list with parameters, other operations with a header. */
const variedCall = (operation: OperationId, random: Tools['random'], slug: string | undefined): Call => {
  const asked = queries[operation]?.(random);
  return asked ? { query: random.pick(asked) } : besides(random, slug);
};

const listNotes = 'GET /companies/{company_id}/notes';

/** A page of one note with a cursor to the next page. */
export const firstPage = (api: Api, company: Company): Send =>
  accepting(api, listNotes, { path: { company_id: company.id }, query: { limit: 1 } });

/** The next page, if there is one. */
function nextPage(api: Api, company: Company, page: Reply | undefined): readonly Send[] {
  const cursor = at(page?.json, 'pagination', 'next_cursor');
  if (typeof cursor !== 'string') return [];
  return [accepting(api, listNotes, { path: { company_id: company.id }, query: { limit: 1, cursor } })];
}

/** Each read twice: plain, and with parameters or a header. */
export function readLooks(
  api: Api,
  company: Company,
  random: Tools['random'],
  slug: string | undefined,
): readonly Send[] {
  const path = { company_id: company.id };
  return reads.flatMap((operation) => {
    const plain = operation.includes('{') ? { path } : {};
    const varied = { ...plain, ...variedCall(operation, random, slug) };
    return [accepting(api, operation, plain), accepting(api, operation, varied)];
  });
}

/** `count` different reads, each as sent by every caller. */
export function sameReads(
  callers: readonly Api[],
  company: number,
  random: Tools['random'],
  count: number,
): readonly (readonly Send[])[] {
  const path = { company_id: company };
  return random
    .shuffled(reads)
    .slice(0, count)
    .map((operation) => {
      const call = { ...(operation.includes('{') ? { path } : {}), ...variedCall(operation, random, undefined) };
      return callers.map((api) => accepting(api, operation, call));
    });
}

/** Reads of each other account; two, as two nodes may answer in turn. */
const plain = ['GET /me', 'GET /companies'] as const satisfies readonly OperationId[];

interface ReadsSpent {
  readonly api: Api;
  readonly read: Send;
  readonly edit: Send;
  readonly create: Send;
  /** The reply to the same edit right before the reads were spent. */
  readonly edited: Reply;
  readonly allowance: Allowance;
  readonly company: Company;
  /** The first page of the company's notes. */
  readonly page: Reply | undefined;
  readonly slug: string | undefined;
  /** Other accounts, if any. */
  readonly others: readonly Api[];
}

type ReadContext = Context<
  'rate-limits-read-write-apart' | 'rate-limits-accounts-apart' | 'rate-limits-health' | 'rate-limits-every-operation',
  never
>;

/** From this write limit on, one more write hardly matters. */
const manyWrites = 10;

/** While the reads are spent, writes of this account and reads of other accounts are accepted. */
export async function judgeBesideReads(given: ReadsSpent, context: ReadContext): Promise<void> {
  const { api, read, edit, create, edited: control, allowance, others } = given;
  const { limits, effort, check, observe } = context;
  const theirs = others.flatMap((one) => plain.map((operation) => accepting(one, operation)));
  const allowed = limits.reported(api.credential, 'write');
  const writes = effort === 'quick' || (allowed ?? 0) < manyWrites ? [edit] : [edit, create];
  const looks = [accepting(api, 'GET /health'), ...writes, ...theirs];
  const leave = await keepRoom(
    limits,
    others.map(({ credential }) => credential),
    'read',
  );
  const [health, ...answers] = await besideSpentAgain(read, allowance, looks, context).finally(leave);
  for (const written of answers.slice(0, writes.length))
    await check('rate-limits-read-write-apart', () =>
      expectLeftAlone(written, 'a write beside spent reads', control, allowed),
    );
  const foreign = answers.slice(writes.length);
  await check('rate-limits-accounts-apart', () => {
    if (foreign.length === 0) expectLeftAlone(undefined, 'key of another account');
    for (const reply of foreign) expectLeftAlone(reply, `${reply.operation} of another account`);
  });
  if (health) observe('rate-limits-health', isRefused(health) ? answerOf(health) : 'served', health);
}

/** Every read is refused, with any parameters and headers. Returns the replies. */
export async function judgeEveryRead(
  given: ReadsSpent,
  { random, effort, check }: ReadContext,
): Promise<readonly Reply[]> {
  const { api, read, allowance, company, page, slug } = given;
  const looks = () => readLooks(api, company, random, slug);
  // Draws new variations.
  const again = Array.from({ length: effort === 'thorough' ? 4 : 1 }, looks).flat();
  const all = [...looks(), ...nextPage(api, company, page), ...again.filter((_, place) => place % 2 === 1)];
  const answers = decisive(await whileSpent(read, allowance, all));
  for (const answer of answers) {
    await check('rate-limits-every-operation', () => expectRefusedWhileSpent(answer), answer.operation);
  }
  return answers;
}
