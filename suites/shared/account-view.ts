// Whether a reply shows the same account as others.
import type { Reply } from '../../lib/index.ts';
import { scalarValuesOf } from './answer.ts';

const isShown = (value: string | undefined): value is string => value !== undefined;

/** Paths whose value in the later reply differs from all others, such as counters and times. */
export function movingIn(later: Reply, ...others: readonly Reply[]): ReadonlySet<string> {
  const known = others.map(scalarValuesOf);
  const isMoving = ([path, value]: readonly [string, string]): boolean => {
    const shown = known.map((leaves) => leaves.get(path)).filter(isShown);
    return shown.length === known.length && !shown.includes(value);
  };
  return new Set([...scalarValuesOf(later)].filter(isMoving).map(([path]) => path));
}

/**
 * Whether a reply shows the values that the others agree on. Values that differ among those may be counters or come
 * from another node. `moving`: paths that say nothing about the account.
 */
export function agrees(
  seen: Reply,
  [one, ...others]: readonly [Reply, ...Reply[]],
  moving: ReadonlySet<string> = new Set(),
): boolean {
  const [leaves, known, ...further] = [seen, one, ...others].map(scalarValuesOf);
  const shared = [...(known ?? [])].filter(([path]) => leaves?.has(path));
  // Nodes may share no member. That proves nothing, unless the others show something and this one is empty.
  if (shared.length === 0) return known?.size === 0 || leaves?.size !== 0;
  return shared.every(
    ([path, value]) =>
      moving.has(path) || further.some((other) => other.get(path) !== value) || leaves?.get(path) === value,
  );
}
