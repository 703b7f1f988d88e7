// Rules for companies and notes in paths, for every caller: those of the run exist, and unknown ones get 404.
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
  isBare,
  isLimit,
  isOutage,
  itemsOf,
  type JudgedId,
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
  saysNothing,
  type World,
  wasAccepted,
  wasThere,
  windowOf,
} from '../../lib/index.ts';
import { ceiling } from '../shared/unknown.ts';
import { unseenBy } from './numbers.ts';

export const existence: Rule = (world, { expect }) => {
  const known = new Known(world);
  for (const reply of world.replies) {
    const isKnown = known.isPlain(reply) || known.isEdit(reply);
    const finding = isKnown ? findingOf(reply, known) : findingOfContact(reply, world);
    if (finding) expect(finding.id, reply, finding.holds, finding.message, { ...finding, actual: reply.status });
  }
};

interface Finding {
  readonly id: JudgedId;
  readonly holds: boolean;
  readonly message: string;
  readonly expected: unknown;
  readonly because?: readonly Reply[];
}

const readCompany: OperationId = 'GET /companies/{company_id}';
const editCompany: OperationId = 'PATCH /companies/{company_id}';
const addressed: readonly (OperationId | undefined)[] = [readCompany, listNotes, createNote, editNote, deleteNote];
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Undefined where nothing can be judged. */
function findingOf(reply: Reply, known: Known): Finding | undefined {
  const { world } = known;
  const path = companyPathOf(reply);
  const company = world.at(path);
  // A caller that was shown a company may read its notes: no operation removes a company.
  if (reply.operation === listNotes && known.wasShown(reply)) return served(reply, known.listId(reply));
  const isEdit = reply.operation === editCompany;
  if (company === undefined) return isEdit && !known.isKnownEdit(reply) ? undefined : findingOfUnknown(reply, known);
  if (company.created.id > reply.after || !world.sees(reply)) return undefined;
  if (isEdit) return present(reply, company, world);
  if (!reply.operation?.endsWith('{note_id}')) return served(reply, known.listId(reply));
  return world.isKnown(`${company.path}/notes`, reply) ? findingOfNote(reply, known) : undefined;
}

/** One unknown company may be another user's, shown or withheld; a second one that no list showed is not. */
function findingOfUnknown(reply: Reply, known: Known): Finding | undefined {
  const path = companyPathOf(reply);
  const id = unknownId(reply);
  if (known.isUnseen(path, reply)) return known.mayBeThere(reply) ? undefined : absent(reply, id);
  const name = path.split('/').at(-1) ?? '';
  const isOpen = wasAccepted(reply) && !isAnother(reply, name);
  return isUnreadable(name) && !isOpen ? refused(reply, id) : undefined;
}

const refused = (reply: Reply, id: JudgedId): Finding => ({
  id,
  holds: reply.status >= 400 && !isOutage(reply),
  message: 'what cannot be an identifier should be refused',
  expected: '4xx',
});

/** Too large for some targets, or not positive: any refusal is allowed. */
const isUnreadable = (id: string): boolean => /^-?\d+$/.test(id) && (Number(id) <= 0 || Number(id) >= ceiling);
/** The reply shows a record with another identifier than the requested one. */
const isAnother = (reply: Reply, id: string): boolean =>
  reply.operation === readCompany && identifierOf('company', dataOf(reply)) !== Number(id);

function findingOfNote(reply: Reply, known: Known): Finding | undefined {
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
    // If it is found again only later, the deletion did not last.
    const isLate = wasAccepted(reply) && reply.sentAt > deleted.by.receivedAt + lagMsMax;
    const id = isLate ? 'notes-delete-lasting' : 'notes-deleted-unknown';
    const isOpen = reply.status !== 404 && known.isShownSince(deleted.by, note, reply);
    return isOpen ? undefined : missing(reply, id, deleted.by);
  }
  const id = known.isRemovedByOther(note, reply) ? 'notes-others-untouched' : 'envelope-valid-served';
  return wasThere(reply, world) ? served(reply, id) : undefined;
}

/** A refusal that neither permissions nor limits explain. */
const isRefusal = ({ status }: Reply): boolean =>
  status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status);

const served = (reply: Reply, id: JudgedId): Finding => ({
  id,
  holds: !isRefusal(reply) && !isOutage(reply),
  message: 'a valid request should be carried out',
  expected: '2xx',
});

/** A contact at a company that its sender has made, and sees. */
function findingOfContact(reply: Reply, world: World): Finding | undefined {
  const { operation, undocumented, mayReplay } = reply;
  if (operation !== 'POST /contacts' || undocumented || mayReplay || !saysJson(reply)) return undefined;
  const path = pathOf(reply).replace(/contacts$/, `companies/${bodyOf(reply)?.company_id}`);
  const company = world.at(path);
  const isThere = company && company.created.id <= reply.after && world.sees(reply, path);
  return isThere ? present(reply, company, world) : undefined;
}

/** A write may be refused for its body or for want of a permission, but not as one at no company. */
function present(reply: Reply, { owner }: StoredRecord, { callers }: World): Finding | undefined {
  const holds = wasAccepted(reply);
  if (callers.ownerOf(reply.credential) !== owner || !(holds || reply.status === 404)) return undefined;
  const message = 'a company should be found by who made it';
  return { id: 'envelope-valid-served', holds, message, expected: 'any status but 404' };
}

const missing = (reply: Reply, id: JudgedId, ...because: readonly Reply[]): Finding | undefined =>
  reply.status === 403 ? undefined : absent(reply, id, ...because);

function absent(reply: Reply, id: JudgedId, ...because: readonly Reply[]): Finding | undefined {
  const holds = reply.status === 404;
  const finding = { id, holds, message: 'what is not there should not be found', expected: 404, because };
  return saysNothing(reply) ? undefined : finding;
}

const unknownId = ({ operation }: Reply): JudgedId => {
  if (operation === readCompany) return 'companies-read-unknown';
  return operation === editCompany ? 'companies-edit-unknown' : 'notes-unknown-company';
};

const isFound = (reply: Reply): boolean => wasAccepted(reply) || reply.status === 403;
const askedBy = (reply: Reply): string => `${reply.operation} ${callerOf(reply)}`;

/** Headers whose forms other requirements judge. */
const labels = ['x-origin-app', 'content-type'] as const;
const labelled = ({ request: { headers } }: Reply): readonly string[] =>
  labels.map((name) => `${name}: ${headers[name]}`);
/** In any order of members. */
const editIn = (reply: Reply): string => JSON.stringify(Object.entries(bodyOf(reply) ?? {}).sort());

/** A plain request that names nothing got 400: there is no active account. */
const lacksAccount = (reply: Reply): boolean =>
  reply.status === 400 && reply.request.method === 'GET' && isBare(reply) && !reply.operation?.includes('{');

/** The callers, headers and bodies that the target accepted, and which records it showed to whom. */
class Known {
  readonly world: World;
  /** Callers that may read companies, and their views: all keys of a user have the same permissions. */
  private readonly readers: ReadonlySet<string | undefined>;
  /** Headers of accepted requests. */
  private readonly accepted: ReadonlySet<string>;
  /** Bodies of accepted company edits; the document does not show others. */
  private readonly edits: ReadonlySet<string>;
  /** Accepted note texts that are not blank: a target may wrongly accept blank ones. */
  private readonly texts: ReadonlySet<unknown>;
  /** Pairs of a view and a company that it was shown by identifier. */
  private readonly shown: ReadonlySet<string>;
  /** Lists that showed notes, by path. */
  private readonly lists: ReadonlyMap<string, readonly Reply[]>;
  private readonly unseen: Readonly<Record<'company' | 'note', ReturnType<typeof unseenBy>>>;
  /** Replies with 2xx or 403 by operation, to callers that had the operation accepted once. */
  private readonly found: ReadonlyMap<unknown, readonly Reply[]>;

  constructor(world: World) {
    this.world = world;
    const accepted = world.replies.filter(wasAccepted);
    const of = (operation: OperationId): readonly Reply[] => accepted.filter((one) => one.operation === operation);
    // A session without an account may be told so, whatever else is wrong.
    const accountless = new Set(world.replies.filter(lacksAccount).map(callerOf));
    const readers = of('GET /companies').filter((one) => !accountless.has(callerOf(one)));
    this.readers = new Set([...readers.map(callerOf), ...readers.map(world.callers.viewOf)].filter(Boolean));
    const texts = [createNote, editNote].flatMap(of).map((one) => String(bodyOf(one)?.text));
    this.texts = new Set(texts.filter((text) => text.trim() !== ''));
    this.accepted = new Set(accepted.flatMap(labelled));
    this.edits = new Set(of(editCompany).map(editIn));
    this.shown = new Set(of(readCompany).map((one) => this.placeOf(one)));
    const showing = of(listNotes).filter((one) => itemsOf(one).length > 0);
    this.lists = grouped(showing, pathOf);
    this.unseen = { company: unseenBy('company', accepted), note: unseenBy('note', accepted) };
    const allowed = new Set(accepted.map(askedBy));
    const found = world.replies.filter((one) => isFound(one) && allowed.has(askedBy(one)));
    this.found = grouped(found, ({ operation }) => operation);
  }

  /** The document describes every part of the request: a plain text, a `limit` within its bounds. */
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

  /** An edit that a company accepted, or one that names no organization, which may be what is not found. */
  isEdit(reply: Reply): boolean {
    const { operation, undocumented, mayReplay } = reply;
    if (operation !== editCompany || undocumented || mayReplay || !saysJson(reply)) return false;
    return this.isKnownCaller(reply) && (bodyOf(reply)?.org_id === undefined || this.isKnownEdit(reply));
  }

  /** Some company accepted an edit with this body. */
  isKnownEdit = (reply: Reply): boolean => this.edits.has(editIn(reply));

  /** Readable and not shown in any reply; of companies, which others create, too, only above all shown. */
  isUnseen(path: string, asked: Reply): boolean {
    const id = path.split('/').at(-1) ?? '';
    return /^\d+$/.test(id) && this.unseen[path.includes('/notes/') ? 'note' : 'company'](Number(id), asked);
  }

  /** The company may exist: it was found or withheld, and no other unknown company was. */
  mayBeThere(reply: Reply): boolean {
    const all = this.found.get(reply.operation) ?? [];
    const isOfNote = reply.operation?.endsWith('{note_id}') === true && this.isUnseen(pathOf(reply), reply);
    if (!all.includes(reply) || isOfNote) return isFound(reply);
    const own = companyPathOf(reply);
    return !all.some((one) => companyPathOf(one) !== own && this.isUnseen(companyPathOf(one), one));
  }

  /** The sender was shown the company, and it is not known to be another user's. */
  wasShown(reply: Reply): boolean {
    const { callers } = this.world;
    const owner = this.world.at(companyPathOf(reply))?.owner;
    if (callers.viewOf(reply) === undefined) return false;
    return this.shown.has(this.placeOf(reply)) && (owner === undefined || owner === callers.ownerOf(reply.credential));
  }

  /** Another requirement judges a list without notes. */
  listId(reply: Reply): JudgedId {
    const list = pathOf(reply);
    const isLeft = ({ exists, created }: StoredRecord): boolean =>
      created.id <= reply.after && exists.possible(windowOf(reply)).some(({ value }) => value);
    const hasNotes = this.world.at(companyPathOf(reply)) ? this.world.notesIn(list).some(isLeft) : this.lists.has(list);
    return reply.operation === listNotes && !hasNotes ? 'pagination-list-empty' : 'envelope-valid-served';
  }

  /** If a list still shows a deleted note, the rules for lists judge the deletion. */
  isShownSince(deleted: Reply, note: StoredRecord, { after }: Reply): boolean {
    return this.listsOf(note).some((one) => one.after >= deleted.id && one.id <= after);
  }

  /** Not found, and no list shows it since another note of the company was deleted. */
  isRemovedByOther(note: StoredRecord, { status, after }: Reply): boolean {
    const shown = this.listsOf(note).at(-1)?.id ?? -1;
    return status === 404 && isAmidDeletions(note, shown, after, this.world);
  }

  /** The lists that show the note. */
  private listsOf({ path, id }: StoredRecord): readonly Reply[] {
    const lists = this.lists.get(listOf(path)) ?? [];
    return lists.filter((one) => itemsOf(one).some((item) => identifierOf('note', item) === id));
  }

  private placeOf = (reply: Reply): string => `${this.world.callers.viewOf(reply)} ${companyPathOf(reply)}`;

  /** A key may send X-Active-Account with an unknown effect, so only requests without it count. */
  private isEqualReader = (reply: Reply): boolean =>
    accountHeaderOf(reply) === undefined && this.readers.has(this.world.callers.viewOf(reply));

  private isKnownCaller = (reply: Reply): boolean =>
    (this.readers.has(callerOf(reply)) || this.isEqualReader(reply)) &&
    labelled(reply).every((one) => this.accepted.has(one));
}
