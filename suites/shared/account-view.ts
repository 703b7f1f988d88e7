// What billing shows of an account, and whether that is what it was.
import type { Api, Reply } from '../../lib/index.ts';
import { scalarValuesOf } from './answer.ts';

/** The replies of both billing operations. */
export type View = readonly [summary: Reply, credits: Reply];

/** Undefined account: without X-Active-Account. */
export async function viewOf(api: Api, account?: string): Promise<View> {
  const call = account === undefined ? {} : { account };
  return Promise.all([api.send('GET /billing/summary', call), api.send('GET /billing/credits/balance', call)]);
}

const isShown = (value: string | undefined): value is string => value !== undefined;

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
