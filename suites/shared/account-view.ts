// What billing shows of an account: it distinguishes two accounts without a validation.
import { type Api, at, dataOf, expectThat, instant, type Reply, walk } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';
import { numberIn, scalarValuesOf } from './scalar-values.ts';

/** The replies of both billing operations. */
export type View = readonly [summary: Reply, credits: Reply];

/** Undefined account: without X-Active-Account. */
export async function viewOf(api: Api, account?: string): Promise<View> {
  const call = account === undefined ? {} : { account };
  return Promise.all([api.send('GET /billing/summary', call), api.send('GET /billing/credits/balance', call)]);
}

const isShown = (value: string | undefined): value is string => value !== undefined;

/** Near its timestamp: what a reply shows may follow from the time, then. */
const ownTimeMs = 10_000;

/** Whether the data show the time of the reply, as of which they are. */
export function showsItsTime(reply: Reply): boolean {
  const [now] = instantsIn(at(reply.json, 'timestamp'));
  return now !== undefined && instantsIn(dataOf(reply)).some((one) => Math.abs(one - now) <= ownTimeMs);
}

const instantsIn = (data: unknown): readonly number[] =>
  walk(data).flatMap(({ value }) => (typeof value === 'string' ? (instant(value)?.ms ?? []) : []));

/** The places where a later reply shows what none of the others did: counters, times, and what follows from these. */
export function movingIn(later: Reply, ...others: readonly Reply[]): ReadonlySet<string> {
  const known = others.map(scalarValuesOf);
  const isMoving = ([path, value]: readonly [string, string]): boolean => {
    const shown = known.map((leaves) => leaves.get(path)).filter(isShown);
    return shown.length === known.length && !shown.includes(value);
  };
  return new Set([...scalarValuesOf(later)].filter(isMoving).map(([path]) => path));
}

/**
 * Whether a reply shows what others agree upon; what differs among those may be a counter, or of another node, which may
 * have members of its own. `moving`: known to be none of the account's.
 */
export function agrees(
  seen: Reply,
  [one, ...others]: readonly [Reply, ...Reply[]],
  moving: ReadonlySet<string> = new Set(),
): boolean {
  const [leaves, known, ...further] = [seen, one, ...others].map(scalarValuesOf);
  const shared = [...(known ?? [])].filter(([path]) => leaves?.has(path));
  // Two nodes may have no name in common: that says nothing, and neither does one that shows something where the other shows nothing.
  if (shared.length === 0) return known?.size === 0 || leaves?.size !== 0;
  return shared.every(
    ([path, value]) =>
      moving.has(path) || further.some((other) => other.get(path) !== value) || leaves?.get(path) === value,
  );
}

/** Shorter values, such as small numbers, two accounts may share by chance. */
const tellingMin = 3;

/** The places where a reply shows what another account shows, although its own was seen twice to show something else there. */
export function strayPaths(seen: Reply, [one, again]: readonly [Reply, Reply], other: Reply): readonly string[] {
  const [leaves, first, second, foreign] = [seen, one, again, other].map(scalarValuesOf);
  return [...(first ?? [])]
    .filter(([path, value]) => {
      const shown = leaves?.get(path);
      const isForeign = shown !== undefined && shown === foreign?.get(path) && shown.length >= tellingMin;
      return isForeign && value !== shown && second?.get(path) === value;
    })
    .map(([path]) => path);
}

export type Side = 'a' | 'b';

/** Balances so near to one another, or by so small a share, may meet while others spend from them. */
const apartMin = 20;
const apartShare = 0.05;

/**
 * Which of two different values a third one resembles: of numbers the nearer one by far, since they may have moved. A member
 * that is missing somewhere may be one of another node.
 */
function nearest(value: string | undefined, a: string | undefined, b: string | undefined): Side | undefined {
  if (a === b || ![value, a, b].every(isShown)) return undefined;
  const [seen, left, right] = [value, a, b].map(numberIn);
  if (left === undefined || right === undefined) return value === a ? 'a' : value === b ? 'b' : undefined;
  const apart = Math.abs(left - right);
  const least = Math.max(apartMin, apartShare * Math.max(Math.abs(left), Math.abs(right)));
  if (seen === undefined || apart < least) return undefined;
  return Math.abs(seen - left) <= apart / 4 ? 'a' : Math.abs(seen - right) <= apart / 4 ? 'b' : undefined;
}

/** Which of two replies another one resembles where the two differ; undefined where it resembles both alike, or one was refused. */
function sideOf(seen: Reply, a: Reply, b: Reply, moving: ReadonlySet<string>): Side | undefined {
  if (![seen, a, b].every(wasAccepted)) return undefined;
  const [leaves, left, right] = [scalarValuesOf(seen), scalarValuesOf(a), scalarValuesOf(b)];
  const paths = [...left.keys()].filter((path) => !moving.has(path));
  const sides = paths.map((path) => nearest(leaves.get(path), left.get(path), right.get(path)));
  const [likeA, likeB] = [sides.filter((side) => side === 'a').length, sides.filter((side) => side === 'b').length];
  return likeA === likeB ? undefined : likeA > likeB ? 'a' : 'b';
}

/** Both accounts' billing, each seen with a key of that account. */
export interface Views {
  readonly a: View;
  readonly b: View;
  /** Of each operation: whether it has been seen to follow the session; one that does not proves nothing. */
  readonly follows: readonly [boolean, boolean];
  /** What moves by itself in each of the two. */
  readonly moving: readonly [ReadonlySet<string>, ReadonlySet<string>];
}

/** The sides that the two operations of a view show. */
export function sidesOf(seen: View, { a, b, follows, moving }: Views): readonly [Side | undefined, Side | undefined] {
  return [
    follows[0] ? sideOf(seen[0], a[0], b[0], moving[0]) : undefined,
    follows[1] ? sideOf(seen[1], a[1], b[1], moving[1]) : undefined,
  ];
}

export const areDistinct = (views: Views): boolean => sidesOf(views.a, views).includes('a');

/** Neither operation shows the other account. Where billing is alike on both this says nothing: a key must. */
export function expectShown(side: Side, seen: View, views: Views, who: string): void {
  for (const [index, shown] of sidesOf(seen, views).entries()) {
    const { operation = 'billing' } = seen[index === 0 ? 0 : 1];
    expectThat(shown === side || shown === undefined, `${who} should act on account ${side}, as ${operation} shows`, {
      expected: `the billing of account ${side}`,
      actual: `the billing of account ${shown}`,
      replies: [...views.a, ...views.b, ...seen],
    });
  }
}
