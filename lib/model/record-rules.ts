// Every shown record of the run has only values that its members may have at that time, whoever reads it.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import {
  dataOf,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  type RecordKind,
  type Reply,
  wasAccepted,
} from '../client/reply.ts';
import type { Judge, Rule } from './judge.ts';
import { areSame, isFirm, isNothing, members } from './members.ts';
import { bodyOf, fieldsOf, idempotencyKeyOf, pathOf } from './request.ts';
import type { Timeline, Window } from './timeline.ts';
import { type StoredRecord, unknown, type World } from './world.ts';
import { writeOf } from './writes.ts';

interface RecordTable<Id extends JudgedId> {
  readonly kind: RecordKind;
  /** Requirement by member in the reply to a creation; `others` is for members not named. */
  readonly created: { readonly [name: string]: Id };
  /** Requirement by operation that shows the record. */
  readonly shown: { readonly [operation in OperationId]?: Id };
  /** For a read that shows a value from before an edit. */
  readonly outdated?: Id;
  /** For a list that shows a record without its identifier. */
  readonly unlisted?: Id;
  /** Requirements on what may have changed the record since its last correct view, the likeliest first. */
  readonly causes?: (change: Change, world: World) => readonly Id[];
  /** For companies: an edit that leaves an invalid value, and an edit that changes another company. */
  readonly edited?: { readonly bounds: Id; readonly others: Id };
}

/** A value shown in a record that differs from what the last write should have stored. */
export interface Change {
  readonly stored: StoredRecord;
  readonly name: string;
  readonly actual: unknown;
  readonly last: { readonly value: unknown; readonly by: Reply };
  readonly reply: Reply;
}

export const recordRule =
  <Id extends JudgedId>(table: RecordTable<Id>): Rule<Id> =>
  (world, judge) => {
    for (const reply of world.replies) new Shown(table, world, judge, reply).judge();
  };

/** Values that every company must have, also after any edit. */
function isLawful(kind: RecordKind, name: string, value: unknown): boolean {
  if (kind !== 'company') return true;
  if (name === 'company_type') return value === 'lender' || value === 'sponsor';
  return name !== 'name' || (typeof value === 'string' && value !== '' && [...value].length <= 255);
}

/** The same request under the same Idempotency-Key. */
const isRepeat = (first: Reply, again: Reply): boolean =>
  first !== again &&
  first.operation === again.operation &&
  first.credential === again.credential &&
  first.request.url === again.request.url &&
  first.request.body === again.request.body &&
  idempotencyKeyOf(first) === idempotencyKeyOf(again);

class Shown<Id extends JudgedId> {
  private readonly table: RecordTable<Id>;
  private readonly world: World;
  private readonly verdict: Judge<Id>;
  private readonly reply: Reply;

  constructor(table: RecordTable<Id>, world: World, judge: Judge<Id>, reply: Reply) {
    this.table = table;
    this.world = world;
    this.verdict = judge;
    this.reply = reply;
  }

  judge(): void {
    const { reply, table } = this;
    const { operation, mayReplay } = reply;
    if (operation === undefined || !wasAccepted(reply)) return;
    const write = writeOf(reply);
    if (write?.does === 'create' && write.kind === table.kind) {
      if (mayReplay) this.ofRepeat();
      else this.ofCreation();
    }
    const isOpen = mayReplay || (reply.undocumented && reply.request.method === 'GET');
    if (table.shown[operation] !== undefined && !isOpen) this.ofData(dataOf(reply));
  }

  private ofData(data: unknown): void {
    const { reply, table } = this;
    if (!Array.isArray(data)) this.ofAddress();
    for (const record of Array.isArray(data) ? itemsOf(reply) : isObject(data) ? [data] : []) {
      if (Array.isArray(data)) this.ofIdentifier(record);
      const stored = this.world.shown(table.kind, reply, record);
      if (stored) this.ofMembers(stored, record);
    }
  }

  /** The reply to a creation shows the values that were sent. */
  private ofCreation(): void {
    const { reply, table } = this;
    const { kind, created } = table;
    const [body, record] = [bodyOf(reply), dataOf(reply)];
    if (body === undefined || !isObject(record) || reply.undocumented) return;
    if (created.identifier) {
      const id = identifierOf(kind, record);
      this.expect(created.identifier, 'identifier', Number.isInteger(id), 'an integer', id);
      if (!Number.isInteger(id)) return;
    }
    for (const name of members[kind]) {
      const id = created[name] ?? created.others;
      if (id && isFirm(name, body[name])) this.expect(id, name, record[name] === body[name], body[name], record[name]);
    }
  }

  /** A repeated creation under its Idempotency-Key shows the record as created, or as an edit left it. */
  private ofRepeat(): void {
    const { reply, world, table } = this;
    const [body, record] = [bodyOf(reply), dataOf(reply)];
    if (reply.undocumented || reply.status !== 201 || !isObject(record) || body === undefined) return;
    const stored = world.at(`${pathOf(reply)}/${identifierOf(table.kind, record)}`);
    if (stored === undefined || !isRepeat(stored.created, reply)) return;
    for (const [name, timeline] of stored.members) {
      const id = table.created[name] ?? table.created.others;
      if (id === undefined || !isFirm(name, body[name])) continue;
      const wasGiven = stored.edits.some((edit) => bodyOf(edit)?.[name] === record[name]);
      const wasEmptied = isNothing(record[name]) && stored.edits.some((edit) => isNothing(bodyOf(edit)?.[name]));
      const isFormer = timeline.effects.some(({ value }) => value === record[name]);
      const holds = record[name] === body[name] || wasGiven || wasEmptied || isFormer;
      this.expect(id, name, holds, body[name], record[name], stored.created);
    }
  }

  /** A record read or edited by its identifier shows that identifier. */
  private ofAddress(): void {
    const { reply, world, table } = this;
    const stored = world.at(pathOf(reply));
    const id = reply.operation && table.shown[reply.operation];
    if (stored === undefined || id === undefined || table.created.identifier === undefined) return;
    if (world.callers.ownerOf(reply.credential) !== stored.owner) return;
    const actual = identifierOf(table.kind, dataOf(reply));
    this.expect(id, 'identifier', Number.isInteger(actual) && String(actual) === String(stored.id), stored.id, actual);
  }

  /** Each listed record has its identifier, unless `fields` is given. Without one it is found by its text. */
  private ofIdentifier(record: JsonObject): void {
    const { reply, world, table } = this;
    const id = identifierOf(table.kind, record);
    if (table.unlisted === undefined || fieldsOf(reply) || Number.isInteger(id)) return;
    const name = table.kind === 'note' ? 'text' : 'name';
    const owner = world.callers.ownerOf(reply.credential);
    const source = world
      .ofKind(table.kind)
      .find(
        (one) =>
          one.owner === owner &&
          one.path === `${pathOf(reply)}/${one.id}` &&
          one.created.id <= reply.after &&
          record[name] !== undefined &&
          one.members.get(name)?.effects[0]?.value === record[name],
      );
    if (source) this.expect(table.unlisted, 'identifier', false, source.id, id, source.created);
  }

  private ofMembers(stored: StoredRecord, record: JsonObject): void {
    const { reply, world } = this;
    const fields = fieldsOf(reply);
    const window = world.windowOf(reply);
    for (const [name, timeline] of stored.members) {
      if (fields?.includes(name) ?? true) this.ofMember(stored, name, record[name], timeline, window);
    }
  }

  private ofMember(
    stored: StoredRecord,
    name: string,
    actual: unknown,
    timeline: Timeline<unknown>,
    window: Window,
  ): void {
    const { reply, world, table } = this;
    // The reply to an accepted edit shows that edit or a concurrent one.
    const isOwn = reply.request.method !== 'GET' && timeline.effects.some(({ by, sure }) => by === reply && sure);
    const possible = timeline.possible(window).filter(({ to }) => !isOwn || to > reply.after);
    const last = possible.at(-1);
    if (last === undefined) return;
    const isOpen = possible.some(({ value }) => value === unknown);
    const isLeft = stored.edits.length > 0 && !isLawful(table.kind, name, actual) && !(name in (bodyOf(reply) ?? {}));
    if (isOpen && !isLeft) return;
    const fits = (value: unknown): boolean => areSame(name, value, actual) || (isNothing(value) && isNothing(actual));
    // If the write's own reply was already wrong, that reply is blamed. A company's type may be fixed at creation.
    const answered = possible.some(({ by }) => by !== reply && shownBy(by, name) === actual);
    const isFixed = name === 'company_type' && !world.changesTypes && fits(timeline.effects[0]?.value);
    const holds = !isOpen && (possible.some(({ value }) => fits(value)) || answered || isFixed);
    const causes = this.isRead ? (table.causes?.({ stored, name, actual, last, reply }, world) ?? []) : [];
    const isFormer = (): boolean => timeline.effects.some(({ value }) => value !== unknown && fits(value));
    const id = holds ? undefined : (causes[0] ?? this.blamed(stored, name, actual, isLeft, isFormer()));
    const expected = isOpen ? 'a name of 1 to 255 characters; lender or sponsor' : (last.value ?? 'nothing');
    if (id) this.expect(id, name, false, expected, actual, last.by);
    else if (holds) this.count(stored, causes);
  }

  /** Counts a value that could have failed. */
  private count(stored: StoredRecord, causes: readonly Id[]): void {
    const { operation = 'GET /me' } = this.reply;
    const outdated = this.isRead && stored.edits.length > 0 && this.table.outdated;
    for (const id of [this.table.shown[operation], outdated, ...causes]) if (id) this.verdict.count(id, this.reply);
  }

  /** Companies are also read by identifier: a stale list alone is the list's fault. */
  private get isRead(): boolean {
    return this.reply.request.method === 'GET' && this.reply.operation !== 'GET /companies';
  }

  private blamed(
    stored: StoredRecord,
    name: string,
    actual: unknown,
    isLeft: boolean,
    isFormer: boolean,
  ): Id | undefined {
    const { edited, outdated, shown } = this.table;
    const isGet = this.reply.request.method === 'GET';
    // A value that is no text at all was lost by the operation that shows it.
    if (edited && isLeft && typeof actual === 'string' && isGet) return edited.bounds;
    if (edited && isGet && this.isOfAnother(stored, name, actual)) return edited.others;
    return (isFormer && this.isRead ? outdated : undefined) ?? shown[this.reply.operation ?? 'GET /me'];
  }

  /** The value was written to another company, and this one was never edited. */
  private isOfAnother(stored: StoredRecord, name: string, value: unknown): boolean {
    if (typeof value !== 'string' || stored.edits.length > 0) return false;
    const isGiven = (one: StoredRecord): boolean =>
      one.edits.some(
        (edit) => bodyOf(edit)?.[name] === value && this.world.callers.ownerOf(edit.credential) === stored.owner,
      );
    return this.world.ofKind(stored.kind).some((one) => one !== stored && isGiven(one));
  }

  private expect(
    id: Id,
    name: string,
    holds: boolean,
    expected: unknown,
    actual: unknown,
    ...because: readonly Reply[]
  ): void {
    const { reply, table } = this;
    const message = `the ${table.kind} in the reply of ${reply.operation} should show its ${name}`;
    this.verdict.expect(id, reply, holds, message, {
      expected,
      actual,
      because: because.filter((one) => one !== reply),
    });
  }
}

const shownBy = (reply: Reply, name: string): unknown => {
  const data = dataOf(reply);
  return isObject(data) ? data[name] : undefined;
};
