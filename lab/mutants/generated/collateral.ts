// What the generated mutants share: the ways in which a member is broken, and what else fails then, as rows by operation, member and way.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import type { OperationId } from '../../../lib/catalogue/operations.ts';
import type { Mutant } from '../mutant.ts';
import { type Json, without } from '../wrappers/mutator.ts';

/** What one generated mutant breaks: a member of an operation's replies, or a documented status, in one way. */
export interface Broken<Member, Way> {
  readonly operation: OperationId;
  readonly member: Member;
  readonly way: Way;
}

/** What fails as well; a row without members or ways holds for all of them. */
export interface Row<Member, Way> {
  readonly on: readonly OperationId[];
  readonly members?: readonly Member[];
  readonly ways?: readonly Way[];
  readonly red: readonly RequirementId[];
  readonly why: string;
}

export const row = <Member, Way>(
  on: Row<Member, Way>['on'],
  red: Row<Member, Way>['red'],
  why: string,
  members?: readonly Member[],
  ways?: readonly Way[],
): Row<Member, Way> => ({ on, red, why, ...(members && { members }), ...(ways && { ways }) });

const fits = <Member, Way>(row: Row<Member, Way>, { operation, member, way }: Broken<Member, Way>): boolean =>
  row.on.includes(operation) && row.members?.includes(member) !== false && row.ways?.includes(way) !== false;

/** A generated mutant with the collateral of the rows that fit it. */
export function generated<Member, Way>(
  mutant: Omit<Mutant, 'collateral'>,
  broken: Broken<Member, Way>,
  rows: readonly Row<Member, Way>[],
): Mutant {
  const pairs = rows
    .filter((row) => fits(row, broken))
    .flatMap(({ red, why }) => red.map((requirement) => [requirement, why] as const))
    .filter(([requirement]) => !mutant.breaks.includes(requirement));
  return { ...mutant, ...(pairs.length > 0 ? { collateral: Object.fromEntries(pairs) } : {}) };
}

/** A value of another type, which no reader could mistake for the original. */
function retyped(value: unknown): unknown {
  if (typeof value === 'string') return { text: value };
  if (typeof value === 'number' || typeof value === 'boolean') return `#${value}`;
  if (Array.isArray(value)) return { items: value };
  return value === null || value === undefined ? value : ['object'];
}

export const ways = {
  dropped: (object: Json, name: string): Json => without(object, name),
  nulled: (object: Json, name: string): Json => (name in object ? { ...object, [name]: null } : object),
  retyped: (object: Json, name: string): Json =>
    name in object ? { ...object, [name]: retyped(object[name]) } : object,
} as const satisfies Record<string, (object: Json, name: string) => Json>;

export type Way = keyof typeof ways;
export const everyWay = Object.keys(ways) as Way[];

/** `POST /companies/{company_id}/notes` as part of an identifier: `post-companies-id-notes`. */
export const slugOf = (operation: string): string =>
  operation
    .toLowerCase()
    .replace(/\{\w+\}/g, 'id')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '');
