// Tables of mutants: what becomes of their rows, and which mistakes the compiler finds.
import { describe, expect, test } from 'vitest';
import { mutants, type Wrap } from './mutant.ts';

const wrap: Wrap = (honest) => honest;

describe('a table of mutants', () => {
  test('every row of a table becomes a mutant that breaks the requirement it is listed under', () => {
    const table = mutants({
      'notes-create-id': { 'notes-has-no-id': wrap },
      'notes-create-text': {
        'notes-has-no-text': { also: ['notes-edit-reply'], collateral: { 'notes-list-record': 'it compares' }, wrap },
      },
    });
    expect(table).toEqual([
      { id: 'notes-has-no-id', breaks: ['notes-create-id'], wrap },
      {
        id: 'notes-has-no-text',
        breaks: ['notes-create-text', 'notes-edit-reply'],
        collateral: { 'notes-list-record': 'it compares' },
        wrap,
      },
    ]);
  });

  test('the shared configuration of a table applies to every mutant whose row has none of its own', () => {
    const [shared, own] = [{ choices: { sortSupported: false } }, { choices: { sortSupported: true } }];
    const table = mutants(
      { 'notes-create-id': { 'notes-shared': wrap, 'notes-own': { reference: own, wrap } } },
      { reference: shared },
    );
    expect(table.map(({ reference }) => reference)).toEqual([shared, own]);
  });

  test('a table with an unknown requirement, or with an identifier under two requirements, does not compile', () => {
    // The compiler reports each of these comments unless the line below it is an error.
    // @ts-expect-error: the requirement is called notes-create-id.
    const mistyped = mutants({ 'notes-create-ids': { 'notes-mistyped': wrap } });
    const twice = mutants({
      // @ts-expect-error: both requirements have a mutant of this name.
      'notes-create-id': { 'notes-twice': wrap },
      // @ts-expect-error: the same.
      'notes-create-text': { 'notes-twice': wrap },
    });
    expect([...mistyped, ...twice].map(({ id }) => id)).toEqual(['notes-mistyped', 'notes-twice', 'notes-twice']);
  });
});
