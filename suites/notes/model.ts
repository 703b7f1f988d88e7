// The notes of one company as a state machine: what each step does to the target and to the model, and what it judges.
import type * as fc from 'fast-check';
import {
  eventually,
  expectRefused,
  expectStatus,
  expectSuccess,
  type JsonObject,
  Mismatch,
  type Tools,
} from '../../lib/index.ts';
import { integerId } from '../shared/identifiers.ts';
import { expectNoFurther, expectShown, type NoteList, type ShownNotes } from './note-list.ts';

export const duties = [
  'notes-create-once',
  'notes-edit-effect',
  'notes-create-refused-effect',
  'notes-edit-refused-effect',
  'notes-delete-effect',
  'notes-deleted-unknown',
  'notes-other-company',
  'notes-others-untouched',
] as const;
export type Duty = (typeof duties)[number];

/** What the target should hold. */
export interface Model {
  readonly notes: Map<number, string>;
  readonly deleted: number[];
}

/** The target, and what the steps found of it. */
export interface Real {
  readonly home: NoteList;
  /** Another company. */
  readonly away: NoteList;
  readonly clock: Tools['clock'];
  /** A text that no other note has. */
  text(): string;
  /** The duties judged so far. */
  readonly judged: Set<Duty>;
  /** The duty whose expectation ended the walk. */
  broken?: Duty;
}

/** Judges one duty; a Mismatch ends the walk, and the duty is remembered as the broken one. */
async function judge(real: Real, duty: Duty, expectation: () => void | Promise<void>): Promise<void> {
  try {
    await expectation();
    real.judged.add(duty);
  } catch (error) {
    if (error instanceof Mismatch) real.broken = duty;
    throw error;
  }
}

/** The list is what the model says: the touched note and the number of notes by the step's duty, the others by theirs. */
async function compare(model: Model, real: Real, duty: Duty, touched: number): Promise<void> {
  const text = model.notes.get(touched);
  const seen: ShownNotes[] = [];
  await judge(real, duty, () =>
    eventually(real.clock, async () => {
      const listing = await real.home.list();
      if (text !== undefined) expectShown(listing, touched, text, 'the note');
      expectNoFurther(listing, [...model.notes.keys()]);
      seen.push(listing);
    }),
  );
  await judge(real, 'notes-others-untouched', () => {
    for (const listing of seen)
      for (const [id, kept] of model.notes) if (id !== touched) expectShown(listing, id, kept, 'another note');
  });
}

const none = -1;
const chosen = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;
const noteOf = ({ notes }: Model, index: number): number => chosen([...notes.keys()], index);
const refused: readonly JsonObject[] = [{ text: ' \t\n' }, { text: '' }, {}];

/** What can be done; `index` chooses among the notes, the deleted ones, or the refused bodies. */
export interface StepKind {
  readonly name: string;
  readonly duty: Duty;
  possible(model: Model): boolean;
  run(model: Model, real: Real, index: number): Promise<void>;
}

const anyNote = ({ notes }: Model) => notes.size > 0;

export const creation: StepKind = {
  name: 'create',
  duty: 'notes-create-once',
  possible: () => true,
  async run(model, real) {
    const text = real.text();
    const reply = await real.home.create({ text });
    expectSuccess(reply);
    model.notes.set(integerId('note', reply), text);
    await compare(model, real, this.duty, integerId('note', reply));
  },
};

/** In an order in which each finds what it needs. */
export const stepKinds: readonly StepKind[] = [
  creation,
  {
    name: 'refused creation',
    duty: 'notes-create-refused-effect',
    possible: () => true,
    async run(model, real, index) {
      expectRefused(await real.home.create(chosen(refused, index)));
      await compare(model, real, this.duty, none);
    },
  },
  {
    name: 'edit',
    duty: 'notes-edit-effect',
    possible: anyNote,
    async run(model, real, index) {
      const [id, text] = [noteOf(model, index), real.text()];
      expectSuccess(await real.home.edit(id, { text }));
      model.notes.set(id, text);
      await compare(model, real, this.duty, id);
    },
  },
  {
    name: 'refused edit',
    duty: 'notes-edit-refused-effect',
    possible: anyNote,
    async run(model, real, index) {
      const id = noteOf(model, index);
      expectRefused(await real.home.edit(id, chosen(refused, index)));
      await compare(model, real, this.duty, id);
    },
  },
  {
    name: 'edit and deletion under another company',
    duty: 'notes-other-company',
    possible: anyNote,
    async run(model, real, index) {
      const id = noteOf(model, index);
      await judge(real, this.duty, async () => {
        expectStatus(await real.away.edit(id, { text: real.text() }), 404);
        expectStatus(await real.away.remove(id), 404);
      });
      await compare(model, real, this.duty, id);
    },
  },
  {
    name: 'delete',
    duty: 'notes-delete-effect',
    possible: anyNote,
    async run(model, real, index) {
      const id = noteOf(model, index);
      expectSuccess(await real.home.remove(id));
      model.notes.delete(id);
      model.deleted.push(id);
      await compare(model, real, this.duty, id);
    },
  },
  {
    name: 'edit and deletion of a deleted note',
    duty: 'notes-deleted-unknown',
    possible: ({ deleted }) => deleted.length > 0,
    async run(model, real, index) {
      const id = chosen(model.deleted, index);
      await judge(real, this.duty, async () => {
        expectStatus(await real.home.edit(id, { text: real.text() }), 404);
        expectStatus(await real.home.remove(id), 404);
      });
      await compare(model, real, this.duty, id);
    },
  },
];

export const command = (kind: StepKind, index: number): fc.AsyncCommand<Model, Real> => ({
  check: (model) => kind.possible(model),
  run: (model, real) => kind.run(model, real, index),
  toString: () => `${kind.name} (${index})`,
});
