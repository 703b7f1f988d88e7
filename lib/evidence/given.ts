// What a run was given, sealed a second time beside what it found: a header that somebody altered afterwards is noticed, and by name.
import { isObject } from '../client/reply.ts';
import type { Report } from '../result.ts';
import { sha256 } from '../runtime/digest.ts';
import type { Found, Header } from './format.ts';

type Given = Readonly<Record<string, string>>;

const digestOf = (value: unknown): string => sha256(JSON.stringify(value));

/** So much of a digest says whether a member is another one; the whole header is under the seal. */
const digitsMax = 16;

type Member = readonly [name: string, value: unknown];

/** The members of the header by their names, those of its parts as `settings.seed`. */
function membersOf(header: Header): readonly Member[] {
  return Object.entries(header).flatMap(([part, value]): Member[] =>
    isObject(value) ? Object.entries(value).map(([name, one]): Member => [`${part}.${name}`, one]) : [[part, value]],
  );
}

/** A digest of each member of the header. */
export const givenOf = (header: Header): Given =>
  Object.fromEntries(membersOf(header).map(([name, value]) => [name, digestOf(value).slice(0, digitsMax)]));

/** Waivers are added after the run, by whoever looks at it. */
export const followingFrom = (given: Given, { waivers: _, ...report }: Report): string => digestOf([given, report]);

/** Members of the header that are not those of the run, a sentence each; older files say nothing of them. */
export function alteredIn(header: Header, { given }: Found): string[] {
  if (given === undefined) return [];
  const now = givenOf(header);
  return [...new Set([...Object.keys(given), ...Object.keys(now)])]
    .filter((name) => given[name] !== now[name])
    .map((name) => `${name} in the header is not what the run was given`);
}
