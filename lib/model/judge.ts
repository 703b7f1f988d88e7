// Collects the results of the rules: which exchanges could have failed a requirement, and which did.
import type { JudgedId, RequirementId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { Mismatch } from '../client/errors.ts';
import type { Reply } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';
import type { World } from './world.ts';

export interface Violation {
  readonly id: JudgedId;
  /** Absent on routes that the document does not know. */
  readonly operation?: OperationId;
  readonly mismatch: Mismatch;
}

interface Found {
  readonly expected: unknown;
  /** Default: the status of the reply. */
  readonly actual?: unknown;
  /** The replies that the judged reply contradicts; the judged reply itself is appended. */
  readonly because?: readonly Reply[];
  /** Default: the operation of the reply. */
  readonly operation?: OperationId;
}

/** Hears of each exchange that could have failed a requirement. */
export type OnJudged = (id: RequirementId, reply: Reply) => void;

export class Judge<Id extends JudgedId = JudgedId> {
  readonly violations: Violation[] = [];
  /** How many exchanges could have failed each requirement. */
  readonly judged = new Map<JudgedId, number>();
  /** Counts an exchange that could have failed the requirement and did not. */
  readonly count: (id: Id, reply: Reply) => void;

  constructor(onJudged: OnJudged = () => {}) {
    this.count = (id, reply) => {
      this.judged.set(id, (this.judged.get(id) ?? 0) + 1);
      onJudged(id, reply);
    };
  }

  /** Counts an exchange, and adds a violation unless the requirement holds. Returns `holds`. */
  readonly expect = (id: Id, reply: Reply, holds: boolean, message: string, found: Found): boolean => {
    this.count(id, reply);
    if (holds) return true;
    const { expected, because = [], operation = reply.operation } = found;
    const { actual = 'absent' } = 'actual' in found ? found : { actual: reply.status };
    const replies = because.at(-1) === reply ? because : [...because, reply];
    const mismatch = new Mismatch({ message, expected, actual, replies });
    this.violations.push({ id, mismatch, ...defined({ operation }) });
    return false;
  };
}

export type Rule<Id extends JudgedId = JudgedId> = (world: World, judge: Judge<Id>) => void;

/** The rules of one area. */
export interface Rules {
  /** What they judge besides the requirements of their own area that no duty of every reply is about. */
  readonly ids: readonly JudgedId[];
  readonly apply: Rule;
}

export const rules = (ids: Rules['ids'], ...all: readonly Rule[]): Rules => ({
  ids,
  apply: (world, judge) => {
    for (const rule of all) rule(world, judge);
  },
});

export const together = (...all: readonly Rules[]): Rules =>
  rules([...new Set(all.flatMap(({ ids }) => ids))], ...all.map(({ apply }) => apply));
