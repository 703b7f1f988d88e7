// How records are shown: what all of them share.
import type { Choices } from '../choices.ts';
import { writeTime } from '../clock.ts';
import { alphabetical } from '../print.ts';
import type { Row } from '../records.ts';

export function idPart(style: Choices['companyIdName'], noun: string, id: number): Row {
  if (style === 'id') return { id };
  if (style === 'noun_id') return { [`${noun}_id`]: id };
  if (style === 'both') return { id, [`${noun}_id`]: id };
  return { ref: { id, type: noun } };
}

/** The names under which a record shows its identifier. */
export function idNames(style: Choices['companyIdName'], noun: string): readonly string[] {
  if (style === 'id') return ['id'];
  if (style === 'noun_id') return [`${noun}_id`];
  return style === 'both' ? ['id', `${noun}_id`] : ['ref'];
}

export function timesPart(choices: Choices, created: number, updated: number): Row {
  const form = choices.recordTimeForm;
  return { created_at: writeTime(created, form), updated_at: writeTime(updated, form) };
}

/** Puts the members of a record in the drawn order. */
export function arrange(row: Row, choices: Choices): Row {
  if (choices.recordKeyOrder === 'natural') return row;
  if (choices.recordKeyOrder === 'alphabetical') return alphabetical(row);
  return Object.fromEntries(Object.entries(row).reverse());
}

export function fieldPart(given: Row, names: readonly string[], absent: 'null' | 'absent'): Row {
  const row: Row = {};
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) row[name] = value;
    else if (absent === 'null') row[name] = null;
  }
  return row;
}
