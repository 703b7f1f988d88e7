// How integers for identifiers are chosen, and where a record stands in its list.
import type { Choices } from './choices.ts';
import { type Dice, scatter } from './dice.ts';

export type NumberForm = Choices['companyIds'];
export type ListOrder = Choices['companyOrder'];

export interface Numbering {
  next(): number;
}

const INT31 = 2 ** 31 - 1;

export function numbering(form: NumberForm, dice: Dice): Numbering {
  if (form === 'random') return randomNumbers(dice);
  let last = startOf(form, dice);
  const step = form === 'gappy' || form === 'large' ? () => dice.between(1, 17) : () => 1;
  return {
    next: () => {
      last += step();
      return last;
    },
  };
}

function startOf(form: NumberForm, dice: Dice): number {
  if (form === 'from-high') return dice.between(10_000, 900_000);
  if (form === 'large') return 5_000_000_000 + dice.between(0, 1_000_000_000);
  return 0;
}

function randomNumbers(dice: Dice): Numbering {
  const taken = new Set<number>();
  const next = (): number => {
    const candidate = (dice.word() % (INT31 - 1)) + 1;
    if (taken.has(candidate)) return next();
    taken.add(candidate);
    return candidate;
  };
  return { next };
}

/** The place of a record in a list, given its identifier and its turn of creation (both unique). */
export function rankOf(order: ListOrder, id: number, turn: number): number {
  if (order === 'id-up') return id;
  if (order === 'id-down') return -id;
  if (order === 'oldest') return turn;
  if (order === 'newest') return -turn;
  return scatter(turn);
}
