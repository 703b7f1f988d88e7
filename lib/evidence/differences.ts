// In what two reports of one run differ: the verdicts first, then whatever else they say.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../client/reply.ts';
import type { CaseVerdict, Report } from '../result.ts';

/** A requirement whose verdict does not follow. */
export interface Moved {
  readonly requirement: string;
  /** Absent where it was not judged. */
  readonly was?: string;
  readonly is?: string;
}

export function movedVerdicts(
  was: Readonly<Record<string, CaseVerdict>>,
  is: Readonly<Record<string, CaseVerdict>>,
): Moved[] {
  // As maps: a forger may call a requirement toString, which every object has.
  const [then, again] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
  return [...new Set([...then.keys(), ...again.keys()])].flatMap((requirement) => {
    const [before, now] = [then.get(requirement), again.get(requirement)];
    if (before === now) return [];
    return [
      {
        requirement,
        ...(before === undefined ? {} : { was: before }),
        ...(now === undefined ? {} : { is: now }),
      },
    ];
  });
}

export const verdictsOf = ({ requirements }: Pick<Report, 'requirements'>): Record<string, CaseVerdict> =>
  Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));

const listMax = 5;

/** JSON pointers to the first places where two values differ. */
function places(one: unknown, other: unknown, path = '', found: string[] = []): string[] {
  if (found.length >= listMax || isDeepStrictEqual(one, other)) return found;
  const bothLists = Array.isArray(one) && Array.isArray(other);
  if (!bothLists && !(isObject(one) && isObject(other))) return [...found, path];
  const [left, right] = [Object.entries(one), Object.entries(other)];
  const keys = new Set([...left, ...right].map(([key]) => key));
  const values = [new Map(left), new Map(right)] as const;
  let all = found;
  for (const key of keys) all = places(values[0].get(key), values[1].get(key), `${path}/${key}`, all);
  return all;
}

/** Waivers are added after the run, by whoever looks at it. */
export function differencesBetween(written: Report, followed: Report): string[] {
  const { waivers: _, ...rest } = written;
  return places(rest, JSON.parse(JSON.stringify(followed)));
}
