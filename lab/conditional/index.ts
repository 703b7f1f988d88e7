// Conditional mutants: a base change times a trigger of a closed grammar, drawn by seed and number; `conditional-17-203` is number 203 of seed 17.
import { areas } from '../../lib/catalogue/requirement.ts';
import { generatedMutants } from '../mutants/generated/index.ts';
import { mutants } from '../mutants/index.ts';
import { type Base, basesOf } from './bases.ts';
import { isPromising } from './profile.ts';
import { both, type Kind, kinds, ranked, type Trigger } from './trigger.ts';
import { shapeTriggers, valueTriggers } from './triggers-of-bodies.ts';
import { callerTriggers, headerTriggers, operationTriggers, queryTriggers } from './triggers-of-requests.ts';
import { historyTriggers, nodeTriggers, positionTriggers } from './triggers-of-traffic.ts';
import type { Suspect } from './witness.ts';

type Simple = (typeof kinds)[number];

/** Every simple trigger, by its kind. */
export const grammar: Readonly<Record<Simple, readonly Trigger[]>> = {
  caller: callerTriggers,
  header: headerTriggers,
  operation: operationTriggers,
  query: queryTriggers,
  shape: shapeTriggers,
  value: valueTriggers,
  position: positionTriggers,
  history: historyTriggers,
  node: nodeTriggers,
};

const everyKind: readonly Kind[] = ['conjunction', ...kinds];
const itself = (kind: Kind): string => kind;
const wordsOf = ({ words }: Trigger): string => words;

/** Each kind is as likely as the other. */
const drawKind = (draw: string): Kind => ranked(everyKind, draw, itself)[0] ?? 'conjunction';

/** Conjunctions are many: so many are tried. */
const conjunctions = 24;

/** The triggers of a kind in the order in which they are to be tried; a conjunction joins two of different kinds. */
export function* drawTriggers(draw: string, kind: Kind): Generator<Trigger> {
  if (kind !== 'conjunction') {
    yield* ranked(grammar[kind], draw, wordsOf);
    return;
  }
  for (let drawn = 0; drawn < conjunctions; drawn += 1) {
    const name = `${draw} ${drawn}`;
    const [one, other] = ranked(kinds, name, itself)
      .slice(0, 2)
      .map((simple) => ranked(grammar[simple], name, wordsOf)[0]);
    if (one && other) yield both(one, other);
  }
}

export interface Conditional extends Suspect {
  readonly id: string;
  readonly base: Base;
  readonly trigger: Trigger;
  /** What it does, and when. */
  readonly why: string;
}

const bases = basesOf([...mutants, ...generatedMutants]);
/** The base changes that are drawn from: those of each area that has some. */
export const pool: readonly (readonly Base[])[] = areas
  .map((area) => bases.filter((base) => base.area === area))
  .filter((some) => some.length > 0);

export const conditionalId = (seed: number, number: number): string => `conditional-${seed}-${number}`;

/** So many base changes are tried for one kind of trigger. */
const basesTried = 12;

/** The candidate of a seed and a number: each kind of trigger and each area is as likely as the other, as far as they meet. */
export async function conditional(seed: number, number: number): Promise<Conditional | undefined> {
  const name = conditionalId(seed, number);
  const kind = drawKind(name);
  for (let tried = 0; tried < basesTried; tried += 1) {
    const draw = `${name} ${tried}`;
    const [some = []] = ranked(pool, draw, ([one]) => one?.area ?? '');
    const [base] = ranked(some, draw, ({ id }) => id);
    const trigger = base && (await fitting(base, drawTriggers(draw, kind)));
    if (trigger) return under(name, base, trigger);
  }
  return undefined;
}

/** The first trigger that holds for some of what the base does, and not for all. */
async function fitting(base: Base, triggers: Iterable<Trigger>): Promise<Trigger | undefined> {
  for (const trigger of triggers) if (await isPromising(base, trigger)) return trigger;
  return undefined;
}

/** By its identifier; undefined where it is not one of a conditional mutant. */
export async function conditionalOf(id: string): Promise<Conditional | undefined> {
  const [, seed, number] = /^conditional-(\d{1,9})-(\d{1,9})$/.exec(id) ?? [];
  return seed === undefined || number === undefined ? undefined : conditional(Number(seed), Number(number));
}

export function under(id: string, base: Base, trigger: Trigger): Conditional {
  const { reference, honest } = base;
  const why = `${base.id}, only where ${trigger.words}`;
  return { id, base, trigger, why, reference, honest, wrap: base.under(trigger) };
}
