// The world as far as a run knows it: every record that it wrote, and who sees it, folded over the exchanges.
import {
  at,
  dataOf,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  type RecordKind,
  type Reply,
  type Sent,
  wasAccepted,
} from '../client/reply.ts';
import { lagMsMax } from '../expect/eventually.ts';
import { Accounts } from './accounts.ts';
import { Callers } from './callers.ts';
import type { History } from './history.ts';
import { Keys } from './keys.ts';
import { isFirm, isNothing, members } from './members.ts';
import { type ListPage, pagesOf } from './pages.ts';
import { bodyOf, companyPathOf, idInPath, isSession, pathOf, queryOf } from './request.ts';
import { Timeline, type Window } from './timeline.ts';
import { Visibility } from './visibility.ts';
import { createdIn, unsettled, writeOf } from './writes.ts';

/** A value that fits everything. */
export const unknown = Symbol('unknown');

export interface StoredRecord {
  readonly kind: RecordKind;
  readonly id: number | string;
  /** Of its own: the path under which it is addressed, or would be. */
  readonly path: string;
  readonly created: Reply;
  /** The configured credential behind its maker. */
  readonly owner: string;
  readonly exists: Timeline<boolean>;
  readonly members: ReadonlyMap<string, Timeline<unknown>>;
  readonly edits: Reply[];
  /** What was refused, and what was sent to its identifier under another company: what that leaves are requirements of their own. */
  readonly refusedEdits: Reply[];
  readonly refusedDeletions: Reply[];
  readonly misplacedEdits: Reply[];
  readonly misplacedDeletions: Reply[];
}

/** By one of these a record is recognised, also by somebody who may number records in another way. */
const names = ['name', 'last_name', 'label', 'text', 'website', 'linkedin_url', 'photo_url', 'email'];

export class World {
  readonly history: History;
  readonly replies: readonly Reply[];
  readonly callers: Callers;
  readonly keys: Keys;
  readonly accounts: Accounts;
  readonly pages: readonly ListPage[];
  /** By their paths. */
  readonly records = new Map<string, StoredRecord>();
  /** An edit was seen to change the type of a company: where none is, the type may be fixed at creation. */
  changesTypes = false;
  /** Paths that two records share, or of which it is not known what became of a write. */
  private readonly unclear = new Set<string>();
  /** Lists of notes, and from which reply on it is not known what is in them. */
  private readonly knownUntil = new Map<string, number>();
  private readonly visibility: Visibility;
  /** When the traversal began that leads on with a cursor, and that of each page. */
  private readonly beginnings = new Map<string, number>();
  private readonly begun = new Map<Reply, number>();
  readonly lost: readonly Sent[];
  private readonly writes: readonly Reply[];
  /** The latest moment up to each reply. */
  private readonly moments: number[] = [];

  constructor(history: History) {
    this.history = history;
    this.replies = withoutSharedNumbers(history.replies);
    this.callers = new Callers(this.replies);
    this.lost = unsettled(history.lost, this.replies);
    this.keys = new Keys(this.replies, this.lost, this.callers);
    this.accounts = new Accounts({ ...history, replies: this.replies, lost: this.lost }, this.callers, this.keys);
    this.pages = pagesOf(this.replies, this.callers);
    this.writes = this.replies.filter((reply) => writeOf(reply) !== undefined);
    this.visibility = new Visibility(this.replies, this.callers);
    for (const reply of this.replies) {
      this.follow(reply);
      this.apply(reply);
    }
    for (const { method, url } of this.lost) if (method !== 'GET') this.lose(new URL(url).pathname);
  }

  /** The record that a path names; undefined where that is not clear. */
  at(path: string): StoredRecord | undefined {
    return this.unclear.has(path) ? undefined : this.records.get(path);
  }

  ofKind(kind: RecordKind): readonly StoredRecord[] {
    return [...this.records.values()].filter((one) => one.kind === kind);
  }

  /** The notes of a list, by its path. */
  notesIn(list: string): readonly StoredRecord[] {
    return this.ofKind('note').filter(({ path }) => listOf(path) === list);
  }

  /** Notes of other companies that have the identifier of the note that a request names. */
  elsewhere(reply: Reply): readonly StoredRecord[] {
    if (!/\/notes\/[^/]*$/.test(pathOf(reply))) return [];
    const list = listOf(pathOf(reply));
    return this.ofKind('note').filter((one) => String(one.id) === idInPath(reply) && listOf(one.path) !== list);
  }

  /** Whether it is known which notes are in a list when this reply comes. */
  isKnown = (list: string, { id }: Reply): boolean => id <= (this.knownUntil.get(list) ?? Number.POSITIVE_INFINITY);

  /** The record of the run that a list or a reply shows: by where it is shown and its identifier, and as somebody who may see it. */
  shown(kind: RecordKind, reply: Reply, record: JsonObject): StoredRecord | undefined {
    const isNamed = reply.operation?.endsWith('}') === true;
    const found = this.at(isNamed ? pathOf(reply) : `${pathOf(reply)}/${identifierOf(kind, record)}`);
    return found && this.isOwn(found, record, reply) ? found : undefined;
  }

  /** Whether the reply addresses a company, or something of it, as somebody who was shown it. */
  sees = (reply: Reply): boolean => this.visibility.of(reply);

  /** As lists see it: up to five seconds late, and all pages of a traversal perhaps as it was at the first. */
  windowOf(reply: Reply): Window {
    if (!Array.isArray(dataOf(reply))) return { from: reply.after, to: reply.id };
    return { from: this.lastBefore((this.begun.get(reply) ?? reply.sentAt) - lagMsMax), to: reply.id };
  }

  /** From five seconds before the first page until the last. */
  windowOver(first: Reply, last: Reply): Window {
    return { from: Math.min(this.lastBefore(first.sentAt - lagMsMax), first.after), to: last.id };
  }

  /** Nothing that the list shows was created, edited or deleted from five seconds before the first page until the last. */
  isCalm = (chain: readonly ListPage[]): boolean => chain.length > 0 && this.writesTo(chain).length === 0;

  /** Requests in that time that create, edit or delete what the list shows, whatever came of them. */
  writesTo([first, ...more]: readonly ListPage[]): readonly Reply[] {
    if (first === undefined) return [];
    const [start, last] = [first.reply.sentAt - lagMsMax, more.at(-1)?.reply ?? first.reply];
    return this.writes.filter((write) => write.after < last.id && write.receivedAt >= start && mayChange(write, first));
  }

  /** Requests of this kind were lost: nobody knows whether and how often they were carried out. */
  hasLost = (method: string, path: RegExp): boolean =>
    this.lost.some((one) => one.method === method && path.test(new URL(one.url).pathname));

  /** The number of the last reply before which all had come at that moment, in milliseconds. */
  private lastBefore(moment: number): number {
    let [low, high] = [0, this.moments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.moments[middle] ?? 0) < moment) low = middle + 1;
      else high = middle;
    }
    return this.replies[low - 1]?.id ?? 0;
  }

  private isOwn({ owner, created, members: values }: StoredRecord, record: JsonObject, reply: Reply): boolean {
    if (this.callers.ownerOf(reply.credential) === owner && !isSession(owner)) return true;
    if (this.callers.isSameView(created, reply)) return true;
    return names.some(
      (name) => !isNothing(record[name]) && values.get(name)?.effects.some(({ value }) => value === record[name]),
    );
  }

  private follow(reply: Reply): void {
    this.moments.push(Math.max(reply.receivedAt, this.moments.at(-1) ?? Number.NEGATIVE_INFINITY));
    const cursor = queryOf(reply).get('cursor');
    const began = cursor === null ? reply.sentAt : (this.beginnings.get(cursor) ?? Number.NEGATIVE_INFINITY);
    if (cursor !== null) this.begun.set(reply, began);
    const next = at(reply.json, 'pagination', 'next_cursor');
    if (typeof next === 'string') this.beginnings.set(next, Math.min(began, this.beginnings.get(next) ?? began));
  }

  private apply(reply: Reply): void {
    const write = writeOf(reply);
    const record = this.records.get(decodeURIComponent(pathOf(reply)));
    if (write?.does === 'create') this.create(write.kind, reply);
    else if (write?.does === 'delete') this.delete(record, reply);
    else if (write) this.tryEdit(record, reply);
  }

  private create(kind: RecordKind, reply: Reply): void {
    const list = pathOf(reply);
    const id = createdIn(reply);
    const isUnreadable = wasAccepted(reply) && (id === undefined || (kind === 'note' && !Number.isInteger(id)));
    if (reply.status >= 500 || isUnreadable) this.forget(list, reply.after);
    if (id === undefined) return;
    const path = `${list}/${id}`;
    const body = bodyOf(reply) ?? {};
    const isSeen = kind !== 'note' || this.sees(reply);
    const known = this.records.get(path);
    const isBetter = known && kind === 'note' && !this.sees(known.created) && isSeen && !reply.mayReplay;
    if (known && !isBetter) {
      // Repeated under its Idempotency-Key it is the same record.
      const first = bodyOf(known.created) ?? {};
      const isSame = ['name', 'last_name', 'text', 'label'].every((name) => first[name] === body[name]);
      if (!reply.mayReplay || !isSame) this.unclear.add(path);
      return;
    }
    const exists = new Timeline<boolean>();
    exists.add(reply, true, !reply.mayReplay && isSeen);
    const values = new Map(members[kind].map((name) => [name, new Timeline<unknown>()]));
    for (const [name, timeline] of values) timeline.add(reply, firstOf(kind, name, reply), true);
    this.records.set(path, {
      ...{ kind, id, path, created: reply, owner: this.callers.ownerOf(reply.credential), exists, members: values },
      ...{ edits: [], refusedEdits: [], refusedDeletions: [], misplacedEdits: [], misplacedDeletions: [] },
    });
  }

  private tryEdit(record: StoredRecord | undefined, reply: Reply): void {
    for (const other of this.elsewhere(reply)) other.misplacedEdits.push(reply);
    if (record && (wasAccepted(reply) || reply.status >= 500)) this.edit(record, reply);
    else record?.refusedEdits.push(reply);
  }

  /** An edit of a company is not shown: what it does not name may stay as it was, or be gone. */
  private edit(record: StoredRecord, reply: Reply): void {
    const { kind, members: values, edits } = record;
    const body = bodyOf(reply);
    const isWhole = body !== undefined && members[kind].every((name) => Object.hasOwn(body, name));
    const isKnown =
      (isWhole || kind === 'company') && body !== undefined && !reply.undocumented && reply.status === 200;
    if (wasAccepted(reply)) edits.push(reply);
    for (const [name, timeline] of values) {
      const given = body?.[name];
      const value = isKnown && isFirm(name, given) ? given : unknown;
      if (!isKnown || isWhole) timeline.add(reply, value, wasAccepted(reply) && !reply.mayReplay);
      else if ((given ?? null) !== null) timeline.add(reply, value, false);
      else if (!required.includes(name)) timeline.add(reply, null, false);
    }
    const type = bodyOf(reply)?.company_type;
    const isAnother = type !== undefined && type !== bodyOf(record.created)?.company_type;
    this.changesTypes ||= kind === 'company' && isAnother && at(dataOf(reply), 'company_type') === type;
  }

  private delete(record: StoredRecord | undefined, reply: Reply): void {
    const list = listOf(pathOf(reply));
    const isSeen = this.sees(reply);
    for (const other of this.elsewhere(reply)) other.misplacedDeletions.push(reply);
    if (record && !wasAccepted(reply)) record.refusedDeletions.push(reply);
    // Somebody else may number companies in another way.
    const isDoubtful = record !== undefined && !this.sees(record.created);
    if (reply.status >= 500 || (wasAccepted(reply) && !isSeen && !isDoubtful)) this.forget(list, reply.after);
    if (record && isSeen && wasAccepted(reply)) record.exists.add(reply, false, !reply.mayReplay);
  }

  private forget(list: string, after: number): void {
    this.knownUntil.set(list, Math.min(after, this.knownUntil.get(list) ?? after));
  }

  private lose(path: string): void {
    this.forget(listOf(path), 0);
    this.unclear.add(path);
  }
}

/** A note of a company is in no list of another one. */
const mayChange = (write: Reply, { kind, path }: ListPage): boolean =>
  writeOf(write)?.kind === kind && (kind !== 'note' || listOf(pathOf(write)) === path);

const required = ['name', 'company_type'];
/** The list that a note stands in, or the list itself. */
export const listOf = (path: string): string => path.replace(/\/notes\/[^/]*$/, '/notes');
/** The company whose list of notes a path is; any other path as it is. */
export const companyOfNotes = (path: string): string => path.replace(/\/notes$/, '');

/** What a member is from the creation on: as it was given, or as the reply showed what was not. */
function firstOf(kind: RecordKind, name: string, reply: Reply): unknown {
  const shown = at(dataOf(reply), name);
  if (kind === 'key' && name !== 'label') return typeof shown === 'string' ? shown : unknown;
  const body = bodyOf(reply);
  if (reply.undocumented || body === undefined) return unknown;
  if (Object.hasOwn(body, name)) return isFirm(name, body[name]) ? body[name] : unknown;
  if ((kind !== 'company' && kind !== 'contact') || !isObject(dataOf(reply))) return unknown;
  return isNothing(shown) ? null : shown;
}

/** Each account may number its companies itself: what carries a number that two creations gave out says nothing of either. */
function withoutSharedNumbers(replies: readonly Reply[]): readonly Reply[] {
  const first = new Map<string, unknown>();
  const shared = new Set<string>();
  for (const reply of replies) {
    if (reply.operation !== 'POST /companies' || !wasAccepted(reply)) continue;
    const path = `${pathOf(reply)}/${createdIn(reply)}`;
    const name = bodyOf(reply)?.name;
    if (first.has(path) && !(reply.mayReplay && first.get(path) === name)) shared.add(path);
    else first.set(path, name);
  }
  return shared.size === 0 ? replies : replies.filter((reply) => !shared.has(companyPathOf(reply)));
}

/** The records that a reply shows: one, or those of a list. */
export const recordsIn = (reply: Reply): readonly JsonObject[] => {
  const data = dataOf(reply);
  return isObject(data) ? [data] : itemsOf(reply);
};
