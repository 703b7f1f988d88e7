// What rules find: which exchanges could have failed a requirement, and which did.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { Mismatch } from '../client/errors.ts';
import type { Reply } from '../client/reply.ts';
import type { World } from './world.ts';

export interface Violation {
  readonly id: JudgedId;
  readonly operation: OperationId;
  readonly mismatch: Mismatch;
}

interface Found {
  readonly expected: unknown;
  readonly actual: unknown;
  /** What the reply is held against; the reply itself comes last. */
  readonly because?: readonly Reply[];
  /** Where it is not that of the reply. */
  readonly operation?: OperationId;
}

export class Judge<Id extends JudgedId = JudgedId> {
  readonly violations: Violation[] = [];
  /** How many exchanges could have failed each requirement. */
  readonly judged = new Map<JudgedId, number>();

  /** An exchange that could have failed the requirement, and did not. */
  readonly count = (id: Id): void => {
    this.judged.set(id, (this.judged.get(id) ?? 0) + 1);
  };

  /** An exchange that could have failed the requirement: `holds`, or what was found in it. Returns `holds`. */
  readonly expect = (id: Id, reply: Reply, holds: boolean, message: string, found: Found): boolean => {
    this.count(id);
    if (holds) return true;
    const { expected, actual = 'absent', because = [], operation = reply.operation ?? 'GET /me' } = found;
    const replies = because.at(-1) === reply ? because : [...because, reply];
    this.violations.push({ id, operation, mismatch: new Mismatch({ message, expected, actual, replies }) });
    return false;
  };
}

export type Rule<Id extends JudgedId = JudgedId> = (world: World, judge: Judge<Id>) => void;

/** The rules of one area, and every requirement that they judge. */
export interface Rules {
  readonly ids: readonly JudgedId[];
  readonly apply: Rule;
}

/** A rule may judge no requirement that is not listed here. */
export const rules = <const Id extends JudgedId>(ids: readonly Id[], ...all: readonly Rule<Id>[]): Rules => ({
  ids,
  apply: (world, judge) => {
    for (const rule of all) rule(world, judge);
  },
});

export const together = (...all: readonly Rules[]): Rules => ({
  ids: [...new Set(all.flatMap(({ ids }) => ids))],
  apply: (world, judge) => {
    for (const one of all) one.apply(world, judge);
  },
});
