// Writes that must be refused: what they aim at, the defects of creations, and what must not stay of them.
import {
  type Api,
  type Call,
  type Company,
  type Contact,
  dataOf,
  eventually,
  expectEqual,
  expectSuccess,
  expectThat,
  type JudgedId,
  type MadeKey,
  type Note,
  type OperationId,
  type Reply,
  type Tools,
  traverse,
} from '../../lib/index.ts';
import { orNothing } from './attempt.ts';
import { expectFields } from './fields.ts';
import { carries, expectNone, findWithinBound, type RecordList } from './search.ts';

/** One defect of an otherwise valid creation. */
export interface Defect<Id extends JudgedId = JudgedId> {
  readonly id: Id;
  /** Laid over the valid body; a member that is undefined is left out. */
  readonly change: Readonly<Record<string, unknown>>;
  /** The statuses that refuse it: 400 and 422 unless given. */
  readonly statuses?: readonly number[];
}

export const defects = <Id extends JudgedId>(...rows: readonly Defect<Id>[]): readonly Defect<Id>[] => rows;

/** What is refused leaves nothing behind: a thorough run tries each twice. */
export const rounds = <T extends { readonly id: JudgedId }>(
  all: readonly T[],
  tools: Pick<Tools, 'effort' | 'random'>,
): readonly T[] => (tools.effort === 'thorough' ? [...all, ...tools.random.shuffled(all)] : taken(all, tools));

/** A quick run takes one of each requirement, drawn by its seed. */
export function taken<T extends { readonly id: JudgedId }>(
  all: readonly T[],
  { effort, random }: Pick<Tools, 'effort' | 'random'>,
): readonly T[] {
  if (effort !== 'quick') return all;
  return [...new Set(all.map(({ id }) => id))].map((id) => {
    const [first, ...more] = all.filter((one) => one.id === id);
    return random.pick([first as T, ...more]);
  });
}

export interface Tried<Id extends JudgedId = JudgedId> {
  readonly defect: Defect<Id>;
  /** The text by which the record is recognised, should it exist after all. */
  readonly mark: string;
  readonly reply: Reply;
}

/** One creation of each type, and each in another of the ways, in orders of the seed's; a quick run tries one. */
export async function tryTypes(
  types: readonly string[],
  { random, make, effort }: Pick<Tools, 'random' | 'make' | 'effort'>,
  ways: readonly ((mark: string, type: string) => Promise<Reply>)[],
): Promise<readonly Pick<Tried, 'mark' | 'reply'>[]> {
  const order = random.shuffled(ways).slice(0, effort === 'quick' ? 1 : undefined);
  const drawn = random.shuffled(types);
  const tried: Pick<Tried, 'mark' | 'reply'>[] = [];
  for (const [place, send] of order.entries()) {
    const mark = make.name('refused');
    tried.push({ mark, reply: await send(mark, drawn[place % drawn.length] ?? '') });
  }
  return tried;
}

/** Refused with whatever status of 4xx. */
export function expectClientError(reply: Reply, what: string): void {
  expectThat(reply.status >= 400 && reply.status < 500, `${what} should be refused with 4xx`, {
    expected: '4xx',
    actual: reply.status,
    replies: reply,
  });
}

/** Pages may be short and empty. */
const pagesMax = 20;

export type Write = readonly [OperationId, Call];

/** What the writes with bad credentials aim at. */
export interface Targets {
  readonly company: Company;
  readonly contact: Contact;
  readonly note: Note;
  /** Absent where keys cannot be made. */
  readonly key?: MadeKey;
}

/** `contact`: what is looked for in the list; of its own where repeats of its creation are to be refused. */
export async function makeTargets(
  { make, clock }: Pick<Tools, 'make' | 'clock'>,
  api: Api,
  known?: Contact,
): Promise<Targets> {
  // A name in capitals is a name as it is.
  const company = await make.company(api, { name: make.name('company').toUpperCase() });
  const contact = known ?? (await make.contact(api, company.id));
  const note = await make.note(api, company.id);
  const targets = { company, contact, note };
  await eventually(clock, () => expectNotes(api, targets));
  return targets;
}

/** Every write on records once; what they would create carries the mark. */
export function writesOn({ company, note, key }: Targets, mark: string): readonly Write[] {
  const onCompany = { company_id: company.id };
  const onNote = { ...onCompany, note_id: note.id };
  return [
    ['POST /companies', { body: { name: mark, company_type: 'lender' } }],
    ['PATCH /companies/{company_id}', { path: onCompany, body: { ...company.sent, name: mark } }],
    ['POST /contacts', { body: { contact_type: 'lender_contact', ...onCompany, last_name: mark } }],
    ['POST /companies/{company_id}/notes', { path: onCompany, body: { text: mark } }],
    ['PATCH /companies/{company_id}/notes/{note_id}', { path: onNote, body: { text: mark } }],
    ['DELETE /companies/{company_id}/notes/{note_id}', { path: onNote }],
    ['POST /api-keys', { body: { label: mark } }],
    ...(key === undefined ? [] : [['DELETE /api-keys/{key_id}', { path: { key_id: key.id } }] as const]),
  ];
}

async function expectNotes(api: Api, { company, note }: Targets): Promise<void> {
  const path = { company_id: company.id };
  const list = { operation: 'GET /companies/{company_id}/notes', path, mode: 'cursor', pagesMax } as const;
  const { items, replies } = await traverse(api, list);
  const held = items.map(({ text }) => text);
  expectEqual(held, [note.text], 'the notes of the company', replies);
}

export async function expectUntouched(
  { clock }: Pick<Tools, 'clock'>,
  api: Api,
  targets: Targets,
  mark: string,
): Promise<void> {
  const { company, contact, key } = targets;
  const read = await api.send('GET /companies/{company_id}', { path: { company_id: company.id } });
  expectFields(dataOf(read), company.sent, Object.keys(company.sent), 'the company', read);
  // Of two replicas of the target one may not know the note yet.
  await eventually(clock, () => expectNotes(api, targets));
  if (key) expectSuccess(await api.as(key.credential).send('GET /companies', { query: { limit: 1 } }));
  // Whether it is a list at all is judged elsewhere.
  const keys = await orNothing(traverse(api, { operation: 'GET /api-keys', limit: 100, mode: 'offset', pagesMax }));
  expectThat(!keys?.items.some((one) => carries(one, mark)), 'no key should have been made', {
    expected: `no key labelled "${mark}"`,
    actual: 'one',
    replies: keys?.replies ?? [],
  });
  await expectUnlisted({ api, clock }, 'GET /companies', String(company.sent.name), mark);
  await expectUnlisted({ api, clock }, 'GET /contacts', String(contact.sent.last_name), mark);
}

/** Looked for around the record that was made shortly before; what lies beyond the bound of a huge list stays unseen. */
async function expectUnlisted(
  own: Pick<Tools, 'api' | 'clock'>,
  list: RecordList,
  name: string,
  mark: string,
): Promise<void> {
  const found = await findWithinBound(own, list, name, name);
  if (found) expectNone(found, mark, 'what was refused');
}
