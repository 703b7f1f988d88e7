// The closed grammar of triggers, and how one is drawn from it.
import { both, type Kind, kinds, ranked, type Trigger } from './trigger.ts';
import { shapeTriggers, valueTriggers } from './triggers-of-bodies.ts';
import { callerTriggers, headerTriggers, operationTriggers, queryTriggers } from './triggers-of-requests.ts';
import { historyTriggers, nodeTriggers, positionTriggers } from './triggers-of-traffic.ts';

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
export const drawKind = (draw: string): Kind => ranked(everyKind, draw, itself)[0] ?? 'conjunction';

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
