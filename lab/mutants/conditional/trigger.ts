// What a trigger is: a condition on a request under which a conditional mutant misbehaves.
import type { Moment } from './moment.ts';

export const kinds = [
  'caller',
  'header',
  'operation',
  'query',
  'shape',
  'value',
  'position',
  'history',
  'node',
] as const;
export type Kind = (typeof kinds)[number] | 'conjunction';

export interface Trigger {
  readonly kind: Kind;
  /** Completes "only where ...". */
  readonly words: string;
  /** On GET it looks at the honest reply. */
  readonly looksAtReply: boolean;
  readonly holds: (moment: Moment) => boolean;
}

type Holds = Trigger['holds'];

/** Triggers of one kind, from their words and conditions. */
export const triggersOf = (
  kind: Kind,
  conditions: Readonly<Record<string, Holds>>,
  looksAtReply = false,
): readonly Trigger[] => Object.entries(conditions).map(([words, holds]) => ({ kind, words, looksAtReply, holds }));

export const both = (one: Trigger, other: Trigger): Trigger => ({
  kind: 'conjunction',
  words: `${one.words}, and ${other.words}`,
  looksAtReply: one.looksAtReply || other.looksAtReply,
  holds: (moment) => one.holds(moment) && other.holds(moment),
});
