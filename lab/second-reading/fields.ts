// The fields parameter: which members of a record are returned.
import type { Row } from './records.ts';
import { refuse } from './refusal.ts';
import type { Nameable } from './views/deals.ts';
import type { Visit } from './visit.ts';

export type Picker = (row: Row) => Row;

export const everything: Picker = (row) => row;

export function pickerFor(visit: Visit, text: string | undefined, nameable: Nameable): Picker {
  if (text === undefined) return everything;
  const { choices } = visit;
  const parts = text.split(',');
  const names = choices.fieldsBlanks === 'trimmed' ? parts.map((part) => part.trim()) : parts;
  const wanted = names.filter((name) => name !== '');
  if (choices.fieldsUnknown !== 'ignored') {
    const stranger = wanted.find((name) => !nameable.all.has(name));
    if (stranger !== undefined) {
      refuse(choices.fieldsUnknown, 'bad_parameter', `fields names ${stranger}, which is not known.`, 'fields');
    }
  }
  const kept = choices.fieldsId === 'kept' ? [...nameable.ids, ...wanted] : wanted;
  return choices.fieldsOrder === 'of-request' ? inRequestOrder(kept) : inRecordOrder(new Set(kept));
}

function inRequestOrder(names: readonly string[]): Picker {
  return (row) => {
    const picked: Row = {};
    for (const name of names) if (row[name] !== undefined) picked[name] = row[name];
    return picked;
  };
}

function inRecordOrder(names: ReadonlySet<string>): Picker {
  return (row) => {
    const picked: Row = {};
    for (const name of Object.keys(row)) if (names.has(name)) picked[name] = row[name];
    return picked;
  };
}
