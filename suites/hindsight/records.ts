// Every record of the run in every reply that shows it, whoever asked and for whatever reason: it is what was written last.
import {
  dataOf,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  type JudgedId,
  type OperationId,
  type RecordKind,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { creations, type Entry, firmIn, History } from './history.ts';
import { wrong } from './judgement.ts';
import { areSame, broken, members } from './members.ts';
import { fieldsOf, isSession, pathOf, sentBody } from './sent.ts';
import { viewersOf } from './viewers.ts';

const shown: { readonly [Id in OperationId]?: RecordKind } = {
  'GET /companies/{company_id}': 'company',
  'GET /companies': 'company',
  'PATCH /companies/{company_id}': 'company',
  'GET /contacts': 'contact',
  'GET /companies/{company_id}/notes': 'note',
  'PATCH /companies/{company_id}/notes/{note_id}': 'note',
  'GET /api-keys': 'key',
};
/** By one of these a record is recognised as the run's own, also by somebody who may number records in another way. */
const names = ['name', 'last_name', 'label', 'text', 'website', 'linkedin_url', 'photo_url', 'email'];

interface Difference {
  readonly kind: RecordKind;
  readonly operation: OperationId;
  readonly name: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly replies: readonly Reply[];
  readonly outdated: boolean;
  /** Where it is not what the member and the operation say. */
  readonly id?: JudgedId;
}

const wrongRecord = (found: Difference): readonly Wrong[] => {
  const { kind, operation, name, expected, actual, replies, outdated } = found;
  const id = found.id ?? broken(kind, operation, name, outdated);
  const message = `the ${kind} in the reply of ${operation} should show its ${name}`;
  return id === undefined ? [] : [wrong(id, operation, message, { expected, actual, replies })];
};

const shownOnly = { outdated: false } as const;

/** The same request under the same Idempotency-Key. */
const isRepeat = (first: Reply, again: Reply): boolean =>
  first !== again &&
  first.operation === again.operation &&
  first.credential === again.credential &&
  first.request.url === again.request.url &&
  first.request.body === again.request.body &&
  first.request.headers['idempotency-key'] === again.request.headers['idempotency-key'];

/** The reply to a creation shows what was sent. */
function ofCreation(reply: Reply, operation: OperationId, kind: RecordKind): readonly Difference[] {
  const body = sentBody(reply);
  const record = dataOf(reply);
  if (body === undefined || !isObject(record) || reply.mayReplay || reply.undocumented) return [];
  const id = identifierOf(kind, record);
  if ((kind === 'company' || kind === 'note') && !Number.isInteger(id))
    return [
      { ...shownOnly, kind, operation, name: 'identifier', expected: 'an integer', actual: id, replies: [reply] },
    ];
  return Object.entries(firmIn(kind, body)).flatMap(([name, expected]): Difference[] =>
    record[name] === expected
      ? []
      : [{ kind, operation, name, expected, actual: record[name], replies: [reply], outdated: false }],
  );
}

/** What no company is without, whatever an edit has made of it. */
function isLawful(kind: RecordKind, name: string, value: unknown): boolean {
  if (kind !== 'company') return true;
  if (name === 'company_type') return value === 'lender' || value === 'sponsor';
  return name !== 'name' || (typeof value === 'string' && value !== '' && [...value].length <= 255);
}

/** An edit whose reply says again what it was given. */
const namesIt = (reply: Reply, name: string): boolean => name in (sentBody(reply) ?? {});

const lawful = 'a name of 1 to 255 characters; lender or sponsor';

export class Records {
  private readonly history: History;
  private readonly story: Story;

  constructor(story: Story) {
    this.story = story;
    this.history = new History(story);
  }

  wrong(): readonly Wrong[] {
    return this.story.replies.flatMap((reply) => this.differences(reply).flatMap(wrongRecord));
  }

  private differences(reply: Reply): readonly Difference[] {
    const { operation } = reply;
    if (operation === undefined || !wasAccepted(reply)) return [];
    const made = creations[operation];
    if (made !== undefined) return [...ofCreation(reply, operation, made), ...this.ofRepeat(reply, operation, made)];
    const kind = shown[operation];
    if (kind === undefined || reply.mayReplay) return [];
    const data = dataOf(reply);
    if (Array.isArray(data))
      return itemsOf(reply).flatMap((record) => [
        ...this.ofRecord(reply, operation, kind, record),
        ...this.ofNameless(reply, operation, kind, record),
      ]);
    return [
      ...this.ofAddress(reply, operation, kind),
      ...(isObject(data) ? this.ofRecord(reply, operation, kind, data) : []),
    ];
  }

  /** A record that is asked for by its identifier, or edited, comes with it. */
  private ofAddress(reply: Reply, operation: OperationId, kind: RecordKind): readonly Difference[] {
    const [id] = pathOf(reply).split('/').slice(-1);
    const entry = this.history.of(kind, reply, id);
    if (entry === undefined || this.history.families.rootOf(reply.credential) !== entry.root) return [];
    const actual = identifierOf(kind, dataOf(reply));
    if (Number.isInteger(actual) && String(actual) === id) return [];
    return [{ ...shownOnly, kind, operation, name: 'identifier', expected: Number(id), actual, replies: [reply] }];
  }

  /** In a list of whole records each has its identifier; one of the run's own is recognised by its text all the same. */
  private ofNameless(
    reply: Reply,
    operation: OperationId,
    kind: RecordKind,
    record: JsonObject,
  ): readonly Difference[] {
    const id = identifierOf(kind, record);
    if (kind === 'key' || kind === 'contact' || fieldsOf(reply) || Number.isInteger(id)) return [];
    const birth = this.history.bornWith(kind, reply, record[kind === 'note' ? 'text' : 'name']);
    if (birth === undefined || reply.after < birth.id) return [];
    const expected = identifierOf(kind, dataOf(birth));
    const found = { ...shownOnly, kind, operation, name: 'identifier', expected, actual: id, replies: [birth, reply] };
    return [{ ...found, id: kind === 'note' ? 'notes-list-contains' : 'companies-list-contains' }];
  }

  /** Created again under its Idempotency-Key a record is shown as it was created, or as an edit has left it. */
  private ofRepeat(reply: Reply, operation: OperationId, kind: RecordKind): readonly Difference[] {
    const body = sentBody(reply);
    const record = dataOf(reply);
    const entry = this.history.of(kind, reply, identifierOf(kind, record));
    if (!reply.mayReplay || reply.undocumented || reply.status !== 201 || !isObject(record) || !entry || !body)
      return [];
    const [birth] = entry.writes;
    if (birth === undefined || !isRepeat(birth.reply, reply)) return [];
    return Object.entries(firmIn(kind, body)).flatMap(([name, expected]): Difference[] => {
      const actual = record[name];
      const isLeft = this.history.isFormer(entry, name, actual) || this.history.mayBeEmptied(entry, name, actual);
      // Also one of which it is not known whether it was the last.
      const isNamed = entry.writes.some(({ named }) => named[name] === actual);
      const isKnown = actual === expected || isLeft || isNamed;
      return isKnown ? [] : [{ ...shownOnly, kind, operation, name, expected, actual, replies: [birth.reply, reply] }];
    });
  }

  private ofRecord(reply: Reply, operation: OperationId, kind: RecordKind, record: JsonObject): readonly Difference[] {
    const entry = this.history.of(kind, reply, identifierOf(kind, record));
    if (entry === undefined || !this.isOwn(entry, record, reply)) return [];
    const fields = fieldsOf(reply);
    const judged = members[kind].filter((name) => fields?.includes(name) ?? true);
    return judged.flatMap((name): Difference[] => {
      const values = this.history.allowed(entry, name, reply);
      const actual = record[name];
      const isBroken = entry.writes.length > 1 && !isLawful(kind, name, actual) && !namesIt(reply, name);
      if (values?.some((value) => areSame(name, value, actual)) ?? !isBroken) return [];
      const expected = values === undefined ? lawful : values.at(-1);
      const outdated = this.history.isFormer(entry, name, actual);
      const last = entry.writes.at(-1)?.reply;
      const replies = last === undefined || last === reply ? [reply] : [last, reply];
      // Where there is no text at all, what shows it has lost it.
      const isLeft = isBroken && typeof actual === 'string' && !operation.startsWith('PATCH');
      const isOthers = operation.startsWith('GET') && this.history.isOfAnother(entry, name, actual);
      const id = isLeft ? 'companies-edit-bounds' : isOthers ? 'companies-edit-others' : undefined;
      return [{ kind, operation, name, expected, actual, replies, outdated, ...(id && { id }) }];
    });
  }

  /** Whether it is the record that was made, and not one of another account with the same number. */
  private isOwn(entry: Entry, record: JsonObject, reply: Reply): boolean {
    if (this.history.families.rootOf(reply.credential) === entry.root && !isSession(entry.root)) return true;
    const viewers = viewersOf(this.story.replies);
    const [birth] = entry.writes;
    if (birth && viewers.of(birth.reply) !== undefined && viewers.of(birth.reply) === viewers.of(reply)) return true;
    return names.some((name) => {
      const known = entry.writes.some(({ values }) => values?.[name] === record[name]);
      return known && record[name] !== undefined;
    });
  }
}
