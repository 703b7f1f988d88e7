// Writes that were repeated under their Idempotency-Key: answered with the same record, and carried out once.
import {
  dataOf,
  identifierOf,
  itemsOf,
  type JudgedId,
  lagMsMax,
  type OperationId,
  type RecordKind,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { createNote, deleteNote, editNote, listNotes } from '../shared/note-operations.ts';
import { keyOf } from '../shared/surroundings.ts';
import { wrong } from './judgement.ts';
import { pathOf, sentBody } from './sent.ts';

export const replayIds = [
  'idempotency-create-answer',
  'idempotency-edit-answer',
  'idempotency-create-replay',
  'idempotency-edit-overtaken',
  'idempotency-key-none',
  'idempotency-key-other',
  'idempotency-key-similar',
  'idempotency-company-create',
  'idempotency-contact-create',
] as const satisfies readonly JudgedId[];

interface Repeatable {
  readonly id: (typeof replayIds)[number];
  readonly kind: RecordKind;
  /** A refusal of the repeat breaks the requirement, too. */
  readonly answered: boolean;
}

const repeatable: { readonly [Id in OperationId]?: Repeatable } = {
  [createNote]: { id: 'idempotency-create-answer', kind: 'note', answered: true },
  [editNote]: { id: 'idempotency-edit-answer', kind: 'note', answered: true },
  'POST /companies': { id: 'idempotency-company-create', kind: 'company', answered: false },
  'POST /contacts': { id: 'idempotency-contact-create', kind: 'contact', answered: false },
};

/** What makes two requests the same, to the letter; undefined without a key. */
function nameOf(reply: Reply): string | undefined {
  const { headers, url, body } = reply.request;
  const key = headers['idempotency-key'];
  if (key === undefined || body === undefined || reply.undocumented) return undefined;
  return JSON.stringify([key, reply.operation, reply.credential, headers['x-active-account'], url, body]);
}

/** Whatever came of it, the write may have been refused for a reason of its own. */
const isOpen = ({ status }: Reply): boolean => status === 401 || status === 409 || status === 429 || status >= 502;

function ofRepeat(first: Reply, again: Reply, { id, kind, answered }: Repeatable): readonly Wrong[] {
  const { operation } = again;
  const expected = identifierOf(kind, dataOf(first));
  if (operation === undefined || expected === undefined || isOpen(again)) return [];
  const actual = wasAccepted(again) ? identifierOf(kind, dataOf(again)) : again.status;
  if (actual === expected || (!answered && !wasAccepted(again))) return [];
  return [
    wrong(id, operation, `a repeated write should be answered with the same ${kind}, or with 409`, {
      expected: `${kind} ${expected}${answered ? ', or 409' : ', or a refusal'}`,
      actual,
      replies: [first, again],
    }),
  ];
}

/** Each repeat after the first was answered; for a note that is gone since any answer will do that is one. */
function ofAnswers(replies: readonly Reply[]): readonly Wrong[] {
  const first = new Map<string, Reply>();
  const gone = new Set<string>();
  return replies.flatMap((reply): readonly Wrong[] => {
    const { operation } = reply;
    if (operation === deleteNote) gone.add(pathOf(reply));
    const rule = operation && repeatable[operation];
    const name = rule && nameOf(reply);
    if (name === undefined) return [];
    const known = first.get(name);
    if (known === undefined) {
      if (wasAccepted(reply)) first.set(name, reply);
      return [];
    }
    const isGone =
      operation === editNote
        ? gone.has(pathOf(reply))
        : gone.has(`${pathOf(reply)}/${identifierOf('note', dataOf(known))}`);
    const isAnswered = isGone && reply.status < 500;
    return known.id > reply.after || isAnswered ? [] : ofRepeat(known, reply, rule as Repeatable);
  });
}

/** The same in all groups but one. */
function areSimilar(one: string, other: string): boolean {
  const groups = other.split('-');
  return one.split('-').filter((group, place) => group !== groups[place]).length <= 1;
}

/** Two creations that are to be two. */
function dutyOf(key: string | undefined, other: string | undefined): (typeof replayIds)[number] {
  if (key === undefined || other === undefined) return 'idempotency-key-none';
  return areSimilar(key, other) ? 'idempotency-key-similar' : 'idempotency-key-other';
}

/** Creations under two keys, or without one, make two notes; what may repeat another one has nothing to say of its own. */
function ofOtherKeys(replies: readonly Reply[]): readonly Wrong[] {
  const born = new Map<string, Reply>();
  return replies.flatMap((reply): readonly Wrong[] => {
    // The number of a note that is gone may be given out again.
    if (reply.operation === deleteNote) born.delete(pathOf(reply).replace(/\/(?=[^/]*$)/, ' '));
    const key = keyOf(reply);
    const id = identifierOf('note', dataOf(reply));
    if (reply.operation !== createNote || !wasAccepted(reply) || id === undefined) return [];
    const place = `${pathOf(reply)} ${id}`;
    const first = born.get(place) ?? reply;
    born.set(place, first);
    const other = keyOf(first);
    const isSame = first === reply || (key !== undefined && other === key);
    if (isSame || reply.mayReplay || reply.undocumented) return [];
    return [
      wrong(dutyOf(key, other), createNote, 'creations that do not share a key should make two notes', {
        expected: 'another note',
        actual: `note ${id} again`,
        replies: [first, reply],
      }),
    ];
  });
}

interface Edit {
  readonly reply: Reply;
  readonly text: unknown;
}

/** The texts of a note by its edits, each under its own key; a repeat is none. */
class Edits {
  readonly all: Edit[] = [];
  readonly repeated: Edit[] = [];

  add(reply: Reply): void {
    const edit = { reply, text: sentBody(reply)?.text };
    const name = nameOf(reply);
    const isRepeat = name !== undefined && this.all.some((one) => nameOf(one.reply) === name);
    (isRepeat ? this.repeated : this.all).push(edit);
  }
}

/** Lists show the text of the latest edit, not that of one that was repeated after it. */
function ofOvertaken({ replies, lost }: Story): readonly Wrong[] {
  const notes = new Map<string, Edits>();
  for (const reply of replies) {
    if (reply.operation !== editNote || !wasAccepted(reply)) continue;
    const path = pathOf(reply);
    const edits = notes.get(path) ?? new Edits();
    notes.set(path, edits);
    edits.add(reply);
  }
  for (const { url } of lost) notes.delete(new URL(url).pathname);
  return replies.flatMap((list) => {
    if (list.operation !== listNotes || !wasAccepted(list)) return [];
    return itemsOf(list).flatMap((item): readonly Wrong[] => {
      const edits = notes.get(`${pathOf(list)}/${identifierOf('note', item)}`);
      const overtaken = edits && overtakenBy(edits, item.text, list);
      if (overtaken === undefined) return [];
      const message = 'repeating an overtaken edit should not undo the later one';
      const found = {
        expected: overtaken[0].text,
        actual: item.text,
        replies: [...overtaken.map((one) => one.reply), list],
      };
      return [wrong('idempotency-edit-overtaken', editNote, message, found)];
    });
  });
}

/** The latest edit and the repeat that undid it; undefined where the list may show the text for another reason. */
function overtakenBy({ all, repeated }: Edits, text: unknown, list: Reply): readonly [Edit, Edit] | undefined {
  const last = all.at(-1);
  const repeat = repeated.findLast((one) => one.text === text);
  if (last === undefined || repeat === undefined || last.text === text) return undefined;
  const isOver = ({ reply }: Edit): boolean => reply.receivedAt < list.sentAt - lagMsMax;
  const inOrder = all.every((one, place) => place === 0 || (all[place - 1]?.reply.id ?? 0) <= one.reply.after);
  return isOver(last) && inOrder && last.reply.id <= repeat.reply.after && repeat.reply.id <= list.after
    ? [last, repeat]
    : undefined;
}

/** What was sent to one list of notes. */
class Notes {
  readonly creations: Reply[] = [];
  /** Texts that edits gave, too. */
  readonly edited = new Set<unknown>();

  /** So many notes of a text there may be; undefined where it is not known, or none was repeated. */
  most(text: unknown, before: Reply): number | undefined {
    const all = this.creations.filter((one) => sentBody(one)?.text === text && one.after < before.id);
    if (this.edited.has(text) || !all.some((one) => one.mayReplay)) return undefined;
    // What a key is that is not a UUID is not said.
    if (all.some((one) => one.undocumented)) return undefined;
    // A race is judged where it is run.
    if (all.some((one, place) => all.slice(0, place).some(({ id }) => id > one.after))) return undefined;
    const keys = all.map(({ request }) => request.headers['idempotency-key']);
    return keys.some((key) => key === undefined) ? undefined : new Set(keys).size;
  }
}

/** No list shows more notes of a text than keys were used to make them. */
function ofLists({ replies, lost }: Story): readonly Wrong[] {
  const lists = new Map<string, Notes>();
  const notesOf = (path: string): Notes => {
    const notes = lists.get(path) ?? new Notes();
    lists.set(path, notes);
    return notes;
  };
  for (const reply of replies) {
    const path = pathOf(reply);
    if (reply.operation === createNote) notesOf(path).creations.push(reply);
    if (reply.operation === editNote) notesOf(path.replace(/\/[^/]*$/, '')).edited.add(sentBody(reply)?.text);
  }
  // What got no reply may have been carried out more than once on its way.
  for (const { url } of lost) lists.delete(new URL(url).pathname);
  return replies.flatMap((reply): readonly Wrong[] => {
    const notes = lists.get(pathOf(reply));
    if (reply.operation !== listNotes || notes === undefined || !wasAccepted(reply)) return [];
    const texts = itemsOf(reply).map(({ text }) => text);
    const doubled = [...new Set(texts)].find((text) => {
      const most = notes.most(text, reply);
      return most !== undefined && texts.filter((one) => one === text).length > most;
    });
    if (doubled === undefined) return [];
    const source = notes.creations.filter((one) => sentBody(one)?.text === doubled);
    return [
      wrong('idempotency-create-replay', createNote, 'a repeated creation should make no second note', {
        expected: 'one note for each Idempotency-Key',
        actual: `${texts.filter((one) => one === doubled).length} notes of the same text`,
        replies: [...source.slice(0, 3), reply],
      }),
    ];
  });
}

export const judgeReplays = (story: Story): readonly Wrong[] => [
  ...ofAnswers(story.replies),
  ...ofLists(story),
  ...ofOtherKeys(story.replies),
  ...ofOvertaken(story),
];
