// One write each on the records of a company, with every outcome that the document names: carried out, refused, not found.
import {
  type Call,
  type Company,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  identifierOf,
  isObject,
  type JsonObject,
  type OperationId,
  type Random,
  type Reply,
  type Tools,
  usualText,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { refusedCompanies, refusedContacts, refusedPhones } from '../shared/invalid-bodies.ts';
import { type RefusedText, refusedText } from '../shared/invalid-texts.ts';
import { longLabels } from '../shared/labels.ts';
import { perhapsAsItIs } from '../shared/optional-headers.ts';
import { wholeText } from '../shared/tricky-texts.ts';
import type { Caller } from './caller.ts';
import { newCompany, newContact, otherCompany, otherContact } from './record-generators.ts';

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
export interface NoteWorkspace extends Pick<Tools, 'make' | 'random'> {
  readonly caller: Caller;
  readonly company: Kept;
  /** An edit that the company takes, under the name by which it is recognised. */
  readonly edit: Pick<Call, 'exactly'> & { readonly body: JsonObject };
  readonly note: number | string;
  readonly creation: Call;
}
export type WriteAction = (workspace: NoteWorkspace) => Promise<Reply>;

/** Of nothing: far above whatever is there, and an identifier all the same. */
export const unknownId = (random: Random): number => random.int(2 ** 30 + 1, 2 ** 31 - 1);

const step =
  (operation: OperationId, call: (workspace: NoteWorkspace) => Call): WriteAction =>
  (workspace) =>
    workspace.caller.api.send(operation, { ...workspace.caller.under, ...call(workspace) });

const here = ({ company: { id } }: NoteWorkspace) => ({ company_id: id });
const nowhere = ({ random }: NoteWorkspace) => ({ company_id: unknownId(random) });
const onNote = (workspace: NoteWorkspace) => ({ ...here(workspace), note_id: workspace.note });
const onNothing = (workspace: NoteWorkspace) => ({ ...here(workspace), note_id: unknownId(workspace.random) });

/** All of the usual texts. */
const usualMax = 100;
/** Taken for something else as a whole, or for what stands in it; with several lines, or longer than many a column. */
export function remarkable(random: Random): string {
  const usual = `note ${usualText(random, usualMax)}`;
  const lot = random.int(1, 9);
  if (lot <= 3) return wholeText(random);
  if (lot === 4) return `note\n\tof several\r\nlines: ${usualText(random, 4)}`;
  return lot === 5 ? `${usual} / ${usual}` : usual;
}
const text = ({ random }: NoteWorkspace): JsonObject => ({ text: remarkable(random) });
const refusedNote = (on: RefusedText['on'], which: RegExp): WriteAction =>
  step(on === 'create' ? createNote : editNote, (workspace) => ({
    path: on === 'create' ? here(workspace) : onNote(workspace),
    body: refusedText(on, workspace.random, which),
  }));

const company = ({ make, random }: NoteWorkspace, change: JsonObject): Call => {
  const name = make.name('refused');
  const mark = 'name' in change ? { address: name } : {};
  const beside = otherCompany(name, random);
  const body = { name, company_type: random.pick(['lender', 'sponsor']), ...beside, ...mark, ...change };
  return { body, ...perhapsAsItIs(random) };
};
const contact = ({ company: { id }, make, random }: NoteWorkspace, change: JsonObject): Call => {
  const contact_type = random.pick(['lender_contact', 'sponsor']);
  const last_name = make.name('refused');
  const beside = random.int(1, 6) === 1 ? {} : { last_name, ...otherContact(last_name, random) };
  const body = { contact_type, company_id: id, ...beside, ...change };
  return { body, ...perhapsAsItIs(random) };
};

const repeatedEdit: WriteAction = async (workspace) => {
  const { caller, random } = workspace;
  const call = { ...caller.under, path: onNote(workspace), body: text(workspace), key: random.uuid() };
  await caller.api.send(editNote, call);
  return caller.api.send(editNote, call);
};

type NamedSteps = Readonly<Record<string, WriteAction>>;

/** What is missing has several forms. */
const lacking = {
  'a refused note: without a text': refusedNote('create', /missing/),
  'a refused edit: without a text': refusedNote('edit', /missing/),
} satisfies NamedSteps;

const empty = {
  'a refused note: empty': refusedNote('create', /empty/),
} satisfies NamedSteps;

export const ofTexts: readonly WriteAction[] = [
  ...Object.values(lacking),
  ...Object.values(lacking),
  ...Object.values(empty),
  step(createNote, ({ creation }) => creation),
];

/** Of the defects of phones, so many as steps, each drawn anew. */
const phonesTried = 4;

const made =
  (creationIn: (workspace: NoteWorkspace) => ReturnType<typeof newCompany>): WriteAction =>
  (workspace) => {
    const [operation, call] = creationIn(workspace);
    return workspace.caller.api.send(operation, { ...workspace.caller.under, ...call });
  };
/** One in three is of the organization of the company where it is made, if that has one. */
const linkOf = ({ company: { sent }, random }: NoteWorkspace): JsonObject =>
  sent.org_id === undefined || random.int(1, 3) > 1 ? {} : { org_id: sent.org_id };

/** What stays, because the interface takes none of it back. */
export const makeCompany = made((workspace) => newCompany(workspace, linkOf(workspace)));
export const makeContact = made((workspace) => newContact(workspace, workspace.company.id));
/** An address of several lines or columns: whether it is taken is open. */
const ofLines = ([operation, call]: ReturnType<typeof newCompany>, random: Random): ReturnType<typeof newCompany> => {
  const body = isObject(call.body) ? { ...call.body, address: random.pick(['first\nsecond', 'one\ttwo']) } : {};
  return [operation, { ...call, body, undocumented: true }];
};
export const makeContactOfLines = made((workspace) =>
  ofLines(newContact(workspace, workspace.company.id), workspace.random),
);
/** And read. */
export const makeCompanyOfLines: WriteAction = async (workspace) => {
  const { api, under } = workspace.caller;
  const reply = await made((one) => ofLines(newCompany(one), one.random))(workspace);
  const id = identifierOf('company', dataOf(reply));
  if (wasAccepted(reply) && id !== undefined)
    await api.send('GET /companies/{company_id}', { ...under, path: { company_id: id } });
  return reply;
};
export const makeContactWith = (phones: number): WriteAction =>
  made((workspace) => newContact(workspace, workspace.company.id, phones));

const nameless = {
  'a refused edit of the company': step('PATCH /companies/{company_id}', (workspace) => ({
    path: here(workspace),
    body: { ...workspace.edit.body, name: '' },
  })),
} satisfies NamedSteps;
const refusedCompany = (change: JsonObject): WriteAction =>
  step('POST /companies', (workspace) => company(workspace, change));
const refusedContact = (change: JsonObject): WriteAction =>
  step('POST /contacts', (workspace) => contact(workspace, change));
const refusedPhone: WriteAction = (workspace) =>
  refusedContact(workspace.random.shuffled(refusedPhones(workspace.random))[0]?.change ?? {})(workspace);

const ofRecords: readonly WriteAction[] = [
  ...Object.values(nameless),
  ...refusedCompanies.map(({ change }) => refusedCompany(change)),
  ...refusedContacts.map(({ change }) => refusedContact(change)),
  ...Array.from({ length: phonesTried }, () => refusedPhone),
  makeContact,
];

const ofKeys = {
  'a refused key: without a label': step('POST /api-keys', () => ({ body: {} })),
  'a refused key: with a label that is no text': step('POST /api-keys', ({ random }) => ({
    body: { label: random.pick<unknown>([7, true, null, [], {}]) },
  })),
  'a refused key: with an empty label': step('POST /api-keys', () => ({ body: { label: '' } })),
  'a refused key: with too long a label': step('POST /api-keys', ({ make, random }) => ({
    body: { label: random.shuffled(longLabels)[0]?.(make.name('key')) },
  })),
} satisfies NamedSteps;

const refusedTextsOf = {
  'a refused note: blank': refusedNote('create', /blank/),
  'a refused edit: empty': refusedNote('edit', /empty/),
  'a refused edit: blank': refusedNote('edit', /blank/),
} satisfies NamedSteps;

const ofNothing = {
  'a note at no company': step(createNote, (workspace) => ({ path: nowhere(workspace), body: text(workspace) })),
  'an edit of nothing: no note': step(editNote, (workspace) => ({ path: onNothing(workspace), body: text(workspace) })),
  'an edit of nothing: at no company': step(editNote, (workspace) => ({
    path: { ...nowhere(workspace), note_id: workspace.note },
    body: text(workspace),
  })),
  'a deletion of nothing: no note': step(deleteNote, (workspace) => ({ path: onNothing(workspace) })),
} satisfies NamedSteps;

/** Of the note that the workspace has, whose identifier is then in the path of another company. */
export const misplacedDeletion = step(deleteNote, (workspace) => ({
  path: { ...nowhere(workspace), note_id: workspace.note },
}));

const editOfNone = {
  'an edit of no company': step('PATCH /companies/{company_id}', (workspace) => ({
    path: nowhere(workspace),
    ...workspace.edit,
  })),
} satisfies NamedSteps;

/** What a run asks seldom. */
export const rareActions: readonly WriteAction[] = [
  repeatedEdit,
  makeCompany,
  makeContact,
  ...Object.values(refusedTextsOf),
  ...Object.values(ofNothing),
  misplacedDeletion,
  ...Object.values(editOfNone),
];

export const writeActions: readonly WriteAction[] = [
  ...ofTexts,
  ...ofRecords,
  ...Object.values(ofKeys),
  ...rareActions,
];

type Defects = readonly { readonly id: string; readonly change: JsonObject }[];

/** One step for each requirement, with any of its defects. */
function byDuty(kind: string, all: Defects, refused: (change: JsonObject) => WriteAction): NamedSteps {
  const any =
    (id: string): WriteAction =>
    (workspace) => {
      const [first] = workspace.random.shuffled(all.filter((one) => one.id === id));
      return refused(first?.change ?? {})(workspace);
    };
  return Object.fromEntries(all.map(({ id }) => [`${kind}: ${id}`, any(id)]));
}

/** With any phones, or none. */
const typeless: Defects[number] = { id: 'contacts-create-missing-type', change: { contact_type: undefined } };

/** Each one request that is refused, by its kind, and behind a colon what is wrong with it. */
export const refusedActions: NamedSteps = {
  ...lacking,
  ...empty,
  ...nameless,
  ...byDuty('a refused company', refusedCompanies, refusedCompany),
  ...byDuty('a refused contact', [...refusedContacts, typeless], refusedContact),
  'a refused contact: with a phone': refusedPhone,
  ...ofKeys,
  ...refusedTextsOf,
  ...ofNothing,
  ...editOfNone,
};
