// Valid calls, writes that must be refused and their targets, the defects of creations, and reads of what they must not
// change.
import {
  type Api,
  type Call,
  type Company,
  type Contact,
  createNote,
  deleteNote,
  editNote,
  ifPossible,
  type JsonObject,
  type JudgedId,
  listNotes,
  type MadeKey,
  type Note,
  type OperationId,
  operations,
  type Reply,
  type Tools,
  traverse,
} from '../../lib/index.ts';
import { plainReads } from './groups.ts';
import { findMarked } from './search.ts';
import { unlessMismatch } from './unless.ts';

/** One defect of an otherwise valid creation. */
export interface Defect<Id extends JudgedId = JudgedId> {
  readonly id: Id;
  /** Overrides members of the valid body; undefined removes a member. */
  readonly change: Readonly<Record<string, unknown>>;
}

export const defects = <Id extends JudgedId>(...rows: readonly Defect<Id>[]): readonly Defect<Id>[] => rows;

/** A thorough run tries each twice, because the first must leave nothing behind. */
export const twiceIfThorough = <T extends { readonly id: JudgedId }>(
  all: readonly T[],
  tools: Pick<Tools, 'effort' | 'random'>,
): readonly T[] => (tools.effort === 'thorough' ? [...all, ...tools.random.shuffled(all)] : sampledIfQuick(all, tools));

/** A quick run takes one defect per requirement, drawn by the seed. */
export function sampledIfQuick<T extends { readonly id: JudgedId }>(
  all: readonly T[],
  { effort, random }: Pick<Tools, 'effort' | 'random'>,
): readonly T[] {
  if (effort !== 'quick') return all;
  return [...new Set(all.map(({ id }) => id))].map((id) => {
    const [first, ...more] = all.filter((one) => one.id === id);
    return random.pick([first as T, ...more]);
  });
}

/** Sends one creation in each way, with the types in turn, in random order; a quick run sends one. */
export async function tryTypes(
  types: readonly string[],
  { random, make, effort }: Pick<Tools, 'random' | 'make' | 'effort'>,
  ways: readonly ((mark: string, type: string) => Promise<Reply>)[],
): Promise<void> {
  const order = random.shuffled(ways).slice(0, effort === 'quick' ? 1 : undefined);
  const drawn = random.shuffled(types);
  for (const [place, send] of order.entries()) await send(make.name('refused'), drawn[place % drawn.length] ?? '');
}

/** Pages may be short or empty. */
const pagesMax = 20;

export type Write = readonly [OperationId, Call];
type Calls = Partial<Record<OperationId, Call>>;
type CompanyType = 'lender' | 'sponsor';

/** The records named by the writes with bad credentials. */
export interface Targets {
  readonly company: Company;
  readonly contact: Contact;
  readonly note: Note;
  /** Absent where keys cannot be created. */
  readonly key?: MadeKey;
}

/** `known`: an existing contact to look for; a new one is needed where repeats of its creation are to be refused. */
export async function makeTargets({ make }: Pick<Tools, 'make'>, api: Api, known?: Contact): Promise<Targets> {
  // An upper-case name must be kept as it is.
  const company = await make.company(api, { name: make.name('company').toUpperCase() });
  const contact = known ?? (await make.contact(api, company.id));
  return { company, contact, note: await make.note(api, company.id) };
}

interface Identified {
  readonly id: number | string | undefined;
  readonly sent?: JsonObject;
}

/** What is known of an account. */
interface Known {
  readonly company?: Identified | undefined;
  readonly note?: Identified | undefined;
  readonly key?: Identified | undefined;
  readonly slug?: string | undefined;
}

/** A valid call of each operation for which that suffices; new records would carry the mark. */
function validCalls({ company, note, key, slug }: Known, mark: string, type: CompanyType): Calls {
  const created = { name: mark, company_type: type };
  const path = company?.id === undefined ? undefined : { company_id: company.id };
  const onNote = note && { ...path, note_id: note.id ?? '' };
  const contact_type = type === 'lender' ? 'lender_contact' : type;
  return {
    'POST /companies': { body: created },
    ...(path && {
      'GET /companies/{company_id}': { path },
      'PATCH /companies/{company_id}': { path, body: { ...(company?.sent ?? created), name: mark } },
      'POST /contacts': { body: { contact_type, ...path, last_name: mark } },
      [listNotes]: { path },
      [createNote]: { path, body: { text: mark } },
    }),
    ...(onNote && { [editNote]: { path: onNote, body: { text: mark } }, [deleteNote]: { path: onNote } }),
    'POST /api-keys': { body: { label: mark } },
    ...(key && { 'DELETE /api-keys/{key_id}': { path: { key_id: key.id ?? '' } } }),
    ...(slug === undefined ? {} : { 'PATCH /me/active-account': { body: { slug } } }),
  };
}

/** Undefined if what is known does not suffice. */
export const validCall = (operation: OperationId, known: Known, mark: string): Call | undefined =>
  validCalls(known, mark, 'lender')[operation] ?? (plainReads.includes(operation) ? {} : undefined);

/** Each write operation on the records. */
export const writesOn = (known: Omit<Targets, 'contact'>, mark: string, type: CompanyType = 'lender') =>
  (Object.entries(validCalls(known, mark, type)) as Write[]).filter(
    ([operation]) => operations[operation].rate === 'write',
  );

/** Reads the records and lists that refused writes could have changed. */
export async function readTargets(
  own: Pick<Tools, 'api' | 'clock'>,
  { company, contact, key }: Targets,
): Promise<void> {
  const { api } = own;
  const path = { company_id: company.id };
  await api.send('GET /companies/{company_id}', { path });
  await unlessMismatch(traverse(api, { operation: listNotes, path, mode: 'cursor', pagesMax }));
  if (key) await api.as(key.credential).send('GET /companies', { query: { limit: 1 } });
  await unlessMismatch(traverse(api, { operation: 'GET /api-keys', limit: 100, mode: 'offset', pagesMax }));
  const [name, lastName] = [String(company.sent.name), String(contact.sent.last_name)];
  await ifPossible(findMarked(own, 'GET /companies', name, name));
  await ifPossible(findMarked(own, 'GET /contacts', lastName, lastName));
}
