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
import { longLabels } from '../api-keys/label.ts';
import { refusedCompanies } from '../companies/refusals.ts';
import { refusedPhones } from '../contacts/phone-refusals.ts';
import { refusedContacts } from '../contacts/refusals.ts';
import { type RefusedText, refusedTexts } from '../notes/refusals.ts';
import { wholeText } from './hostile.ts';
import type { Caller } from './life.ts';
import { newCompany, newContact } from './newcomers.ts';
import { createNote, deleteNote, editNote } from './note-operations.ts';
import { perhapsAsItIs } from './surroundings.ts';

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

/** What may stand beside a defect. */
const cityOf = (random: Random): JsonObject => (random.int(1, 2) === 1 ? {} : { city: wholeText(random) });

const company = ({ make, random }: Bench, change: JsonObject): Call => {
  const name = make.name('refused');
  const mark = 'name' in change ? { address: name } : {};
  const body = { name, company_type: random.pick(['lender', 'sponsor']), ...mark, ...cityOf(random), ...change };
  return { body, ...perhapsAsItIs(random) };
};
const contact = ({ company: { id }, make, random }: Bench, change: JsonObject): Call => {
  const contact_type = random.pick(['lender_contact', 'sponsor']);
  const body = { contact_type, company_id: id, last_name: make.name('refused'), ...cityOf(random), ...change };
  return { body, ...perhapsAsItIs(random) };
};

const repeatedEdit: Step = async (bench) => {
  const { caller, random } = bench;
  const call = { ...caller.under, path: onNote(bench), body: text(bench), key: random.uuid() };
  await caller.api.send(editNote, call);
  return caller.api.send(editNote, call);
};

/** What is missing has several forms. */
const lacking: readonly Step[] = [
  step(createNote, (bench) => ({ path: here(bench), body: refusedText('create', /missing/, bench.random) })),
  step(editNote, (bench) => ({ path: onNote(bench), body: refusedText('edit', /missing/, bench.random) })),
];

const ofTexts: readonly Step[] = [
  ...lacking,
  ...lacking,
  step(createNote, (bench) => ({ path: here(bench), body: refusedText('create', /empty/, bench.random) })),
  step(createNote, ({ creation }) => creation),
];

/** Of the defects of phones, so many as steps, each drawn anew. */
const phonesTried = 4;

const made =
  (creationIn: (bench: Bench) => ReturnType<typeof newCompany>): Step =>
  (bench) => {
    const [operation, call] = creationIn(bench);
    return bench.caller.api.send(operation, { ...bench.caller.under, ...call });
  };
/** What stays, because the interface takes none of it back. */
export const makeCompany = made(newCompany);
export const makeContact = made((bench) => newContact(bench, bench.company.id));

const ofRecords: readonly Step[] = [
  step('PATCH /companies/{company_id}', (bench) => ({ path: here(bench), body: { ...bench.edit.body, name: '' } })),
  ...refusedCompanies.map(({ change }) => step('POST /companies', (bench) => company(bench, change))),
  ...refusedContacts.map(({ change }) => step('POST /contacts', (bench) => contact(bench, change))),
  ...Array.from({ length: phonesTried }, () =>
    step('POST /contacts', (bench) =>
      contact(bench, bench.random.shuffled(refusedPhones(bench.random))[0]?.change ?? {}),
    ),
  ),
  makeContact,
];

const ofKeys: readonly Step[] = [
  step('POST /api-keys', () => ({ body: {} })),
  step('POST /api-keys', ({ make, random }) => ({
    body: { label: random.shuffled(longLabels)[0]?.(make.name('key')) },
  })),
];

/** What a run asks seldom. */
export const seldom: readonly Step[] = [
  repeatedEdit,
  makeCompany,
  makeContact,
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

export const steps: readonly Step[] = [...ofTexts, ...ofRecords, ...ofKeys, ...seldom];
