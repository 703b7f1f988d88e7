// One write each on the records of a company, with every outcome that the document names: carried out, refused, not found.
import {
  type Call,
  type Company,
  isObject,
  type JsonObject,
  type OperationId,
  type Random,
  type Reply,
  type Tools,
  usualText,
} from '../../lib/index.ts';
import { type RefusedText, refusedTexts } from '../notes/refusals.ts';
import { wholeText } from './hostile.ts';
import type { Caller } from './life.ts';
import { createNote, deleteNote, editNote } from './note-operations.ts';

/** A company as it was sent. */
export interface Kept {
  readonly id: number | string;
  readonly sent: JsonObject;
}

/** With every member that it was made with: an edit with fewer may take the others away. */
export function wholly({ id, sent, reply }: Company): Kept {
  const body: unknown = JSON.parse(reply.request.body ?? '{}');
  return { id, sent: isObject(body) ? body : sent };
}

/** Who writes, and a note of the company with the call that made it. */
export interface Bench extends Pick<Tools, 'make' | 'random'> {
  readonly caller: Caller;
  readonly company: Kept;
  /** An edit that the company takes, under the name by which it is recognised. */
  readonly edit: Pick<Call, 'exactly'> & { readonly body: JsonObject };
  readonly note: number | string;
  readonly creation: Call;
}
export type Step = (bench: Bench) => Promise<Reply>;

/** Of nothing: far above whatever is there, and an identifier all the same. */
const unknownId = (random: Random): number => random.int(2 ** 30 + 1, 2 ** 31 - 1);

const step =
  (operation: OperationId, call: (bench: Bench) => Call): Step =>
  (bench) =>
    bench.caller.api.send(operation, { ...bench.caller.under, ...call(bench) });

const here = ({ company: { id } }: Bench) => ({ company_id: id });
const nowhere = ({ random }: Bench) => ({ company_id: unknownId(random) });
const onNote = (bench: Bench) => ({ ...here(bench), note_id: bench.note });
const onNothing = (bench: Bench) => ({ ...here(bench), note_id: unknownId(bench.random) });

/** All of the usual texts. */
const usualMax = 100;
/** Taken for something else as a whole, or for what stands in it. */
export const remarkable = (random: Random): string =>
  random.int(1, 3) === 1 ? wholeText(random) : `note ${usualText(random, usualMax)}`;
const text = ({ random }: Bench): JsonObject => ({ text: remarkable(random) });
const refusedText = (on: RefusedText['on'], which: RegExp, random: Random): JsonObject =>
  random.shuffled(refusedTexts(random)).find((row) => row.on === on && which.test(row.id))?.body ?? {};

const contact = ({ company: { id }, make }: Bench): JsonObject => ({
  company_id: id,
  last_name: make.name('refused'),
});
const phones = (random: Random): readonly JsonObject[] =>
  random.shuffled([{ raw: random.pick(['call reception', '---', 'n/a', '5']) }, { raw: '(212) 555-0170' }]);

const repeatedEdit: Step = async (bench) => {
  const { caller, random } = bench;
  const call = { ...caller.under, path: onNote(bench), body: text(bench), key: random.uuid() };
  await caller.api.send(editNote, call);
  return caller.api.send(editNote, call);
};

const ofTexts: readonly Step[] = [
  step(createNote, (bench) => ({ path: here(bench), body: refusedText('create', /missing|empty/, bench.random) })),
  step(editNote, (bench) => ({ path: onNote(bench), body: refusedText('edit', /missing/, bench.random) })),
  step(createNote, ({ creation }) => creation),
];

const ofRecords: readonly Step[] = [
  step('PATCH /companies/{company_id}', (bench) => ({ path: here(bench), body: { ...bench.edit.body, name: '' } })),
  step('POST /companies', ({ make, random }) => ({ body: { name: make.name('refused'), city: wholeText(random) } })),
  step('POST /companies', ({ make, random }) => ({
    body: { company_type: random.pick(['lender', 'sponsor']), city: make.name('refused') },
  })),
  step('POST /contacts', (bench) => ({ body: { ...contact(bench), first_name: wholeText(bench.random) } })),
  step('POST /contacts', (bench) => ({
    body: { ...contact(bench), contact_type: 'lender_contact', phones: phones(bench.random) },
  })),
];

/** What a run asks seldom. */
export const seldom: readonly Step[] = [
  repeatedEdit,
  step(createNote, (bench) => ({ path: here(bench), body: refusedText('create', /blank/, bench.random) })),
  ...[/empty/, /blank/].map((which) =>
    step(editNote, (bench) => ({ path: onNote(bench), body: refusedText('edit', which, bench.random) })),
  ),
  step(createNote, (bench) => ({ path: nowhere(bench), body: text(bench) })),
  step(editNote, (bench) => ({ path: onNothing(bench), body: text(bench) })),
  step(editNote, (bench) => ({ path: { ...nowhere(bench), note_id: bench.note }, body: text(bench) })),
  step(deleteNote, (bench) => ({ path: onNothing(bench) })),
  step(deleteNote, (bench) => ({ path: { ...nowhere(bench), note_id: bench.note } })),
  step('PATCH /companies/{company_id}', (bench) => ({ path: nowhere(bench), ...bench.edit })),
];

export const steps: readonly Step[] = [...ofTexts, ...ofRecords, ...seldom];
