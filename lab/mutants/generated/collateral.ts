// What else fails with what a generated mutant breaks: rows by operation, member and way, with the reason.
import type { RequirementId } from '../../../lib/catalogue/index.ts';
import type { OperationId } from '../../../lib/catalogue/operations.ts';
import type { Mutant } from '../mutant.ts';

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
