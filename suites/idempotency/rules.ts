// Rules for Idempotency-Key: a repeat returns the same record, different creations return different ones.
import {
  createdIn,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  formerOf,
  grouped,
  idempotencyKeyOf,
  identifierOf,
  type Judge,
  type JudgedId,
  type OperationId,
  pathOf,
  type RecordKind,
  type Reply,
  type Rule,
  rules,
  wasAccepted,
  writeOf,
} from '../../lib/index.ts';
import { editsBack, nameOf, once, overtaken, textOf } from './list-rules.ts';

interface Repeatable {
  readonly id: JudgedId;
  readonly kind: RecordKind;
  /** Whether a refusal of the repeat violates the requirement, too. */
  readonly answered: boolean;
}

const repeatable: { readonly [operation in OperationId]?: Repeatable } = {
  [createNote]: { id: 'idempotency-create-answer', kind: 'note', answered: true },
  [editNote]: { id: 'idempotency-edit-answer', kind: 'note', answered: true },
  'POST /companies': { id: 'idempotency-company-create', kind: 'company', answered: false },
  'POST /contacts': { id: 'idempotency-contact-create', kind: 'contact', answered: false },
};

/** Statuses that may have another cause than the repeat. */
const isOpen = ({ status }: Reply): boolean => status === 401 || status === 409 || status === 429 || status >= 502;

/** Each repeat returns the record of the first reply. If the note was deleted, any reply below 500 is allowed. */
const answers: Rule = ({ replies }, judge) => {
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

/** While the first is in progress a repeat may be refused; an internal error is no refusal. */
const raced: Rule = ({ replies }, judge) => {
  for (const all of grouped(replies, (one) => nameOf(one) ?? '').values()) {
    const rule = all[0]?.operation && repeatable[all[0].operation];
    const accepted = all.find(wasAccepted);
    if (!rule?.answered || accepted === undefined || nameOf(accepted) === undefined) continue;
    const atOnce = all.filter((one) => accepted.after < one.id && one.after < accepted.id);
    for (const one of atOnce.filter(({ status }) => status === 500)) judgeRepeat(accepted, one, rule, judge);
  }
};

function judgeRepeat(first: Reply, again: Reply, { id, kind, answered }: Repeatable, { expect, count }: Judge): void {
  if (again.status === 409 && answered) count(id, again);
  const expected = identifierOf(kind, dataOf(first));
  if (expected === undefined || isOpen(again) || (!answered && !wasAccepted(again))) return;
  const actual = wasAccepted(again) ? identifierOf(kind, dataOf(again)) : again.status;
  expect(id, again, actual === expected, `a repeated write should be answered with the same ${kind}, or with 409`, {
    expected: `${kind} ${expected}${answered ? ', or 409' : ', or a refusal'}`,
    actual,
    because: [first],
  });
}

/** Equal in all groups but one. */
function areSimilar(one: string, other: string): boolean {
  const groups = other.split('-');
  return one.split('-').filter((group, place) => group !== groups[place]).length <= 1;
}

/** The requirement that two creations make two notes. */
function otherId(key: string | undefined, other: string | undefined): JudgedId {
  if (key === undefined || other === undefined) return 'idempotency-key-none';
  return areSimilar(key, other) ? 'idempotency-key-similar' : 'idempotency-key-other';
}

/** Creations with different keys, or without one, make two notes. Possible repeats are left out. */
const otherKeys: Rule = ({ replies }, { expect }) => {
  const byPath = new Map<string, Reply>();
  const deletions = grouped(
    replies.filter(({ operation }) => operation === deleteNote),
    pathOf,
  );
  for (const reply of replies) {
    if (reply.operation !== createNote || createdIn(reply) === undefined) continue;
    const path = `${pathOf(reply)}/${createdIn(reply)}`;
    // The number of a deleted note may be used again.
    const isGone = deletions.get(path)?.some(({ after }) => after < reply.id);
    if (isGone) byPath.delete(path);
    const same = formerOf(byPath, path, reply);
    if (reply.mayReplay || reply.undocumented) continue;
    const former = [...byPath.values()].filter((one) => one !== reply && pathOf(one) === pathOf(reply));
    for (const other of former.filter((one) => one === same || textOf(one) === textOf(reply))) {
      const [key, otherKey] = [idempotencyKeyOf(reply), idempotencyKeyOf(other)];
      if (key !== undefined && key === otherKey) continue;
      const message = 'creations that do not share a key should make two notes';
      const found = { expected: 'another note', actual: `note ${createdIn(reply)}`, because: [other] };
      expect(otherId(key, otherKey), reply, other !== same, message, found);
    }
  }
};

/** The document does not describe a contact's identifier. */
const numbered: { readonly [Kind in RecordKind]?: JudgedId } = {
  company: 'companies-create-id',
  note: 'notes-create-id',
  key: 'api-keys-create-id',
};

/** Two records of one user have different identifiers. */
const identifiers: Rule = ({ replies, callers }, { expect }) => {
  // The number of a deleted record may be used again.
  const deleted = new Set(replies.filter(({ request }) => request.method === 'DELETE').map(pathOf));
  const created = new Map<string, Reply>();
  for (const reply of replies.filter((one) => !one.mayReplay && !one.undocumented)) {
    const [kind, id] = [writeOf(reply)?.kind, createdIn(reply)];
    const duty = kind && numbered[kind];
    if (kind === undefined || duty === undefined || !Number.isInteger(id)) continue;
    const [view, path] = [callers.viewOf(reply), `${pathOf(reply)}/${id}`];
    if (view === undefined || deleted.has(path)) continue;
    const first = formerOf(created, `${view} ${path}`, reply);
    if (first === undefined || mayBeOne(first, reply, kind)) continue;
    const found = { expected: 'another identifier', actual: id, because: [first] };
    expect(duty, reply, false, 'two creations should make two records', found);
  }
};

/** Both may be one operation, or other requirements judge them by their keys. */
function mayBeOne(one: Reply, other: Reply, kind: RecordKind): boolean {
  const [key, second] = [idempotencyKeyOf(one), idempotencyKeyOf(other)];
  const isKeyless = kind === 'note' && key === undefined && second === undefined;
  return isKeyless || one.request.body === other.request.body || (key !== undefined && key === second);
}

export const idempotencyRules = rules(
  ['api-keys-create-id', 'companies-create-id', 'notes-create-id'],
  answers,
  raced,
  otherKeys,
  identifiers,
  overtaken,
  once,
  editsBack,
);
