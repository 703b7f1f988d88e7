// Every outcome of the writes on records, by callers in turn: what is answered, and what stays, the rules judge.
import {
  type Call,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  identifierOf,
  itemsOf,
  lagMsMax,
  listNotes,
  type OperationId,
  type Random,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { orLost } from '../shared/attempt.ts';
import { trickyRecord } from '../shared/company-record.ts';
import type { Caller } from './caller.ts';
import { fieldsOf, seenIn, sorts } from './sample-reads.ts';
import { type Kept, type NoteWorkspace, remarkable, type WriteAction, writeActions } from './write-actions.ts';

/** So many of the steps each caller does. */
const stepsOf = { quick: 0, standard: 8, thorough: 24 } as const;

const types = ['lender', 'sponsor'] as const;
type Read = readonly [operation: OperationId, call: Call];

/** What shows whether a write has left what it should, and what it has nothing to do with. */
const readsOf = (company: Kept, random: Random): readonly Read[] => {
  const path = { company_id: company.id };
  const query = { limit: random.int(2, 200) };
  const few = { limit: random.int(1, 3) };
  return random.shuffled<Read>([
    [listNotes, { path }],
    [listNotes, { path, query }],
    ['GET /companies/{company_id}', { path }],
    ['GET /companies', { query }],
    ['GET /contacts', { query: random.int(1, 2) === 1 ? query : few }],
    ['GET /companies', { query: { ...few, fields: random.pick(fieldsOf['GET /companies']) } }],
    ['GET /contacts', { query: { ...few, fields: random.pick(fieldsOf['GET /contacts']) } }],
    ['GET /contacts', { query: { sort: random.pick(sorts), ...few, offset: random.int(0, 1) } }],
    ['GET /companies', { query: { sort: random.pick(sorts), ...few, offset: random.int(0, 3) } }],
    ['GET /companies', { query: { limit: 200 } }],
    ['GET /api-keys', { query: { limit: 200 } }],
    ['GET /me/accounts', {}],
    ['GET /account/team', {}],
    ['GET /billing/summary', {}],
  ]);
};

/** Who writes, in which company; one that other cases use is edited with nothing but what it was made with. */
export interface Workspace {
  readonly caller: Caller;
  readonly company: Kept;
  readonly isShared?: true;
}

/** The type changes there and back again. */
export function editOf(
  { company: { sent }, isShared }: Workspace,
  random: Random,
  place: number,
): NoteWorkspace['edit'] {
  if (isShared) return { body: sent, exactly: true };
  const company_type = types[(types.indexOf(sent.company_type === 'sponsor' ? 'sponsor' : 'lender') + 1 + place) % 2];
  const linked = sent.org_id === undefined ? {} : { org_id: sent.org_id };
  return { body: { ...trickyRecord('edited', random), name: sent.name, company_type, ...linked } };
}

/** The company edited, where that changes it, and a note to start from; undefined where none can be made. `place`: of the site among others. */
export async function begin(
  site: Workspace,
  tools: Pick<Tools, 'make' | 'random'>,
  place: number,
): Promise<NoteWorkspace | undefined> {
  const { caller, company } = site;
  const { api, under } = caller;
  const path = { company_id: company.id };
  // By its name it shows itself as the one that was made, whichever way an account is chosen.
  await api.send('GET /companies/{company_id}', { ...under, path });
  const edit = editOf(site, tools.random, place);
  // As it is it was sent before.
  if (!site.isShared) await api.send('PATCH /companies/{company_id}', { ...under, path, ...edit });
  const creation: Call = { path, body: { text: remarkable(tools.random) }, key: tools.random.uuid() };
  const made = await api.send(createNote, { ...under, ...creation });
  const note = identifierOf('note', dataOf(made));
  return wasAccepted(made) && note !== undefined ? { ...tools, caller, company, edit, note, creation } : undefined;
}

async function act(workspace: NoteWorkspace, some: readonly WriteAction[]): Promise<void> {
  const { caller, company, random } = workspace;
  const reads = readsOf(company, random);
  let next: Read | undefined;
  for (const [place, one] of some.entries()) {
    await orLost(one(workspace));
    const [operation, call] = next ?? reads[place % reads.length] ?? ['GET /me', {}];
    const reply = await caller.api.send(operation, { ...caller.under, ...call });
    const { cursor } = seenIn(reply);
    // What a write has left the next page shows as well as a first one.
    next = next || cursor === undefined ? undefined : [operation, { ...call, query: { ...call.query, cursor } }];
  }
}

/** Deleted, and another one made with the text of the deleted, which does not bring that back. */
async function replaceNote({ caller: { api, under }, company, note, random }: NoteWorkspace): Promise<Reply> {
  const path = { company_id: company.id };
  const listed = itemsOf(await api.send(listNotes, { ...under, path, query: { limit: 200 } }));
  const former = listed.find((item) => identifierOf('note', item) === note)?.text;
  await api.send(deleteNote, { ...under, path: { ...path, note_id: note } });
  const text = typeof former === 'string' ? former : remarkable(random);
  return api.send(createNote, { ...under, path, body: { text } });
}

type ScriptTools = Pick<Tools, 'clock' | 'effort' | 'make' | 'random'>;

/** The steps are dealt in an order of the seed's, so that all are done by somebody; returns what each caller has begun. */
export async function scriptedWrites(
  sites: readonly Workspace[],
  { effort, ...tools }: ScriptTools,
  all: readonly WriteAction[] = writeActions,
): Promise<readonly NoteWorkspace[]> {
  const deck = tools.random.shuffled(all);
  const count = Math.min(stepsOf[effort], all.length);
  const workspaces: NoteWorkspace[] = [];
  for (const [place, site] of count === 0 ? [] : sites.entries()) {
    const workspace = await begin(site, tools, place);
    if (workspace === undefined) continue;
    workspaces.push(workspace);
    const dealt = Array.from({ length: count }, (_, turn) => deck[(place * count + turn) % deck.length]);
    await act(
      workspace,
      dealt.flatMap((one) => one ?? []),
    );
  }
  return workspaces;
}

/** When lists have caught up: creations are repeated, and the notes deleted and addressed once more. */
export async function scriptedDeletions(
  workspaces: readonly NoteWorkspace[],
  { clock }: Pick<Tools, 'clock'>,
): Promise<void> {
  const [first] = workspaces;
  if (first === undefined) return;
  // Right after a deletion a note is made, in a company that no other case uses.
  if (!first.edit.exactly) await orLost(replaceNote(first));
  await clock.sleep(lagMsMax + 1);
  // Keys outlast that, also one that comes right after another one.
  for (const { caller, creation } of workspaces.slice(-2))
    await orLost(caller.api.send(createNote, { ...caller.under, ...creation }));
  for (const [place, { caller, company, note, random }] of workspaces.entries()) {
    const { api, under } = caller;
    const path = { company_id: company.id };
    await api.send(listNotes, { ...under, path });
    const deletion: Call = { ...under, path: { ...path, note_id: note } };
    await orLost(api.send(deleteNote, deletion));
    if (place === 0) continue;
    await api.send(listNotes, { ...under, path });
    // Neither the one nor the other finds it again.
    const isEdited = place % 2 === 1;
    const body = { text: remarkable(random) };
    await orLost(isEdited ? api.send(editNote, { ...deletion, body }) : api.send(deleteNote, deletion));
  }
}

export const tryScriptedWrites = async (
  sites: readonly Workspace[],
  tools: ScriptTools,
  all: readonly WriteAction[] = writeActions,
): Promise<void> => scriptedDeletions(await scriptedWrites(sites, tools, all), tools);
