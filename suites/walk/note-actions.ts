// What an actor of the random walk writes: each of it one request, with every outcome that the document names.
import {
  type Call,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  identifierOf,
  type OperationId,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { similarKeys } from '../shared/optional-headers.ts';
import type { Caller } from './caller.ts';
import { editOf, type Workspace } from './scripted-writes.ts';
import {
  makeCompany,
  makeCompanyOfLines,
  makeContact,
  makeContactOfLines,
  makeContactWith,
  misplacedDeletion,
  type NoteWorkspace,
  refusedActions,
  remarkable,
  type WriteAction,
} from './write-actions.ts';

/** One request that may be sent. */
export interface Option {
  readonly what: string;
  /** `caller`: with what is to stand beside. */
  readonly ask: (caller: Caller) => Promise<unknown>;
}

/** What may be repeated later. */
interface Done {
  readonly operation: OperationId;
  readonly caller: Caller;
  readonly call: Call;
}

/** So many notes it keeps at most. */
const notesMax = 6;

/** Room for so many companies and contacts in the whole walk. */
export interface Room {
  newcomers: number;
}

export class NoteActions {
  private readonly site: Workspace;
  private readonly workspace: NoteWorkspace;
  private readonly room: Room;
  private readonly notes: (number | string)[];
  /** What each of them says, as it was sent last. */
  private readonly texts = new Map<number | string, string>();
  private gone: number | string | undefined;
  private edits = 0;
  private readonly done: Done[] = [];

  constructor(site: Workspace, workspace: NoteWorkspace, room: Room) {
    this.site = site;
    this.workspace = workspace;
    this.room = room;
    this.notes = [workspace.note];
  }

  get company(): number | string {
    return this.workspace.company.id;
  }

  /** One that is there. */
  get note(): number | string {
    return this.workspace.random.shuffled(this.notes)[0] ?? this.workspace.note;
  }

  options(): readonly Option[] {
    return [
      ...(this.notes.length < notesMax ? this.creations() : []),
      this.does('an edit of a note', (workspace) => this.edit(workspace)),
      ...(this.notes.length > 1 ? [this.does('a deletion', (workspace) => this.delete(workspace))] : []),
      ...(this.gone === undefined ? [] : this.onGone(this.gone)),
      ...(this.done.length > 0 ? [{ what: 'a replay', ask: () => this.repeat() }] : []),
      this.does('an edit of the company', (workspace) => this.editCompany(workspace)),
      ...(this.room.newcomers > 0 ? this.settlings() : []),
      ...Object.entries(refusedActions).map(([what, step]) => this.does(what, step)),
    ];
  }

  /** Most contacts come to one company, so that some list is long. */
  private settlings(): readonly Option[] {
    const settles = (what: string, step: WriteAction) => this.does(what, (workspace) => this.settle(step(workspace)));
    const further = [
      settles('a contact without phones', makeContactWith(0)),
      settles('a contact with one phone', makeContactWith(1)),
    ];
    return [
      settles('a company', makeCompany),
      settles('a company: of several lines', makeCompanyOfLines),
      settles('a contact', makeContact),
      settles('a contact: of several lines', makeContactOfLines),
      ...(this.site.isShared ? further : []),
    ];
  }

  /** The text of one that is gone does not bring it back. */
  private creations(): readonly Option[] {
    const former = this.gone === undefined ? undefined : this.texts.get(this.gone);
    const used = this.done.findLast(({ operation }) => operation === createNote)?.call.key;
    const anew = (what: string, key: Pick<Call, 'key'> = {}) =>
      this.does(what, (workspace) => this.create(workspace, remarkable(workspace.random), key));
    return [
      anew('a note: a new one'),
      ...(typeof used === 'string' ? [anew('a note: under a similar key', { key: this.similar(used) })] : []),
      ...(former === undefined
        ? []
        : [this.does('a note: as one that is gone', (workspace) => this.create(workspace, former))]),
    ];
  }

  private similar(used: string): string {
    const { random } = this.workspace;
    return random.shuffled(similarKeys(used, random))[0] ?? used;
  }

  private does(what: string, step: WriteAction): Option {
    const { note } = this;
    return { what, ask: (caller) => step({ ...this.workspace, caller, note }) };
  }

  private onGone(gone: number | string): readonly Option[] {
    const path = { company_id: this.company, note_id: gone };
    const { random } = this.workspace;
    return [
      {
        what: 'an edit of nothing: gone',
        ask: ({ api, under }) => api.send(editNote, { ...under, path, body: { text: remarkable(random) } }),
      },
      {
        what: 'a deletion of nothing: gone',
        ask: ({ api, under }) => api.send(deleteNote, { ...under, path }),
      },
      {
        what: 'a deletion of nothing: at no company',
        ask: (caller) => misplacedDeletion({ ...this.workspace, caller, note: gone }),
      },
    ];
  }

  /** What is sent under a key may be repeated. */
  private async write({ caller }: NoteWorkspace, operation: OperationId, given: Call): Promise<Reply> {
    const call = { ...caller.under, ...given };
    const reply = await caller.api.send(operation, call);
    if (typeof call.key === 'string' && wasAccepted(reply)) this.done.push({ operation, caller, call });
    return reply;
  }

  private async create(workspace: NoteWorkspace, text: string, key: Pick<Call, 'key'> = {}): Promise<Reply> {
    const reply = await this.write(workspace, createNote, {
      path: { company_id: this.company },
      body: { text },
      ...key,
    });
    const note = identifierOf('note', dataOf(reply));
    if (wasAccepted(reply) && note !== undefined) {
      this.notes.push(note);
      this.texts.set(note, text);
    }
    return reply;
  }

  private async edit(workspace: NoteWorkspace): Promise<Reply> {
    const text = remarkable(workspace.random);
    const path = { company_id: this.company, note_id: workspace.note };
    const reply = await this.write(workspace, editNote, { path, body: { text } });
    if (wasAccepted(reply)) this.texts.set(workspace.note, text);
    return reply;
  }

  private async delete({ caller: { api, under }, note }: NoteWorkspace): Promise<Reply> {
    const reply = await api.send(deleteNote, { ...under, path: { company_id: this.company, note_id: note } });
    if (wasAccepted(reply)) {
      this.notes.splice(this.notes.indexOf(note), 1);
      this.gone = note;
    }
    return reply;
  }

  private editCompany({ caller: { api, under }, random }: NoteWorkspace): Promise<Reply> {
    this.edits += 1;
    const path = { company_id: this.company };
    return api.send('PATCH /companies/{company_id}', { ...under, path, ...editOf(this.site, random, this.edits) });
  }

  /** Once more, and then no more of it. */
  private async repeat(): Promise<Reply | undefined> {
    const { random } = this.workspace;
    const [again] = this.done.splice(random.int(0, this.done.length - 1), 1);
    return again?.caller.api.send(again.operation, again.call);
  }

  private async settle(made: Promise<Reply>): Promise<Reply> {
    const reply = await made;
    if (wasAccepted(reply)) this.room.newcomers -= 1;
    return reply;
  }
}
