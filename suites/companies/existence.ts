// Companies and notes addressed by their identifiers, whoever asks: those of the run are there, and what nobody made is not.
import {
  accountHeaderOf,
  bodyOf,
  callerOf,
  companyPathOf,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  grouped,
  idempotencyKeyOf,
  identifierOf,
  isAmidDeletions,
  isLimit,
  isOutage,
  itemsOf,
  lagMsMax,
  listNotes,
  listOf,
  type OperationId,
  pathOf,
  queryOf,
  type Reply,
  type Rule,
  type StoredRecord,
  saysJson,
  type World,
  wasAccepted,
  wasThere,
  windowOf,
} from '../../lib/index.ts';
import { ceiling } from '../shared/unknown.ts';
import { type Kind, Numbers } from './numbers.ts';

export const existenceIds = [
  'companies-edit-unknown',
  'companies-read-unknown',
  'envelope-valid-served',
  'notes-delete-lasting',
  'notes-deleted-unknown',
  'notes-other-company',
  'notes-others-untouched',
  'notes-unknown-company',
  'notes-unknown-note',
  'pagination-list-empty',
] as const;
type Id = (typeof existenceIds)[number];

export const existence: Rule<Id> = (world, { expect }) => {
  const known = new Known(world);
  for (const reply of world.replies) {
    const isKnown = reply.operation === editCompany ? known.isEdit(reply) : known.isPlain(reply);
    const finding = isKnown ? findingOf(reply, known) : undefined;
    if (finding) expect(finding.id, reply, finding.holds, finding.message, { ...finding, actual: reply.status });
  }
};

/** Undefined where nothing can be said. */
type Finding =
  | {
      readonly id: Id;
      readonly holds: boolean;
      readonly message: string;
      readonly expected: unknown;
      readonly because: readonly Reply[];
    }
  | undefined;

const readCompany: OperationId = 'GET /companies/{company_id}';
const editCompany: OperationId = 'PATCH /companies/{company_id}';
const addressed: readonly (OperationId | undefined)[] = [readCompany, listNotes, createNote, editNote, deleteNote];
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function findingOf(reply: Reply, known: Known): Finding {
  const { world } = known;
  const path = companyPathOf(reply);
  const company = world.at(path);
  // Whoever is shown a company is shown its notes: nothing takes a company away.
  if (reply.operation === listNotes && known.wasShown(reply)) return served(reply, known.listId(reply));
  if (company === undefined) return findingOfUnknown(reply, known);
  if (reply.operation === editCompany || company.created.id > reply.after || !world.sees(reply)) return undefined;
  if (!reply.operation?.endsWith('{note_id}')) return served(reply, known.listId(reply));
  return world.isKnown(`${company.path}/notes`, reply) ? findingOfNote(reply, known) : undefined;
}

/** One may be a record of somebody else's, which is shown or withheld; two that no list has shown are none. */
function findingOfUnknown(reply: Reply, known: Known): Finding {
  const path = companyPathOf(reply);
  const id = unknownId(reply);
  if (known.isUnseen(path, reply)) return known.mayBeThere(reply) ? undefined : absent(reply, id);
  const name = path.split('/').at(-1) ?? '';
  const isOpen = wasAccepted(reply) && !isAnother(reply, name);
  return isUnreadable(name) && !isOpen ? refused(reply, id) : undefined;
}

const refused = (reply: Reply, id: Id): Finding => ({
  id,
  holds: reply.status >= 400 && !isOutage(reply),
  message: 'what cannot be an identifier should be refused',
  expected: '4xx',
  because: [],
});

/** Too large for some targets, or not positive: refused in whatever way. */
const isUnreadable = (id: string): boolean => /^-?\d+$/.test(id) && (Number(id) <= 0 || Number(id) >= ceiling);
/** It shows a record with an identifier other than the one that it was asked for. */
const isAnother = (reply: Reply, id: string): boolean =>
  reply.operation === readCompany && identifierOf('company', dataOf(reply)) !== Number(id);

function findingOfNote(reply: Reply, known: Known): Finding {
  const { world } = known;
  const path = decodeURIComponent(pathOf(reply));
  const note = world.at(path);
  if (note === undefined) {
    if (world.records.has(path)) return undefined;
    if (known.isUnseen(path, reply)) return missing(reply, 'notes-unknown-note');
    if (isUnreadable(path.split('/').at(-1) ?? '')) return refused(reply, 'notes-unknown-note');
    return world.elsewhere(reply).length > 0 ? missing(reply, 'notes-other-company') : undefined;
  }
  const deleted = note.exists.certain(windowOf(reply), reply);
  if (deleted?.value === false) {
    // Found again only after a while, it was not deleted for good.
    const isLate = wasAccepted(reply) && reply.sentAt > deleted.by.receivedAt + lagMsMax;
    const id = isLate ? 'notes-delete-lasting' : 'notes-deleted-unknown';
    const isOpen = reply.status !== 404 && known.isShownSince(deleted.by, note, reply);
    return isOpen ? undefined : missing(reply, id, deleted.by);
  }
  const id = known.isTaken(note, reply) ? 'notes-others-untouched' : 'envelope-valid-served';
  return wasThere(reply, world) ? served(reply, id) : undefined;
}

/** Refused with what neither rights nor limits explain. */
const isRefusal = ({ status }: Reply): boolean =>
  status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status);

const served = (reply: Reply, id: Id): Finding => ({
  id,
  holds: !isRefusal(reply) && !isOutage(reply),
  message: 'a valid request should be carried out',
  expected: '2xx',
  because: [],
});

function missing(reply: Reply, id: Id, ...because: readonly Reply[]): Finding {
  const { status } = reply;
  return status === 403 ? undefined : absent(reply, id, ...because);
}

function absent(reply: Reply, id: Id, ...because: readonly Reply[]): Finding {
  const { status } = reply;
  if ([401, 429].includes(status) || (status >= 500 && !isOutage(reply))) return undefined;
  return { id, holds: status === 404, message: 'what is not there should not be found', expected: 404, because };
}

const unknownId = ({ operation }: Reply): Id => {
  if (operation === readCompany) return 'companies-read-unknown';
  return operation === editCompany ? 'companies-edit-unknown' : 'notes-unknown-company';
};

const isFound = (reply: Reply): boolean => wasAccepted(reply) || reply.status === 403;
const askedBy = (reply: Reply): string => `${reply.operation} ${callerOf(reply)}`;

/** Headers whose forms are requirements of their own. */
const labels = ['x-origin-app', 'content-type'] as const;
const labelled = ({ request: { headers } }: Reply): readonly string[] =>
  labels.map((name) => `${name}: ${headers[name]}`);
/** Whatever the order of the members. */
const editIn = (reply: Reply): string => JSON.stringify(Object.entries(bodyOf(reply) ?? {}).sort());

/** What requests of the run had in common with those that were accepted, and what was shown to whom. */
class Known {
  readonly world: World;
  /** Callers who may read companies on their account, and what they see: all keys of a user may do the same. */
  private readonly readers: ReadonlySet<string | undefined>;
  /** Headers under which something was accepted. */
  private readonly accepted: ReadonlySet<string>;
  /** Bodies with which a company was edited; what else an edit may hold is not shown. */
  private readonly edits: ReadonlySet<string>;
  /** Texts that a note took, and of which none is blank: such may be taken against the rules. */
  private readonly texts: ReadonlySet<unknown>;
  /** Companies that a view was shown by their identifiers. */
  private readonly shown: ReadonlySet<string>;
  /** Lists that showed notes, by their path. */
  private readonly lists = new Map<string, Reply[]>();
  private readonly numbers: Readonly<Record<Kind, Numbers>>;
  /** Replies of each operation that may be about a company, to whoever had it carried out once. */
  private readonly found: ReadonlyMap<unknown, readonly Reply[]>;

  constructor(world: World) {
    this.world = world;
    const accepted = world.replies.filter(wasAccepted);
    const of = (operation: OperationId): readonly Reply[] => accepted.filter((one) => one.operation === operation);
    const readers = of('GET /companies');
    this.readers = new Set([...readers.map(callerOf), ...readers.map(world.callers.viewOf)].filter(Boolean));
    const texts = [createNote, editNote].flatMap(of).map((one) => String(bodyOf(one)?.text));
    this.texts = new Set(texts.filter((text) => text.trim() !== ''));
    this.accepted = new Set(accepted.flatMap(labelled));
    this.edits = new Set(of(editCompany).map(editIn));
    this.shown = new Set(of(readCompany).map((one) => this.placeOf(one)));
    for (const one of of(listNotes))
      if (itemsOf(one).length > 0) this.lists.set(pathOf(one), [...(this.lists.get(pathOf(one)) ?? []), one]);
    this.numbers = { company: new Numbers('company', accepted), note: new Numbers('note', accepted) };
    const allowed = new Set(accepted.map(askedBy));
    const found = world.replies.filter((one) => isFound(one) && allowed.has(askedBy(one)));
    this.found = grouped(found, ({ operation }) => operation);
  }

  /** Nothing in it that the document does not describe: a text that is plainly one, a limit within its bounds. */
  isPlain(reply: Reply): boolean {
    const { operation, request, undocumented, mayReplay } = reply;
    const key = idempotencyKeyOf(reply);
    if (!addressed.includes(operation) || undocumented || mayReplay || (key && !uuid.test(key))) return false;
    if (!this.isKnownCaller(reply)) return false;
    const query = [...queryOf(reply)];
    if (!query.every(([name, value]) => name === 'limit' && isLimit(value))) return false;
    if (request.method === 'GET' || request.method === 'DELETE') return request.body === undefined;
    const { text, ...more } = bodyOf(reply) ?? {};
    const isPlainText = typeof text === 'string' && /^[!-~][^\p{Cc}]{0,900}$/u.test(text) && text === text.trim();
    return saysJson(reply) && Object.keys(more).length === 0 && (isPlainText || this.texts.has(text));
  }

  /** An edit that a company took, whichever it is sent to. */
  isEdit(reply: Reply): boolean {
    const { undocumented, mayReplay } = reply;
    return !undocumented && !mayReplay && this.isKnownCaller(reply) && this.edits.has(editIn(reply));
  }

  /** Shown to nobody, and such as the target can read; of a company, which others make, too, above all shown before. */
  isUnseen(path: string, asked: Reply): boolean {
    const id = path.split('/').at(-1) ?? '';
    return /^\d+$/.test(id) && this.numbers[path.includes('/notes/') ? 'note' : 'company'].isUnseen(Number(id), asked);
  }

  /** Found or withheld, and nothing says the same of another company that nobody has seen. */
  mayBeThere(reply: Reply): boolean {
    const all = this.found.get(reply.operation) ?? [];
    const isOfNote = reply.operation?.endsWith('{note_id}') === true && this.isUnseen(pathOf(reply), reply);
    if (!all.includes(reply) || isOfNote) return isFound(reply);
    const own = companyPathOf(reply);
    return !all.some((one) => companyPathOf(one) !== own && this.isUnseen(companyPathOf(one), one));
  }

  /** The sender was shown the company, which is not known to be somebody else's. */
  wasShown(reply: Reply): boolean {
    const { callers } = this.world;
    const owner = this.world.at(companyPathOf(reply))?.owner;
    return this.shown.has(this.placeOf(reply)) && (owner === undefined || owner === callers.ownerOf(reply.credential));
  }

  /** A list without a single note is a requirement of its own. */
  listId(reply: Reply): Id {
    const list = pathOf(reply);
    const isLeft = ({ exists, created }: StoredRecord): boolean =>
      created.id <= reply.after && exists.possible(windowOf(reply)).some(({ value }) => value);
    const hasNotes = this.world.at(companyPathOf(reply)) ? this.world.notesIn(list).some(isLeft) : this.lists.has(list);
    return reply.operation === listNotes && !hasNotes ? 'pagination-list-empty' : 'envelope-valid-served';
  }

  /** What a deletion has left in the list was not deleted: that is judged where it is listed. */
  isShownSince(deleted: Reply, note: StoredRecord, { after }: Reply): boolean {
    return this.listsOf(note).some((one) => one.after >= deleted.id && one.id <= after);
  }

  /** Not found, and in no list since another note of its company was deleted. */
  isTaken(note: StoredRecord, { status, after }: Reply): boolean {
    const shown = this.listsOf(note).at(-1)?.id ?? -1;
    return status === 404 && isAmidDeletions(note, shown, after, this.world);
  }

  /** Those that show it. */
  private listsOf({ path, id }: StoredRecord): readonly Reply[] {
    const lists = this.lists.get(listOf(path)) ?? [];
    return lists.filter((one) => itemsOf(one).some((item) => identifierOf('note', item) === id));
  }

  private placeOf = (reply: Reply): string => `${this.world.callers.viewOf(reply)} ${companyPathOf(reply)}`;

  /** What a key may name beside itself is open. */
  private isEqualReader = (reply: Reply): boolean =>
    accountHeaderOf(reply) === undefined && this.readers.has(this.world.callers.viewOf(reply));

  private isKnownCaller = (reply: Reply): boolean =>
    (this.readers.has(callerOf(reply)) || this.isEqualReader(reply)) &&
    labelled(reply).every((one) => this.accepted.has(one));
}
