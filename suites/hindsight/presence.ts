// Companies and notes addressed by their identifiers, whoever asks: those of the run are there, and what nobody made is not.
import {
  dataOf,
  identifierOf,
  isObject,
  itemsOf,
  type JudgedId,
  lagMsMax,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { createNote, deleteNote, editNote, listNotes } from '../shared/note-operations.ts';
import { ceiling } from '../shared/unknown.ts';
import { type Families, familiesOf } from './families.ts';
import { wrong } from './judgement.ts';
import { recognisedIn } from './recognised.ts';
import { callerOf, isOutage, pathOf, queryOf, sentBody } from './sent.ts';
import { type Viewers, viewersOf } from './viewers.ts';

export const presenceIds = [
  'companies-edit-unknown',
  'companies-read-unknown',
  'envelope-valid-served',
  'notes-delete-lasting',
  'notes-deleted-unknown',
  'notes-others-untouched',
  'notes-unknown-company',
  'notes-unknown-note',
  'pagination-list-empty',
] as const satisfies readonly JudgedId[];
type Duty = (typeof presenceIds)[number];

const readCompany: OperationId = 'GET /companies/{company_id}';
const editCompany: OperationId = 'PATCH /companies/{company_id}';
const addressed: readonly (OperationId | undefined)[] = [readCompany, listNotes, createNote, editNote, deleteNote];

const companyIn = (reply: Pick<Reply, 'request'>): string | undefined =>
  /\/companies\/([^/]+)/.exec(pathOf(reply))?.[1];
const noteIn = (reply: Reply): string | undefined => /\/notes\/([^/]+)$/.exec(pathOf(reply))?.[1];

/** Headers whose forms are requirements of their own. */
const labels = ['x-origin-app', 'content-type'] as const;
const labelled = ({ operation, request: { headers } }: Reply): readonly string[] =>
  labels.map((name) => `${operation} ${name}: ${headers[name]}`);

/** With nothing that the document does not describe: a text that is plainly one, a limit within its bounds. */
function isPlain(reply: Reply): boolean {
  const { request, undocumented, mayReplay } = reply;
  const { headers } = request;
  const query = [...queryOf(reply)];
  const key = headers['idempotency-key'];
  if (undocumented || mayReplay || (key && !uuid.test(key))) return false;
  if (!query.every(([name, value]) => name === 'limit' && /^(?:[1-9]\d?|1\d\d|200)$/.test(value))) return false;
  if (request.method === 'GET' || request.method === 'DELETE') return request.body === undefined;
  const { text, ...more } = sentBody(reply) ?? {};
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
  return (
    isJson &&
    Object.keys(more).length === 0 &&
    typeof text === 'string' &&
    /^[!-~][^\p{Cc}]{0,900}$/u.test(text) &&
    text === text.trim()
  );
}

interface Life {
  readonly born: Reply;
  died?: Reply;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Refused with what neither rights nor limits explain. */
const isRefusal = ({ status }: Reply): boolean =>
  status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status);

/** In any reply; an edit shows the number that it was given. */
function highestIn(replies: readonly Reply[]): number {
  const numbersIn = (reply: Reply): readonly number[] => {
    const data = dataOf(reply);
    const records = isObject(data) ? [data] : itemsOf(reply);
    const ids = records.flatMap((record) => [identifierOf('company', record), identifierOf('note', record)]);
    return [companyIn(reply), ...ids].map(Number).filter(Number.isInteger);
  };
  return replies
    .filter((reply) => wasAccepted(reply) && reply.operation !== editNote)
    .flatMap(numbersIn)
    .reduce((most, one) => Math.max(most, one), 0);
}

class Presence {
  private readonly families: Families;
  private readonly viewers: Viewers;
  private readonly recognised: ReturnType<typeof recognisedIn>;
  private readonly companies = new Map<string, Life>();
  private readonly notes = new Map<string, Life>();
  /** Companies on whose notes it is not known what became of a write. */
  private readonly unclear = new Set<string>();
  /** The callers who may read their account, with the headers under which they did. */
  private readonly open: ReadonlySet<string>;
  /** Headers under which an operation was accepted. */
  private readonly borne: ReadonlySet<string>;
  /** Companies that a viewer was shown by their identifiers. */
  private readonly shown = new Set<string>();
  /** Lists that have shown notes, by their company. */
  private readonly lists = new Map<string, readonly Reply[]>();
  /** Bodies with which a company was edited; what else an edit may hold is not shown. */
  private readonly edits = new Set<string>();
  private readonly highest: number;

  constructor({ replies, lost }: Story) {
    this.families = familiesOf(replies);
    this.viewers = viewersOf(replies);
    this.recognised = recognisedIn(replies);
    this.open = new Set(replies.filter((one) => one.operation === 'GET /companies' && wasAccepted(one)).map(callerOf));
    this.borne = new Set(replies.filter(wasAccepted).flatMap(labelled));
    this.highest = highestIn(replies);
    for (const { method, url } of lost) {
      const company = /\/companies\/([^/]+)/.exec(new URL(url).pathname)?.[1];
      if (method !== 'GET' && company !== undefined) this.unclear.add(company);
    }
    for (const reply of replies) this.learn(reply);
  }

  private learn(reply: Reply): void {
    const { operation, status } = reply;
    if (operation === 'POST /companies') this.found(reply);
    const company = companyIn(reply);
    if (company === undefined) return;
    if (operation === editCompany && wasAccepted(reply)) this.edits.add(editIn(reply));
    if (operation === readCompany && wasAccepted(reply)) this.shown.add(`${this.viewers.of(reply)} ${company}`);
    if (operation === listNotes && itemsOf(reply).length > 0)
      this.lists.set(company, [...(this.lists.get(company) ?? []), reply]);
    if (operation !== createNote && operation !== deleteNote) return;
    if (status >= 500) this.unclear.add(company);
    if (!wasAccepted(reply)) return;
    if (operation === createNote) this.bear(reply, company);
    else this.bury(reply, company);
  }

  private found(reply: Reply): void {
    const id = wasAccepted(reply) ? identifierOf('company', dataOf(reply)) : undefined;
    if (id === undefined) return;
    if (!this.companies.has(String(id))) this.companies.set(String(id), { born: reply });
  }

  private bear(reply: Reply, company: string): void {
    const id = identifierOf('note', dataOf(reply));
    const name = `${company} ${id}`;
    if (id === undefined) this.unclear.add(company);
    else if (!this.notes.has(name)) this.notes.set(name, { born: reply });
  }

  private bury(reply: Reply, company: string): void {
    const life = this.notes.get(`${company} ${noteIn(reply)}`);
    if (life) life.died ??= reply;
  }

  /** Undefined where it is right, or open. */
  judge(reply: Reply): Wrong | undefined {
    if (reply.operation === editCompany) return this.ofEdit(reply);
    if (!addressed.includes(reply.operation) || !isPlain(reply) || !this.open.has(callerOf(reply))) return undefined;
    if (!labelled(reply).every((one) => this.borne.has(one))) return undefined;
    const [company = '', note] = [companyIn(reply), noteIn(reply)];
    // Where a list shows no identifiers the path names no note.
    if (reply.operation?.endsWith('{note_id}') && note === undefined) return undefined;
    const viewer = this.viewers.of(reply);
    // Whoever is shown a company is shown its notes: nothing takes a company away.
    if (reply.operation === listNotes && this.shown.has(`${viewer} ${company}`) && this.isFamilys(reply, company))
      return served(reply, this.listDuty(reply, company));
    const life = this.companies.get(company);
    if (life === undefined) return this.ofUnknown(reply, company);
    if (life.born.id > reply.after || !this.recognised.by(reply)) return undefined;
    if (note === undefined) return served(reply, this.listDuty(reply, company));
    return this.unclear.has(company)
      ? undefined
      : this.ofNote(reply, this.notes.get(`${company} ${note}`), Number(note));
  }

  /** Not known to be somebody else's. */
  private isFamilys({ credential }: Reply, company: string): boolean {
    const maker = this.companies.get(company)?.born.credential;
    return maker === undefined || this.families.rootOf(maker) === this.families.rootOf(credential);
  }

  /** A list without a single note is a requirement of its own. */
  private listDuty(reply: Reply, company: string): Duty {
    const isLeft = ([name, { born, died }]: readonly [string, Life]): boolean =>
      name.startsWith(`${company} `) && born.id <= reply.after && (died === undefined || died.id > reply.after);
    const hasNotes = this.companies.has(company) ? [...this.notes].some(isLeft) : this.lists.has(company);
    return reply.operation === listNotes && !hasNotes ? 'pagination-list-empty' : 'envelope-valid-served';
  }

  /** An edit that a company took, sent to none. */
  private ofEdit(reply: Reply): Wrong | undefined {
    const { undocumented, mayReplay } = reply;
    const isKnown = this.open.has(callerOf(reply)) && labelled(reply).every((one) => this.borne.has(one));
    if (undocumented || mayReplay || !isKnown || !this.edits.has(editIn(reply))) return undefined;
    return this.ofUnknown(reply, companyIn(reply) ?? '');
  }

  private ofUnknown(reply: Reply, company: string): Wrong | undefined {
    return /^\d+$/.test(company) && this.isUnseen(Number(company)) ? missing(reply, unknownDuty(reply)) : undefined;
  }

  /** Above every identifier seen, and such as every target can read. */
  private readonly isUnseen = (id: number): boolean => id > this.highest && id < ceiling;

  private ofNote(reply: Reply, life: Life | undefined, note: number): Wrong | undefined {
    if (life === undefined) return this.isUnseen(note) ? missing(reply, 'notes-unknown-note') : undefined;
    const { born, died } = life;
    if (died !== undefined && died.id <= reply.after)
      return this.isShownSince(died, reply, note) ? undefined : missing(reply, deletedDuty(reply, died), died);
    const isAlive = born.id <= reply.after && (died === undefined || died === reply || died.after >= reply.id);
    return isAlive ? served(reply, this.isTaken(reply, note) ? 'notes-others-untouched' : undefined) : undefined;
  }

  /** What a deletion has left in the list was not deleted: that is judged where it is listed. */
  private isShownSince(died: Reply, { after, request }: Reply, note: number): boolean {
    const later = this.lists
      .get(companyIn({ request }) ?? '')
      ?.filter((one) => one.after >= died.id && one.id <= after);
    return later?.some((list) => itemsOf(list).some((item) => identifierOf('note', item) === note)) === true;
  }

  /** Not found, and in no list since another note of its company was deleted. */
  private isTaken({ status, after, request }: Reply, note: number): boolean {
    const company = companyIn({ request });
    const others = [...this.notes].filter(([name]) => name.startsWith(`${company} `) && name !== `${company} ${note}`);
    const last = Math.max(-1, ...others.map(([, { died }]) => died?.id ?? -1).filter((id) => id <= after));
    const shown = this.lists
      .get(company ?? '')
      ?.findLast((list) => itemsOf(list).some((item) => identifierOf('note', item) === note));
    return status === 404 && last >= 0 && (shown?.id ?? -1) < last;
  }
}

/** Found again only after a while, it was not deleted for good. */
const deletedDuty = (reply: Reply, died: Reply): Duty =>
  wasAccepted(reply) && reply.sentAt > died.receivedAt + lagMsMax ? 'notes-delete-lasting' : 'notes-deleted-unknown';

/** Whatever the order of the members. */
const editIn = (reply: Reply): string => JSON.stringify(Object.entries(sentBody(reply) ?? {}).sort());
const unknownDuty = ({ operation }: Reply): Duty =>
  operation === readCompany
    ? 'companies-read-unknown'
    : operation === editCompany
      ? 'companies-edit-unknown'
      : 'notes-unknown-company';

const operationOf = ({ operation }: Reply): OperationId => operation ?? readCompany;

function served(reply: Reply, id: Duty = 'envelope-valid-served'): Wrong | undefined {
  if (!isRefusal(reply) && !isOutage(reply)) return undefined;
  const found = { expected: '2xx', actual: reply.status, replies: [reply] };
  return wrong(id, operationOf(reply), 'a valid request should be carried out', found);
}

function missing(reply: Reply, id: Duty, ...before: readonly Reply[]): Wrong | undefined {
  if ([401, 403, 404, 429].includes(reply.status) || (reply.status >= 500 && !isOutage(reply))) return undefined;
  const found = { expected: 404, actual: reply.status, replies: [...before, reply] };
  return wrong(id, operationOf(reply), 'what is not there should not be found', found);
}

export function judgePresence(story: Story): readonly Wrong[] {
  const presence = new Presence(story);
  return story.replies.flatMap((reply) => presence.judge(reply) ?? []);
}
