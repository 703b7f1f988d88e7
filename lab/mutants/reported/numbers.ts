// Notes whose numbers are given again: the number of the last one is free once that is deleted.

import type { Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, instead, lastSegment } from '../wrappers/mutator.ts';
import { createNote as create, editNote as edit, notes as list, deleteNote as remove } from '../wrappers/operations.ts';
import { noting, onRecords } from '../wrappers/records.ts';

const nobody = 999_999_999;

/** The numbers that clients see of the notes that were made since the first one. */
class Numbers {
  private readonly shown = new Map<number, number>();
  private readonly living = new Map<number, number>();
  private below: number | undefined;

  /** The number that a client sees; a new note gets the one after the highest. */
  of(own: number, isNew: boolean): number {
    const known = this.shown.get(own);
    if (known !== undefined || !isNew) return known ?? own;
    this.below ??= own - 1;
    const next = Math.max(this.below, ...this.living.keys()) + 1;
    this.shown.set(own, next);
    this.living.set(next, own);
    return next;
  }

  /** The note behind a number that a client sends. */
  behind(number: number): number {
    return this.living.get(number) ?? (number > (this.below ?? Number.POSITIVE_INFINITY) ? nobody : number);
  }

  free(number: number): void {
    this.living.delete(number);
  }
}

export const reusingNumbers: Wrap = (honest, clock) => {
  const numbers = new Numbers();
  const numbered = onRecords([list, create, edit], (note: Json, seen) => ({
    ...note,
    id: numbers.of(Number(note.id), seen.operation === create),
  }))(honest, clock);
  const addressed = instead([edit, remove], async (seen, inner) => {
    const number = lastSegment(seen);
    if (!/^\d+$/.test(number)) return undefined;
    const url = seen.url.href.replace(/\/\d+$/, `/${numbers.behind(Number(number))}`);
    return inner(await altered(seen, { url }));
  })(numbered, clock);
  return noting(remove, (_, seen) => numbers.free(Number(lastSegment(seen))))(addressed, clock);
};
