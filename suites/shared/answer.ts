// Describes replies in words that are the same on every run.
import {
  type Api,
  at,
  type Context,
  dataOf,
  expectThat,
  instant,
  isObject,
  type JudgedId,
  type OperationId,
  type Reply,
  slugsIn,
  Unanswered,
  walk,
  wasAccepted,
} from '../../lib/index.ts';

export { wasAccepted };

/** `accepted`, or `refused with 422`. */
export const answerOf = (reply: Reply): string => (wasAccepted(reply) ? 'accepted' : `refused with ${reply.status}`);

/** The JSON type of a value. */
export const kindOf = (value: unknown): string =>
  value === null ? 'null' : value === undefined ? 'absent' : Array.isArray(value) ? 'an array' : typeof value;

/** The member of the body, such as `pagination.total`, is as expected. */
export function expectMember(reply: Reply, path: string, holds: (value: unknown) => boolean, expected: string): void {
  const value = at(reply.json, ...path.split('.'));
  const actual = value === null || typeof value === 'object' ? kindOf(value) : (value ?? 'absent');
  expectThat(holds(value), `${path} should be ${expected}`, { expected, actual, replies: reply });
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNonEmptyText = (value: unknown): boolean => isText(value) && value.trim() !== '';

/** Each value once, in alphabetical order. */
export const distinct = (values: readonly string[]): string => [...new Set(values)].sort().join(', ');

/** A target with more messages repeats what it was sent; a few of them, as they came, say so. */
const messagesMax = 5;

/** However a token is written into a message, it is a long word there, which differs from the one that stands for it in evidence. */
const withoutTokens = (message: string): string => message.replace(/\S{16,}/g, '');

/** A few of the messages with which a target refuses tokens, in an order in which no token has a part. */
export function firstMessages(messages: readonly string[]): readonly string[] {
  if (messages.length > messagesMax)
    return [...messages.slice(0, messagesMax), `and ${messages.length - messagesMax} more`];
  const isAfter = (one: string, other: string) => Number(withoutTokens(one) > withoutTokens(other));
  return messages.toSorted((one, other) => isAfter(one, other) - isAfter(other, one));
}

/** Member names in alphabetical order, those of inner records in brackets; of a list its first item. */
export function shapeOf(value: unknown, depth = 2): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of (${shapeOf(value[0], depth)})`;
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  return Object.keys(value)
    .sort()
    .map((name) => (depth > 1 && isObject(value[name]) ? `${name} (${shapeOf(value[name], depth - 1)})` : name))
    .join(', ');
}

const scopeLike = /^[a-z_-]+[:.][a-z_*.-]+$/i;

/** The values of a profile without scopes, which two users may share, and without platform data. */
export const profileOf = (data: unknown): string =>
  walk(data)
    .filter(({ value }) => !isObject(value) && !Array.isArray(value))
    .filter(({ value }) => !(typeof value === 'string' && scopeLike.test(value)))
    .filter(({ path }) => !path.includes('platform'))
    .map(({ path, value }) => `${path.filter((step) => typeof step === 'string').join('.')}=${JSON.stringify(value)}`)
    .sort()
    .join('\n');

/** Without times, which may be the reply's. Nodes may spell values differently: numeric texts become numbers. */
export function scalarValuesOf(reply: Reply): ReadonlyMap<string, string> {
  const isSingle = (value: unknown): boolean => value !== undefined && !isObject(value) && !Array.isArray(value);
  const single = walk(dataOf(reply)).filter(({ value }) => isSingle(value));
  return new Map(
    single
      .filter(({ value }) => !(typeof value === 'string' && instant(value) !== undefined))
      .map(({ path, value }) => [path.join('.'), plainly(JSON.stringify(value))]),
  );
}

const plainly = (scalar: string): string => String(numberIn(scalar) ?? scalar.toLowerCase());

/** The number in a JSON scalar, also in a text; undefined where there is none. */
export function numberIn(scalar: string | undefined): number | undefined {
  const digits = /^"?(-?[\d,]*\.?\d+)"?$/.exec(scalar ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

export const slugsOf = (reply: Reply): readonly string[] => slugsIn(reply).map(({ slug }) => slug);

export const slugsInMe = async (api: Api): Promise<readonly string[]> => slugsOf(await api.send('GET /me'));

export const hasSlug = (record: unknown): boolean =>
  walk(record).some(
    ({ value }) =>
      isObject(value) && Object.entries(value).some(([name, slug]) => /slug$/i.test(name) && typeof slug === 'string'),
  );

/** Returns the reply. Throws a Mismatch where no attempt got one but the valid control request does. */
export async function answered(request: Promise<Reply>, control: () => Promise<Reply>): Promise<Reply> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const reply = await control();
    expectThat(false, 'the request should be answered', {
      expected: 'a reply, as its valid control gets',
      actual: error.message,
      replies: reply,
    });
  }
}

/** Fails the requirement where its invalid request gets no reply, which no rule sees. */
export async function failUnanswered<Id extends JudgedId>(
  { api, check }: Pick<Context<Id, never>, 'api' | 'check'>,
  id: Id,
  operation: OperationId,
  request: Promise<Reply>,
): Promise<void> {
  await request.catch(async (error: unknown) => {
    if (!(error instanceof Unanswered)) throw error;
    await check(id, async () => void (await answered(request, () => api.send('GET /me'))), operation);
  });
}
