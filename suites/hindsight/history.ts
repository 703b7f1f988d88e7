// What a run wrote, record by record: who made it, with what, and what each edit made of it.
import {
  at,
  dataOf,
  identifierOf,
  isObject,
  type JsonObject,
  lagMsMax,
  type OperationId,
  type RecordKind,
  type Reply,
  type Story,
  wasAccepted,
} from '../../lib/index.ts';
import { type Families, familiesOf } from './families.ts';
import { isFirm, members } from './members.ts';
import { pathOf, queryOf, sentBody } from './sent.ts';

export const creations: { readonly [Id in OperationId]?: RecordKind } = {
  'POST /companies': 'company',
  'POST /contacts': 'contact',
  'POST /companies/{company_id}/notes': 'note',
  'POST /api-keys': 'key',
};
const edits: { readonly [Id in OperationId]?: RecordKind } = {
  'PATCH /companies/{company_id}': 'company',
  'PATCH /companies/{company_id}/notes/{note_id}': 'note',
};

interface Write {
  readonly reply: Reply;
  /** The members that are known from then on; undefined: none is. */
  readonly values: JsonObject | undefined;
  /** What it names, known or not. */
  readonly named: JsonObject;
  /** It names every member. */
  readonly whole: boolean;
  /** The write before it: what it does not name may be as it was, or gone. */
  readonly over?: Write;
  /** It may be the answer to an earlier request, and then changes nothing. */
  readonly perhaps: boolean;
  /** The one before it was under way still: either may have been the last. */
  readonly beside: boolean;
}

export interface Entry {
  readonly kind: RecordKind;
  readonly writes: Write[];
  /** The configured credential behind the one that made it. */
  readonly root: string;
}

/** What stands before the identifier of a record: notes may be numbered in each company anew. */
const placeOf = (kind: RecordKind, reply: Reply): string =>
  kind === 'note' ? `note of ${/\/companies\/([^/]+)\//.exec(pathOf(reply))?.[1]}` : kind;
const lastSegment = (reply: Reply): string => decodeURIComponent(pathOf(reply).split('/').at(-1) ?? '');

export function firmIn(kind: RecordKind, body: JsonObject): JsonObject {
  return Object.fromEntries(members[kind].flatMap((name) => (isFirm(name, body[name]) ? [[name, body[name]]] : [])));
}

/** An edit of a company is not shown: what it leaves is known of one with a whole record, and of others by what was there. */
function writeOf(kind: RecordKind, reply: Reply, former: Write | undefined): Write {
  const body = sentBody(reply);
  const beside = former !== undefined && former.reply.id > reply.after;
  const write = { reply, named: body ?? {}, perhaps: reply.mayReplay !== undefined, whole: true, beside };
  if (body === undefined || reply.status !== 200 || reply.undocumented) return { ...write, values: undefined };
  const over = former === undefined || former.perhaps || former.beside || beside ? {} : { over: former };
  const whole = members[kind].every((name) => Object.hasOwn(body, name));
  const isKnown = whole || (kind === 'company' && over.over !== undefined);
  return { ...write, ...over, whole, values: isKnown ? firmIn(kind, body) : undefined };
}

const nothing = [null, undefined, ''];
const required = ['name', 'company_type'];
const firstShown: readonly OperationId[] = ['POST /companies', 'POST /contacts'];

/** What was not given is what the reply to the creation showed. */
function shownAtBirth({ reply, named }: Write, name: string): readonly unknown[] | undefined {
  const record = dataOf(reply);
  const isFirst = reply.operation !== undefined && firstShown.includes(reply.operation);
  if (!isObject(record) || !isFirst || Object.hasOwn(named, name)) return undefined;
  return nothing.includes(record[name] as never) ? nothing : [record[name]];
}

/** All that a member may have been, where it is not known whether the writes took effect; undefined where that is not known. */
function everIn(write: Write, name: string): readonly unknown[] | undefined {
  const { values, named, over } = write;
  if (values === undefined) return undefined;
  const value = values[name];
  const former = over === undefined ? shownAtBirth(write, name) : everIn(over, name);
  if (value !== undefined) return over === undefined ? [value] : former && [...former, value];
  if (over === undefined) return former;
  return (named[name] ?? null) === null && former ? [...nothing, ...former] : undefined;
}

/** What a member may be after a write, what was written last; undefined where it is not known. */
function valuesAfter(write: Write, name: string): readonly unknown[] | undefined {
  const { values, whole, over } = write;
  if (values === undefined) return undefined;
  if (!whole || (over === undefined && values[name] === undefined)) {
    const ever = everIn(write, name);
    return required.includes(name) ? ever?.filter((value) => !nothing.includes(value as never)) : ever;
  }
  return values[name] === undefined ? undefined : [values[name]];
}

/** The reply to an edit shows what was asked for, where the record was made with something else. */
const showsAnother = (name: string, { reply, named }: Write, birth: Write | undefined): boolean =>
  birth !== undefined &&
  named[name] !== undefined &&
  named[name] !== birth.named[name] &&
  at(dataOf(reply), name) === named[name];

/** What the target chose itself, and shows again. */
const givenOut = (kind: RecordKind, reply: Reply): JsonObject =>
  kind === 'key'
    ? Object.fromEntries(
        ['key_prefix', 'created_at'].flatMap((name) => {
          const value = at(dataOf(reply), name);
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      )
    : {};

export class History {
  readonly families: Families;
  /** No edit was sent twice: one that is held up on its way may be carried out after a later one. */
  private readonly isPrompt: boolean;
  /** An edit was seen to change the type of a company: where none is, the type may be fixed at creation. */
  private changesTypes = false;
  private readonly entries = new Map<string, Entry>();
  /** Two were given the same identifier, or what became of one is not known. */
  private readonly unclear = new Set<string>();
  /** When the traversal began that leads on with a cursor: its pages may all show the list as it was then. */
  private readonly beginnings = new Map<string, number>();
  private readonly begun = new Map<Reply, number>();

  constructor({ replies, lost }: Story) {
    this.isPrompt = !lost.some(({ method }) => method === 'PATCH');
    this.families = familiesOf(replies);
    for (const reply of replies) {
      this.follow(reply);
      this.learn(reply);
    }
    for (const { method, url } of lost) if (method !== 'GET') this.forget(new URL(url).pathname);
  }

  of(kind: RecordKind, reply: Reply, id: number | string | undefined): Entry | undefined {
    const key = `${placeOf(kind, reply)} ${id}`;
    return this.unclear.has(key) ? undefined : this.entries.get(key);
  }

  /** The creation of a record with this name or text, by the same user. */
  bornWith(kind: RecordKind, reply: Reply, text: unknown): Reply | undefined {
    const root = this.families.rootOf(reply.credential);
    const place = placeOf(kind, reply);
    const isIt = ([key, entry]: readonly [string, Entry]): boolean =>
      key.startsWith(place) &&
      entry.root === root &&
      entry.writes[0]?.values?.[kind === 'note' ? 'text' : 'name'] === text;
    return text === undefined ? undefined : [...this.entries].find(isIt)?.[1].writes[0]?.reply;
  }

  /** The values that a member may show in a reply; undefined where they are not known. */
  allowed({ kind, writes }: Entry, name: string, reply: Reply): readonly unknown[] | undefined {
    const lags = Array.isArray(dataOf(reply));
    const isOver = ({ reply: write, perhaps }: Write): boolean =>
      !perhaps &&
      // The reply to a write shows what that write has left.
      ((write === reply && this.isPrompt) ||
        (lags ? write.receivedAt < (this.begun.get(reply) ?? reply.sentAt) - lagMsMax : write.id <= reply.after));
    const over = writes.filter(isOver);
    // Of writes that were under way together each may have been the last.
    const isSuperseded = ({ reply: { id } }: Write): boolean => over.some((later) => later.reply.after >= id);
    const possible = writes.filter((write) => write.reply.after < reply.id && !isSuperseded(write));
    const values = possible.map((write) => valuesAfter(write, name));
    if (values.length === 0 || values.includes(undefined)) return undefined;
    // Where a write was answered wrongly already, that is what is to blame.
    const answered = possible.filter((write) => write.reply !== reply).map((write) => at(dataOf(write.reply), name));
    const isFixed = kind === 'company' && name === 'company_type' && !this.changesTypes;
    const born = isFixed ? [writes[0]?.values?.[name]] : [];
    return [...born, ...answered, ...values.flatMap((some) => some ?? [])];
  }

  /** It was written to another company, and never to this one. */
  isOfAnother(entry: Entry, name: string, value: unknown): boolean {
    const isWritten = ({ writes }: Entry): boolean =>
      writes
        .slice(1)
        .some((one) => one.values?.[name] === value && this.families.rootOf(one.reply.credential) === entry.root);
    const others = [...this.entries.values()].filter((one) => one.kind === 'company' && one !== entry);
    return typeof value === 'string' && entry.kind === 'company' && entry.writes.length === 1 && others.some(isWritten);
  }

  /** It stood there before. */
  isFormer = ({ writes }: Entry, name: string, value: unknown): boolean =>
    writes.some(({ values }) => value !== undefined && values?.[name] === value) ||
    (nothing.includes(value as never) &&
      writes.slice(0, -1).some(({ named }) => nothing.includes(named[name] as never)));

  /** An edit has emptied it, or left it out: where an edit puts a whole record in the place of the former, that empties it too. */
  mayBeEmptied = ({ writes }: Entry, name: string, value: unknown): boolean =>
    nothing.includes(value as never) && writes.slice(1).some(({ named }) => nothing.includes(named[name] as never));

  private follow(reply: Reply): void {
    const cursor = queryOf(reply).get('cursor');
    const began = cursor === null ? reply.sentAt : (this.beginnings.get(cursor) ?? Number.NEGATIVE_INFINITY);
    if (cursor !== null) this.begun.set(reply, began);
    const next = at(reply.json, 'pagination', 'next_cursor');
    if (typeof next === 'string') this.beginnings.set(next, Math.min(began, this.beginnings.get(next) ?? began));
  }

  private learn(reply: Reply): void {
    const { operation } = reply;
    const made = operation && creations[operation];
    if (made !== undefined) this.bear(made, reply);
    const kind = operation && edits[operation];
    if (kind === undefined) return;
    const key = `${placeOf(kind, reply)} ${lastSegment(reply)}`;
    const writes = this.entries.get(key)?.writes;
    if (wasAccepted(reply)) {
      const write = writeOf(kind, reply, writes?.at(-1));
      this.changesTypes ||= kind === 'company' && showsAnother('company_type', write, writes?.[0]);
      writes?.push(write);
    } else if (reply.status >= 500) this.unclear.add(key);
  }

  private bear(kind: RecordKind, reply: Reply): void {
    const body = sentBody(reply);
    const id = identifierOf(kind, dataOf(reply));
    if (!wasAccepted(reply) || body === undefined || id === undefined) return;
    const key = `${placeOf(kind, reply)} ${id}`;
    const [birth] = this.entries.get(key)?.writes ?? [];
    if (birth !== undefined) {
      // Repeated under its Idempotency-Key it is the same record.
      const isSame = ['name', 'last_name', 'text', 'label'].every((name) => birth.named[name] === body[name]);
      if (!reply.mayReplay || !isSame) this.unclear.add(key);
      return;
    }
    const values = reply.undocumented ? undefined : { ...firmIn(kind, body), ...givenOut(kind, reply) };
    const root = this.families.rootOf(reply.credential);
    this.entries.set(key, {
      kind,
      root,
      writes: [{ reply, named: body, values, perhaps: false, whole: true, beside: false }],
    });
  }

  private forget(path: string): void {
    for (const [key, { writes }] of this.entries) {
      const [birth] = writes;
      const own = birth && `${pathOf(birth.reply)}/${key.split(' ').at(-1)}`;
      if (own === path) this.unclear.add(key);
    }
  }
}
