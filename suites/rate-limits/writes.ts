// Spent writes of an account: refused writes have no effect.
import {
  type Api,
  type Call,
  type Company,
  createNote,
  deleteNote,
  editNote,
  type Fixtures,
  idempotencyKeyOf,
  type Note,
  type OperationId,
  type Random,
  type Reply,
  type Tools,
  usualText,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { writesOn } from '../shared/refusals.ts';
import { unknownIds } from '../shared/unknown.ts';
import { isThrottled, type Send } from './burst.ts';
import { accepting, harmlessHeaders } from './reads.ts';

const change = 'PATCH /me/active-account';
/** Invalid note texts. */
const noTexts: readonly [unknown, ...unknown[]] = ['', ' ', '\t', ' \n ', null, 42, undefined];

/** Writes that change nothing. With `note`, the edit names an existing note. */
export function idleWrites(api: Api, company: number, random: Random, slug?: string, note?: Note): readonly Send[] {
  const [unknown] = unknownIds(random, [company]);
  const path = { company_id: company, note_id: unknown };
  const text = () => ({ body: { text: random.pick(noTexts) } });
  const calls: readonly (readonly [OperationId, Call])[] = [
    [change, { body: { slug: slug ?? `covenant-${unknown}` } }],
    ['POST /api-keys', { body: {} }],
    ['POST /companies', { body: {} }],
    ['PATCH /companies/{company_id}', { path: { company_id: unknown }, body: { company_type: 'lender' } }],
    ['POST /contacts', { body: {} }],
    [createNote, { path, ...text() }],
    [editNote, { path: { ...path, note_id: note?.id ?? unknown }, ...text() }],
    [deleteNote, { path }],
  ];
  return calls.map(([operation, call]) => accepting(api, operation, call));
}

/** One request while it is refused. Once it was accepted, or lost, as it may have been carried out, the next. */
function whileRefused(next: () => Send): Send {
  let refused: Send | undefined;
  return async () => {
    const send = refused ?? next();
    refused = undefined;
    const reply = await send();
    if (isThrottled(reply)) refused = send;
    return reply;
  };
}

/** The next has another Idempotency-Key: a replay need not count. */
export const underOneKey = (api: Api, random: Random, operation: OperationId, call: Call): Send =>
  whileRefused(() => accepting(api, operation, { ...call, key: random.uuid() }));

/** Each of these, and then the first again. */
function inTurn(sends: readonly Send[]): readonly Send[] {
  const [first] = sends;
  const left = [...sends];
  return first ? [whileRefused(() => left.shift() ?? first)] : [];
}

/** One refused deletion proves nothing: another case may have deleted the note meanwhile. */
const refusedMax = 1;

interface Records {
  readonly company: Company;
  /** Edited by every write of a burst. */
  readonly note: Note;
  /** Targets of deletions. */
  readonly targets: Fixtures['exhaustibleTargets'];
}

export type Writer = ReturnType<typeof writerOf>;

/** All writes to the records of the exhausted account. */
export function writerOf(api: Api, { make, random }: Pick<Tools, 'make' | 'random'>, records: Records) {
  const { company, note, targets } = records;
  const path = { company_id: company.id };
  const written: Reply[] = [];

  /** A valid write, each time with another text; with a key, under another one. */
  const write =
    (operation: OperationId, call: Call = {}, type?: 'lender' | 'sponsor'): Send =>
    async () => {
      const name = make.name('write of a burst');
      // With another header, which may be refused, the text is plain, so that it is not the cause.
      const text = operation === editNote && call.account === undefined ? `${name} - ${usualText(random)}` : name;
      const [, own] = writesOn(records, text, type).find(([one]) => one === operation) ?? [];
      const key = call.key === undefined ? {} : { key: random.uuid() };
      const reply = await accepting(api, operation, { ...call, ...own, ...key })();
      written.push(reply);
      // If a key is created after all, its secret is kept out of reports.
      if (operation === 'POST /api-keys' && wasAccepted(reply)) make.credential(api.credential, reply);
      return reply;
    };
  const edit = write(editNote);
  const create = write(createNote);

  const deletions = [
    ...inTurn(targets.keys.map(({ id }) => accepting(api, 'DELETE /api-keys/{key_id}', { path: { key_id: id } }))),
    ...inTurn(targets.notes.map(({ id }) => accepting(api, deleteNote, { path: { ...path, note_id: id } }))),
  ];

  let [isSpent, refusedOtherwise] = [false, 0];
  /** Deletes what other cases left, as long as there is something and the class is not spent; then edits. */
  const deleteOrEdit: Send = async () => {
    const path = isSpent || refusedOtherwise > refusedMax ? undefined : targets.leftNotes.pop();
    if (path === undefined) return edit();
    const reply = await accepting(api, deleteNote, { path })();
    if (isThrottled(reply)) targets.leftNotes.push(path);
    isSpent ||= isThrottled(reply);
    refusedOtherwise += wasAccepted(reply) || isThrottled(reply) ? 0 : 1;
    return reply;
  };

  /**
   * With one note creation, one note deletion and one key revocation among the first `most` requests. After some are
   * refused with another status than 429, which need not be counted, only edits follow.
   */
  const varied = (most: number): Send => {
    const rare = [...deletions, create];
    const others = Array.from({ length: Math.max(0, most - rare.length) }, () => deleteOrEdit);
    const sends = random.shuffled([...rare, ...others]);
    return async () => {
      const send = (refusedOtherwise > refusedMax ? undefined : sends.pop()) ?? deleteOrEdit;
      const reply = await send();
      refusedOtherwise += send === deleteOrEdit || wasAccepted(reply) || isThrottled(reply) ? 0 : 1;
      return reply;
    };
  };

  /** Each write operation, valid, once plain and once with a harmless header; deletions delete. */
  const looks = (): readonly Send[] => {
    const operations = writesOn(records, '').flatMap(([one]) => (one.startsWith('DELETE') ? [] : [one]));
    const [unknown] = unknownIds(random, [company.id, note.id]);
    const switching = { body: { slug: targets.slug ?? `covenant-${unknown}` } };
    const optional = (): Call =>
      random.int(0, 1) === 0 ? { key: random.uuid() } : harmlessHeaders(random, targets.slug);
    return [
      ...[accepting(api, change, switching), underOneKey(api, random, change, switching)],
      ...operations.flatMap((one) => [write(one), write(one, optional(), 'sponsor')]),
      ...deletions,
    ];
  };
  return { written, write, edit, deleteOrEdit, create, varied, looks, ...retryOf(api, company.id, { make, random }) };
}

/** Creates a note once more, as its creation did and under the same key. */
export const repetitionOf = (company_id: number, { request }: Pick<Reply, 'request'>): Call => ({
  path: { company_id },
  text: request.body ?? '',
  key: idempotencyKeyOf({ request }) ?? null,
});

/** A creation that is sent as the same request after each refusal, and a repetition of it if it was accepted. */
function retryOf(api: Api, company_id: number, { make, random }: Pick<Tools, 'make' | 'random'>) {
  const body = { text: make.name('write that was refused at first') };
  const send = underOneKey(api, random, createNote, { path: { company_id }, body });
  let carriedOut: Reply | undefined;
  const retried: Send = async () => {
    const reply = await send();
    if (wasAccepted(reply)) carriedOut = reply;
    return reply;
  };
  const repeat = async () => carriedOut && api.send(createNote, repetitionOf(company_id, carriedOut));
  return { retried, repeat };
}
