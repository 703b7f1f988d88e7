// Write actions: a workspace that knows its notes, and a table of writes for every outcome that the document names.
import {
  at,
  type Call,
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
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { refusedCompanies, refusedContacts, refusedPhones } from '../shared/invalid-bodies.ts';
import { refusedText } from '../shared/invalid-texts.ts';
import { longLabels } from '../shared/keys.ts';
import { perhapsAsItIs, similarKey } from '../shared/optional-headers.ts';
import type { Defect } from '../shared/refusals.ts';
import { trickyRecord } from '../shared/sent-records.ts';
import { type Caller, unknownId } from './reads.ts';
import {
  type Destination,
  newCompany,
  newContact,
  otherCompany,
  otherContact,
  randomNoteText,
} from './record-generators.ts';

const types = ['lender', 'sponsor'] as const;

/** A company that an actor writes to, and what is known of its notes. */
export class Workspace {
  readonly destination: Destination;
  /** The call that creates the first note. */
  readonly creation: Call;
  /** The text last sent for each note, by identifier. */
  readonly notes = new Map<number | string, string>();
  deleted: { readonly id: number | string; readonly text: string | undefined } | undefined;
  private readonly usedKeys = new Set<string>();
  /** Calls accepted with an Idempotency-Key and not yet repeated. */
  private repeatable: { readonly operation: OperationId; readonly call: Call }[] = [];
  private edits: number;

  constructor(destination: Destination) {
    const { company, random } = destination;
    this.destination = destination;
    this.edits = random.int(0, 1);
    this.creation = { path: { company_id: company.id }, body: { text: randomNoteText(random) }, key: random.uuid() };
  }

  /** The identifier of a random existing note. */
  get note(): number | string {
    return this.destination.random.shuffled([...this.notes.keys()])[0] ?? '';
  }

  /** A valid edit; it keeps the name by which the company is recognised, and alternates company_type. */
  edit(): JsonObject {
    const { company, isShared, random } = this.destination;
    const { name, org_id } = company.sent;
    if (isShared) return company.sent;
    this.edits += 1;
    const company_type = types[this.edits % types.length];
    const linked = org_id === undefined ? {} : { org_id };
    return { ...trickyRecord('edited', random), name, company_type, ...linked };
  }

  lastKey = (operation: OperationId): string =>
    String(this.repeatable.findLast((one) => one.operation === operation)?.call.key ?? '');

  /** A call to repeat; each is repeated once only. */
  again(operation: OperationId): Call {
    const [one] = this.destination.random.shuffled(this.repeatable.filter((each) => each.operation === operation));
    this.repeatable = this.repeatable.filter((each) => each !== one);
    return one?.call ?? this.creation;
  }

  /** Sends the action and records its effect. */
  async send([, operation, callOf]: WriteAction, { api, under }: Caller): Promise<Reply> {
    const call = { ...under, ...callOf(this, this.destination.random) };
    const reply = await api.send(operation, call);
    if (wasAccepted(reply)) this.learn(operation, call, reply);
    return reply;
  }

  private learn(operation: OperationId, call: Call, reply: Reply): void {
    const { path = {}, key } = call;
    if (operation === 'POST /companies' || operation === 'POST /contacts') this.destination.budget.records -= 1;
    const id = operation === createNote ? identifierOf('note', dataOf(reply)) : path.note_id;
    const isReplay = typeof key === 'string' && this.usedKeys.has(key);
    if (id === undefined || path.company_id !== this.destination.company.id || isReplay) return;
    const former = this.notes.get(id);
    if (operation !== createNote && former === undefined) return;
    this.notes.set(id, String(at(call.body, 'text')));
    if (operation === deleteNote && this.notes.delete(id)) this.deleted = { id, text: former };
    else if (typeof key === 'string') {
      this.usedKeys.add(key);
      this.repeatable.push({ operation, call });
    }
  }
}

/** Reads and edits the company and creates a first note; undefined if no note can be created. */
export async function begin(destination: Destination, caller: Caller): Promise<Workspace | undefined> {
  const { api, under } = caller;
  const workspace = new Workspace(destination);
  const path = { company_id: destination.company.id };
  // The name in the reply shows that this is the company that was made, whichever account is active.
  await api.send('GET /companies/{company_id}', { ...under, path });
  // An edit of a shared company would change nothing.
  if (!destination.isShared)
    await api.send('PATCH /companies/{company_id}', { ...under, path, body: workspace.edit() });
  await workspace.send(['a note', createNote, ({ creation }) => creation], caller);
  return workspace.notes.size > 0 ? workspace : undefined;
}

/** One write: a label (kind and outcome, variant after a colon), the operation, its call, and when it is possible. */
export type WriteAction = readonly [
  what: string,
  operation: OperationId,
  call: (workspace: Workspace, random: Random) => Call,
  when?: (workspace: Workspace) => boolean,
];

export const isPossible = ([, , , when]: WriteAction, workspace: Workspace): boolean => when?.(workspace) ?? true;

type Path = NonNullable<Call['path']>;
type PathOf = (workspace: Workspace, random: Random) => Path;
const atCompany: PathOf = ({ destination: { company } }) => ({ company_id: company.id });
const atUnknownCompany: PathOf = (_, random) => ({ company_id: unknownId(random) });
const onNote: PathOf = (one, random) => ({ ...atCompany(one, random), note_id: one.note });
const onUnknownNote: PathOf = (one, random) => ({ ...atCompany(one, random), note_id: unknownId(random) });
const onDeletedNote: PathOf = (one, random) => ({ ...atCompany(one, random), note_id: one.deleted?.id ?? '' });
const atOtherCompany: PathOf = (one, random) => ({ ...onNote(one, random), ...atUnknownCompany(one, random) });

/** Maximum number of notes kept. */
const notesMax = 3;
const hasPlace = ({ notes }: Workspace): boolean => notes.size < notesMax;
const hasDeleted = ({ deleted }: Workspace): boolean => deleted !== undefined;
const textOfDeleted = ({ deleted }: Workspace): string => deleted?.text ?? '0';
const hasKey = (one: Workspace): boolean => one.lastKey(createNote) !== '';
const mayCreateRecord = ({ destination: { budget } }: Workspace): boolean => budget.records > 0;
/** Most contacts are made in one company, so that some list is long. */
const mayCreateMany = (one: Workspace): boolean => mayCreateRecord(one) && one.destination.isShared === true;

/** A row that creates, edits or deletes a note. */
const note = (
  what: string,
  operation: OperationId,
  pathOf: PathOf,
  when = (_: Workspace) => true,
  textOf = (_: Workspace, random: Random) => randomNoteText(random),
): WriteAction => [
  what,
  operation,
  (one, random) => ({
    path: pathOf(one, random),
    ...(operation === deleteNote ? {} : { body: { text: textOf(one, random) } }),
  }),
  when,
];

/** A row that edits the company. */
const edit = (what: string, pathOf: PathOf, change: JsonObject = {}): WriteAction => [
  what,
  'PATCH /companies/{company_id}',
  (one, random) => {
    const body = { ...one.edit(), ...change };
    return { path: pathOf(one, random), body, ...(one.destination.isShared ? { exactly: true } : {}) };
  },
];

/** An address with a line break or a tab: whether it is accepted is open. */
const ofLines = (call: Call, random: Random): Call => {
  const body = isObject(call.body) ? { ...call.body, address: random.pick(['first\nsecond', 'one\ttwo']) } : {};
  return { ...call, body, undocumented: true };
};
/** One in three has the org_id of the workspace's company, if that has one. */
const company = ({ destination }: Workspace, random: Random): Call => {
  const { org_id } = destination.company.sent;
  return newCompany(destination, org_id === undefined || random.int(1, 3) > 1 ? {} : { org_id });
};
const contact = ({ destination }: Workspace, phones?: number): Call =>
  newContact(destination, destination.company.id, phones);

/** Writes that are not meant to be refused. */
const carriedOut: readonly WriteAction[] = [
  note('a note: a new one', createNote, atCompany, hasPlace),
  [
    'a note: under a similar key',
    createNote,
    ({ creation, lastKey }, random) => ({ ...creation, key: similarKey(lastKey(createNote), random) }),
    (one) => hasPlace(one) && hasKey(one),
  ],
  // The creation must not bring the deleted note back.
  note('a note: as one that is gone', createNote, atCompany, (one) => hasPlace(one) && hasDeleted(one), textOfDeleted),
  note('an edit of a note', editNote, onNote),
  note('a deletion', deleteNote, onNote, ({ notes }) => notes.size > 1),
  ['a replay: of a creation', createNote, (one) => one.again(createNote), hasKey],
  ['a replay: of an edit', editNote, (one) => one.again(editNote), (one) => one.lastKey(editNote) !== ''],
  ['a company', 'POST /companies', company, mayCreateRecord],
  ['a contact', 'POST /contacts', (one) => contact(one), mayCreateRecord],
  edit('an edit of the company', atCompany),
  [
    'a company: of several lines',
    'POST /companies',
    (one, random) => ofLines(company(one, random), random),
    mayCreateRecord,
  ],
  ['a contact: of several lines', 'POST /contacts', (one, random) => ofLines(contact(one), random), mayCreateRecord],
  ['a contact without phones', 'POST /contacts', (one) => contact(one, 0), mayCreateMany],
  ['a contact with one phone', 'POST /contacts', (one) => contact(one, 1), mayCreateMany],
];

const refusedNote = (what: string, on: 'create' | 'edit', which: RegExp): WriteAction => [
  what,
  on === 'create' ? createNote : editNote,
  (one, random) => ({
    path: (on === 'create' ? atCompany : onNote)(one, random),
    body: refusedText(on, random, which),
  }),
];

/** Writes refused for their text, or because the company or note does not exist. */
const refusedNotes: readonly WriteAction[] = [
  refusedNote('a refused note: without a text', 'create', /missing/),
  refusedNote('a refused note: empty', 'create', /empty/),
  refusedNote('a refused note: blank', 'create', /blank/),
  refusedNote('a refused edit: without a text', 'edit', /missing/),
  refusedNote('a refused edit: empty', 'edit', /empty/),
  refusedNote('a refused edit: blank', 'edit', /blank/),
  note('a note at no company', createNote, atUnknownCompany),
  note('an edit of nothing: no note', editNote, onUnknownNote),
  note('an edit of nothing: at no company', editNote, atOtherCompany),
  note('an edit of nothing: gone', editNote, onDeletedNote, hasDeleted),
  note('a deletion of nothing: no note', deleteNote, onUnknownNote),
  note('a deletion of nothing: at no company', deleteNote, atOtherCompany),
  note('a deletion of nothing: gone', deleteNote, onDeletedNote, hasDeleted),
  edit('an edit of no company', atUnknownCompany),
];

type Change = Defect['change'];

function refusedCompany({ make }: Destination, change: Change, random: Random): Call {
  const name = make.name('refused');
  const mark = 'name' in change ? { address: name } : {};
  const body = { name, company_type: random.pick(types), ...otherCompany(name, random), ...mark, ...change };
  return { body, ...perhapsAsItIs(random) };
}

function refusedContact({ company, make }: Destination, change: Change, random: Random): Call {
  const last_name = make.name('refused');
  const optional = random.int(1, 6) === 1 ? {} : { last_name, ...otherContact(last_name, random) };
  const needed = { contact_type: random.pick(['lender_contact', 'sponsor']), company_id: company.id };
  return { body: { ...needed, ...optional, ...change }, ...perhapsAsItIs(random) };
}

/** One action for each requirement, with a random one of its defects. */
const refusedFor = (
  what: string,
  operation: OperationId,
  defects: readonly Defect[],
  callWith: (destination: Destination, change: Change, random: Random) => Call,
): readonly WriteAction[] =>
  [...new Set(defects.map(({ id }) => id))].map((id) => {
    const drawn = (random: Random) => random.shuffled(defects.filter((one) => one.id === id))[0]?.change ?? {};
    return [`${what}: ${id}`, operation, ({ destination }, random) => callWith(destination, drawn(random), random)];
  });

const refusedKey = (what: string, labelOf: (random: Random, destination: Destination) => unknown): WriteAction => [
  `a refused key: ${what}`,
  'POST /api-keys',
  // JSON has no undefined: such a member is not sent.
  ({ destination }, random) => ({ body: { label: labelOf(random, destination) } }),
];

/** Its phones are random. */
const withoutType: Defect = { id: 'contacts-create-missing-type', change: { contact_type: undefined } };

/** Writes refused for a missing or invalid member. */
const refusedRecords: readonly WriteAction[] = [
  edit('a refused edit of the company', atCompany, { name: '' }),
  ...refusedFor('a refused company', 'POST /companies', refusedCompanies, refusedCompany),
  ...refusedFor('a refused contact', 'POST /contacts', [...refusedContacts, withoutType], refusedContact),
  [
    'a refused contact: with a phone',
    'POST /contacts',
    ({ destination }, random) =>
      refusedContact(destination, random.shuffled(refusedPhones(random))[0]?.change ?? {}, random),
  ],
  refusedKey('without a label', () => undefined),
  refusedKey('with a label that is no text', (random) => random.pick<unknown>([7, true, null, [], {}])),
  refusedKey('with an empty label', () => ''),
  refusedKey('with too long a label', (random, { make }) => random.shuffled(longLabels)[0]?.(make.name('key'))),
];

export const writeActions: readonly WriteAction[] = [...carriedOut, ...refusedNotes, ...refusedRecords];
