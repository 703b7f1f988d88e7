// The state of the target as far as a run knows it: the records that it wrote and who sees them.
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
import { firstPlace } from '../runtime/grouped.ts';
import { Accounts } from './accounts.ts';
import { Callers } from './callers.ts';
import type { History } from './history.ts';
import { Keys } from './keys.ts';
import { isFirm, isNothing, members } from './members.ts';
import { type ListPage, pagesOf } from './pages.ts';
import { bodyOf, idInPath, isSession, listOf, pathOf, queryOf } from './request.ts';
import { SharedNumbers } from './shared-numbers.ts';
import { Timeline, type Window } from './timeline.ts';
import { Visibility } from './visibility.ts';
import { createdIn, unsettled, writeOf } from './writes.ts';

/** Stands for any value. */
export const unknown = Symbol('unknown');

export interface StoredRecord {
  readonly kind: RecordKind;
  readonly id: number | string;
  /** Its own path, whether or not the document has an operation for it. */
  readonly path: string;
  readonly created: Reply;
  /** The configured credential behind its creator. */
  readonly owner: string;
  readonly exists: Timeline<boolean>;
  readonly members: ReadonlyMap<string, Timeline<unknown>>;
  readonly edits: Reply[];
  /** Refused requests, and requests to its identifier under another company. Other requirements judge their effects. */
  readonly refusedEdits: Reply[];
  readonly refusedDeletions: Reply[];
  readonly misplacedEdits: Reply[];
  readonly misplacedDeletions: Reply[];
}

/** Members that identify a record, also where another account uses other numbers. */
const names = ['name', 'last_name', 'label', 'text', 'website', 'linkedin_url', 'photo_url', 'email'];

export class World {
  readonly history: History;
  readonly replies: readonly Reply[];
  readonly callers: Callers;
  readonly keys: Keys;
  readonly accounts: Accounts;
  readonly pages: readonly ListPage[];
  /** By path. */
  readonly records = new Map<string, StoredRecord>();
  /** Whether an edit changed the type of a company. If none does, the type may be fixed at creation. */
  changesTypes = false;
  /** Paths of two records, or with a write whose effect is unknown. */
  private readonly unclear = new Set<string>();
  /** For each list of notes, the reply number from which its contents are unknown. */
  private readonly knownUntil = new Map<string, number>();
  private readonly visibility: Visibility;
  private readonly numbers: SharedNumbers;
  /** When the traversal of each cursor, and of each page, began. */
  private readonly beginnings = new Map<string, number>();
  private readonly begun = new Map<Reply, number>();
  readonly lost: readonly Sent[];
  private readonly writes: readonly Reply[];
  /** The latest receipt time up to each reply. */
  private readonly moments: number[] = [];

  constructor(history: History) {
    this.history = history;
    this.callers = new Callers(history.replies);
    this.lost = unsettled(history.lost, history.replies);
    this.keys = new Keys(history.replies, this.lost, this.callers);
    this.accounts = new Accounts({ ...history, lost: this.lost }, this.callers, this.keys);
    this.numbers = new SharedNumbers(history.replies, this.callers, this.accounts);
    this.replies = history.replies.filter((reply) => this.numbers.isMeant(reply));
    this.pages = pagesOf(this.replies, this.callers);
    this.writes = this.replies.filter((reply) => writeOf(reply) !== undefined);
    this.visibility = new Visibility(this.replies, this.callers);
    for (const reply of this.replies) {
      this.follow(reply);
      this.apply(reply);
    }
    for (const { method, url } of this.lost) if (method !== 'GET') this.lose(new URL(url).pathname);
  }

  /** The record with this path; undefined where it is ambiguous. */
  at(path: string): StoredRecord | undefined {
    return this.unclear.has(path) ? undefined : this.records.get(path);
  }

  ofKind(kind: RecordKind): readonly StoredRecord[] {
    return [...this.records.values()].filter((one) => one.kind === kind);
  }

  /** The notes of the list with this path. */
  notesIn(list: string): readonly StoredRecord[] {
    return this.ofKind('note').filter(({ path }) => listOf(path) === list);
  }

  /** Notes of other companies with the note identifier of the request. */
  elsewhere(reply: Reply): readonly StoredRecord[] {
    if (!/\/notes\/[^/]*$/.test(pathOf(reply))) return [];
    const list = listOf(pathOf(reply));
    return this.ofKind('note').filter((one) => String(one.id) === idInPath(reply) && listOf(one.path) !== list);
  }

  /** Whether the contents of a note list are known at this reply. */
  isKnown = (list: string, { id }: Reply): boolean => id <= (this.knownUntil.get(list) ?? Number.POSITIVE_INFINITY);

  /** The record of the run that a reply shows, matched by path and identifier, if the reader may see it. */
  shown(kind: RecordKind, reply: Reply, record: JsonObject): StoredRecord | undefined {
    const isNamed = reply.operation?.endsWith('}') === true;
    const found = this.at(isNamed ? pathOf(reply) : `${pathOf(reply)}/${identifierOf(kind, record)}`);
    return found && this.numbers.isMeant(reply, found.path) && this.isOwn(found, record, reply) ? found : undefined;
  }

  /** Whether the request addresses a company, or its notes, from a view that was shown it; or another company. */
  sees = (reply: Reply, path?: string): boolean => this.visibility.of(reply, path);

  /** Lists may lag by five seconds, and all pages of a traversal may show the state at the first. */
  windowOf(reply: Reply): Window {
    if (!Array.isArray(dataOf(reply))) return { from: reply.after, to: reply.id };
    return { from: this.lastBefore((this.begun.get(reply) ?? reply.sentAt) - lagMsMax), to: reply.id };
  }

  /** From five seconds before the first page to the last one. */
  windowOver(first: Reply, last: Reply): Window {
    return { from: Math.min(this.lastBefore(first.sentAt - lagMsMax), first.after), to: last.id };
  }

  /** No write to what the list shows between five seconds before the first page and the last one. */
  isUndisturbed = (chain: readonly ListPage[]): boolean => chain.length > 0 && this.writesTo(chain).length === 0;

  /** The writes in that time to what the list shows, accepted or not. */
  writesTo([first, ...more]: readonly ListPage[]): readonly Reply[] {
    if (first === undefined) return [];
    const [start, last] = [first.reply.sentAt - lagMsMax, more.at(-1)?.reply ?? first.reply];
    const isAmid = (write: Reply): boolean => write.after < last.id && write.receivedAt >= start;
    return this.writes.filter((write) => isAmid(write) && mayChange(write, first, this.accounts));
  }

  /** Whether the run edited one of these companies between two replies, or so shortly before that a list may show it later. */
  isEdited = (paths: readonly string[], before: Reply, after: Reply): boolean =>
    this.writes.some(
      (one) =>
        one.receivedAt >= before.sentAt - lagMsMax &&
        one.after < after.id &&
        one.operation === 'PATCH /companies/{company_id}' &&
        paths.includes(pathOf(one)),
    );

  /** Whether such requests were lost: each may have been executed zero or more times. */
  hasLost = (method: string, path: RegExp): boolean =>
    this.lost.some((one) => one.method === method && path.test(new URL(one.url).pathname));

  /** The number of the last reply before a moment in milliseconds, with all replies up to it received before, too. */
  private lastBefore(moment: number): number {
    return this.replies[firstPlace(this.moments, (one) => one >= moment) - 1]?.id ?? 0;
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
      // A repeat under the same Idempotency-Key is the same record.
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

  /** The document does not show the body of a company edit: members that it omits may be kept or cleared. */
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
    // Another account may use the same company number.
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

/** A note appears only in the list of its own company. */
const mayChange = (write: Reply, { kind, path, reply }: ListPage, accounts: Accounts): boolean =>
  writeOf(write)?.kind === kind &&
  (kind !== 'note' || listOf(pathOf(write)) === path) &&
  !accounts.areApart(write, reply);

const required = ['name', 'company_type'];

/** The value of a member after the creation: as sent, or as the reply shows it if it was not sent. */
function firstOf(kind: RecordKind, name: string, reply: Reply): unknown {
  const shown = at(dataOf(reply), name);
  if (kind === 'key' && name !== 'label') return typeof shown === 'string' ? shown : unknown;
  const body = bodyOf(reply);
  if (reply.undocumented || body === undefined) return unknown;
  if (Object.hasOwn(body, name)) return isFirm(name, body[name]) ? body[name] : unknown;
  if ((kind !== 'company' && kind !== 'contact') || !isObject(dataOf(reply))) return unknown;
  return isNothing(shown) ? null : shown;
}

/** The records in a reply: one, or those of a list. */
export const recordsIn = (reply: Reply): readonly JsonObject[] => {
  const data = dataOf(reply);
  return isObject(data) ? [data] : itemsOf(reply);
};
