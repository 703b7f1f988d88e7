// Writes that were repeated under their Idempotency-Key: answered with the same record, and carried out once; and creations
// that are two.
import {
  bodyOf,
  callerOf,
  createdIn,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  grouped,
  idempotencyKeyOf,
  identifierOf,
  itemsOf,
  type Judge,
  lagMsMax,
  listNotes,
  listOf,
  type OperationId,
  pathOf,
  type RecordKind,
  type Reply,
  type Rule,
  rules,
  wasAccepted,
  writeOf,
} from '../../lib/index.ts';

const ids = [
  'api-keys-create-id',
  'companies-create-id',
  'idempotency-company-create',
  'idempotency-contact-create',
  'idempotency-create-answer',
  'idempotency-create-replay',
  'idempotency-edit-answer',
  'idempotency-edit-overtaken',
  'idempotency-key-none',
  'idempotency-key-other',
  'idempotency-key-similar',
  'notes-create-id',
] as const;
type Id = (typeof ids)[number];

interface Repeatable {
  readonly id: Id;
  readonly kind: RecordKind;
  /** A refusal of the repeat breaks the requirement, too. */
  readonly answered: boolean;
}

const repeatable: { readonly [operation in OperationId]?: Repeatable } = {
  [createNote]: { id: 'idempotency-create-answer', kind: 'note', answered: true },
  [editNote]: { id: 'idempotency-edit-answer', kind: 'note', answered: true },
  'POST /companies': { id: 'idempotency-company-create', kind: 'company', answered: false },
  'POST /contacts': { id: 'idempotency-contact-create', kind: 'contact', answered: false },
};

/** What makes two requests the same, to the letter; undefined without a key. */
function nameOf(reply: Reply): string | undefined {
  const { url, body } = reply.request;
  const key = idempotencyKeyOf(reply);
  if (key === undefined || body === undefined || reply.undocumented) return undefined;
  return JSON.stringify([key, reply.operation, callerOf(reply), url, body]);
}

/** Whatever came of it, the write may have been refused for a reason of its own. */
const isOpen = ({ status }: Reply): boolean => status === 401 || status === 409 || status === 429 || status >= 502;

/** Each repeat after the first is answered with its record; for a note that is gone since any answer will do that is one. */
const answers: Rule<Id> = ({ replies }, judge) => {
  const first = new Map<string, Reply>();
  const gone = new Set<string>();
  for (const reply of replies) {
    const { operation } = reply;
    if (operation === deleteNote) gone.add(pathOf(reply));
    const rule = operation && repeatable[operation];
    const name = rule && nameOf(reply);
    if (rule === undefined || name === undefined) continue;
    const known = first.get(name);
    if (known === undefined && wasAccepted(reply)) first.set(name, reply);
    if (known === undefined || known.id > reply.after) continue;
    const path = operation === editNote ? pathOf(reply) : `${pathOf(reply)}/${identifierOf('note', dataOf(known))}`;
    if (!(gone.has(path) && reply.status < 500)) judgeRepeat(known, reply, rule, judge);
  }
};

function judgeRepeat(first: Reply, again: Reply, { id, kind, answered }: Repeatable, { expect }: Judge<Id>): void {
  const expected = identifierOf(kind, dataOf(first));
  if (expected === undefined || isOpen(again) || (!answered && !wasAccepted(again))) return;
  const actual = wasAccepted(again) ? identifierOf(kind, dataOf(again)) : again.status;
  expect(id, again, actual === expected, `a repeated write should be answered with the same ${kind}, or with 409`, {
    expected: `${kind} ${expected}${answered ? ', or 409' : ', or a refusal'}`,
    actual,
    because: [first],
  });
}

/** The same in all groups but one. */
function areSimilar(one: string, other: string): boolean {
  const groups = other.split('-');
  return one.split('-').filter((group, place) => group !== groups[place]).length <= 1;
}

/** Two creations of notes that are to be two. */
function otherId(key: string | undefined, other: string | undefined): Id {
  if (key === undefined || other === undefined) return 'idempotency-key-none';
  return areSimilar(key, other) ? 'idempotency-key-similar' : 'idempotency-key-other';
}

/** Creations under two keys, or without one, make two notes; what may repeat another one has nothing to say of its own. */
const otherKeys: Rule<Id> = ({ replies }, { expect, count }) => {
  const created = new Map<string, Reply>();
  for (const reply of replies) {
    // The number of a note that is gone may be given out again.
    if (reply.operation === deleteNote) created.delete(pathOf(reply));
    const [key, id] = [idempotencyKeyOf(reply), identifierOf('note', dataOf(reply))];
    if (reply.operation !== createNote || !wasAccepted(reply) || id === undefined) continue;
    const place = `${pathOf(reply)}/${id}`;
    const first = created.get(place);
    created.set(place, first ?? reply);
    if (reply.mayReplay || reply.undocumented) continue;
    if (first === undefined) {
      count(key === undefined ? 'idempotency-key-none' : 'idempotency-key-other');
      continue;
    }
    const other = idempotencyKeyOf(first);
    if (key !== undefined && other === key) continue;
    const found = { expected: 'another note', actual: `note ${id} again`, because: [first] };
    expect(otherId(key, other), reply, false, 'creations that do not share a key should make two notes', found);
  }
};

/** That of a contact is not described. */
const numbered: { readonly [Kind in RecordKind]?: Id } = {
  company: 'companies-create-id',
  note: 'notes-create-id',
  key: 'api-keys-create-id',
};

/** Identifiers that creations gave out are integers, and two records of one user have two, however close together they were made. */
const identifiers: Rule<Id> = ({ replies, callers }, { expect }) => {
  // What is gone leaves its number free.
  const deleted = new Set(replies.filter(({ request }) => request.method === 'DELETE').map(pathOf));
  const created = new Map<string, Reply>();
  for (const { reply, kind, duty, id } of replies.flatMap(numberIn)) {
    const message = `the identifier of a ${kind} should be an integer`;
    if (!expect(duty, reply, Number.isInteger(id), message, { expected: 'an integer', actual: id })) continue;
    const [view, path] = [callers.viewOf(reply), `${pathOf(reply)}/${id}`];
    if (view === undefined || deleted.has(path)) continue;
    const first = created.get(`${view} ${path}`);
    created.set(`${view} ${path}`, first ?? reply);
    if (first === undefined || mayBeOne(first, reply, kind)) continue;
    const found = { expected: 'another identifier', actual: id, because: [first] };
    expect(duty, reply, false, 'two creations should make two records', found);
  }
};

/** What a creation gave out, and the requirement on it. */
function numberIn(reply: Reply) {
  const write = writeOf(reply);
  const id = reply.mayReplay || reply.undocumented ? undefined : createdIn(reply);
  const duty = write && numbered[write.kind];
  return write === undefined || duty === undefined || id === undefined ? [] : [{ reply, kind: write.kind, duty, id }];
}

/** They may be one operation, or are judged by their keys: what the second shows of the first is a requirement of its own. */
function mayBeOne(one: Reply, other: Reply, kind: RecordKind): boolean {
  const [key, second] = [idempotencyKeyOf(one), idempotencyKeyOf(other)];
  const isKeyless = kind === 'note' && key === undefined && second === undefined;
  return isKeyless || one.request.body === other.request.body || (key !== undefined && key === second);
}

/** Lists show the text of the latest edit, not that of one that was repeated after it. */
const overtaken: Rule<Id> = ({ replies, lost: unclear }, { expect, count }) => {
  const accepted = replies.filter((reply) => reply.operation === editNote && wasAccepted(reply));
  const lost = new Set(unclear.map(({ url }) => new URL(url).pathname));
  const notes = new Map(
    [...grouped(accepted, pathOf)].flatMap(([path, edits]) =>
      lost.has(path) ? [] : [[path, editsOf(edits)] as const],
    ),
  );
  for (const list of replies) {
    if (list.operation !== listNotes || !wasAccepted(list)) continue;
    for (const item of itemsOf(list)) {
      const edits = notes.get(`${pathOf(list)}/${identifierOf('note', item)}`);
      if (edits === undefined || edits.repeated.length === 0) continue;
      count('idempotency-edit-overtaken');
      const found = overtakenBy(edits, item.text, list);
      if (found === undefined) continue;
      expect('idempotency-edit-overtaken', list, false, 'repeating an overtaken edit should not undo the later one', {
        expected: textOf(found[0]),
        actual: item.text,
        because: found,
        operation: editNote,
      });
    }
  }
};

/** The edits of a note, each under its own key; a repeat is none. */
interface Edits {
  readonly all: readonly Reply[];
  readonly repeated: readonly Reply[];
}

function editsOf(edits: readonly Reply[]): Edits {
  const names = edits.map(nameOf);
  const isRepeat = (_: Reply, place: number): boolean =>
    names[place] !== undefined && names.indexOf(names[place]) < place;
  return { all: edits.filter((one, place) => !isRepeat(one, place)), repeated: edits.filter(isRepeat) };
}
const textOf = (reply: Reply): unknown => bodyOf(reply)?.text;

/** The latest edit and the repeat that undid it; undefined where the list may show the text for another reason. */
function overtakenBy({ all, repeated }: Edits, text: unknown, list: Reply): readonly [Reply, Reply] | undefined {
  const last = all.at(-1);
  const repeat = repeated.findLast((one) => textOf(one) === text);
  if (last === undefined || repeat === undefined || textOf(last) === text) return undefined;
  const isOver = last.receivedAt < list.sentAt - lagMsMax;
  const inOrder = all.every((one, place) => place === 0 || (all[place - 1]?.id ?? 0) <= one.after);
  return isOver && inOrder && last.id <= repeat.after && repeat.id <= list.after ? [last, repeat] : undefined;
}

/** No list shows more notes of a text than keys were used to make them. */
const once: Rule<Id> = ({ replies, history }, { expect }) => {
  const creations = new Map<string, Reply[]>();
  /** Texts that edits gave, too. */
  const edited = new Set<string>();
  for (const reply of replies) {
    const path = pathOf(reply);
    if (reply.operation === createNote) creations.set(path, [...(creations.get(path) ?? []), reply]);
    if (reply.operation === editNote) edited.add(`${listOf(path)} ${textOf(reply)}`);
  }
  // What got no reply may have been carried out more than once on its way.
  for (const { url } of history.lost) creations.delete(new URL(url).pathname);
  for (const reply of replies) {
    const made = creations.get(pathOf(reply));
    if (reply.operation !== listNotes || made === undefined || !wasAccepted(reply)) continue;
    const texts = itemsOf(reply).map(({ text }) => text);
    for (const text of new Set(texts)) {
      const sources = made.filter((one) => textOf(one) === text && one.after < reply.id);
      const most = edited.has(`${pathOf(reply)} ${text}`) ? undefined : mostOf(sources);
      if (most === undefined) continue;
      const number = texts.filter((one) => one === text).length;
      const found = {
        ...{ expected: 'one note for each Idempotency-Key', actual: `${number} notes of the same text` },
        ...{ because: sources.slice(0, 3), operation: createNote },
      };
      const message = 'a repeated creation should make no second note';
      expect('idempotency-create-replay', reply, number <= most, message, found);
    }
  }
};

/** So many notes there may be of creations of one text; undefined where it is not known, or none was repeated. */
function mostOf(creations: readonly Reply[]): number | undefined {
  if (!creations.some((one) => one.mayReplay)) return undefined;
  // What a key is that is not a UUID is not said; a race is judged where it is run.
  const isRaced = creations.some((one, place) => creations.slice(0, place).some(({ id }) => id > one.after));
  const keys = creations.map(idempotencyKeyOf);
  const isOpen = isRaced || creations.some((one) => one.undocumented) || keys.includes(undefined);
  return isOpen ? undefined : new Set(keys).size;
}

export const idempotencyRules = rules(ids, answers, otherKeys, identifiers, overtaken, once);
