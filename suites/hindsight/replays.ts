// Writes that were repeated under their Idempotency-Key: answered with the same record, and carried out once.
import {
  dataOf,
  identifierOf,
  itemsOf,
  type JudgedId,
  type OperationId,
  type RecordKind,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { sentBody } from './history.ts';
import { wrong } from './judgement.ts';

export const replayIds = [
  'idempotency-create-answer',
  'idempotency-edit-answer',
  'idempotency-create-replay',
  'idempotency-company-create',
  'idempotency-contact-create',
] as const satisfies readonly JudgedId[];

const createNote: OperationId = 'POST /companies/{company_id}/notes';
const editNote: OperationId = 'PATCH /companies/{company_id}/notes/{note_id}';
const deleteNote: OperationId = 'DELETE /companies/{company_id}/notes/{note_id}';

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

const pathOf = (url: string): string => new URL(url).pathname;

/** What makes two requests the same; undefined without a key. */
function nameOf(reply: Reply): string | undefined {
  const { headers, url } = reply.request;
  const key = headers['idempotency-key'];
  const body = sentBody(reply);
  if (key === undefined || body === undefined || reply.undocumented) return undefined;
  const members = Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([key, reply.operation, reply.credential, headers['x-active-account'], url, members]);
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

/** Each repeat after the first was answered; what was done to a note that is gone since is open. */
function ofAnswers(replies: readonly Reply[]): readonly Wrong[] {
  const first = new Map<string, Reply>();
  const gone = new Set<string>();
  return replies.flatMap((reply): readonly Wrong[] => {
    const { operation, request } = reply;
    if (operation === deleteNote) gone.add(pathOf(request.url));
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
        ? gone.has(pathOf(request.url))
        : gone.has(`${pathOf(request.url)}/${identifierOf('note', dataOf(known))}`);
    return known.id > reply.after || isGone ? [] : ofRepeat(known, reply, rule as Repeatable);
  });
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
    const path = pathOf(reply.request.url);
    if (reply.operation === createNote) notesOf(path).creations.push(reply);
    if (reply.operation === editNote) notesOf(path.replace(/\/[^/]*$/, '')).edited.add(sentBody(reply)?.text);
  }
  // What got no reply may have been carried out more than once on its way.
  for (const { url } of lost) lists.delete(pathOf(url));
  return replies.flatMap((reply): readonly Wrong[] => {
    const notes = lists.get(pathOf(reply.request.url));
    if (reply.operation !== 'GET /companies/{company_id}/notes' || notes === undefined || !wasAccepted(reply))
      return [];
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

export const judgeReplays = (story: Story): readonly Wrong[] => [...ofAnswers(story.replies), ...ofLists(story)];
