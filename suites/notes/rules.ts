// Rules for notes, for every caller: Endpoints / Companies, the rows on notes; Resources / Note.
import {
  at,
  bodyOf,
  type Change,
  companyOfNotes,
  computedOnce,
  createNote,
  type DefectOf,
  dataOf,
  deleteNote,
  editNote,
  either,
  grouped,
  idempotencyKeyOf,
  identifierOf,
  isObject,
  isShown,
  type JudgedId,
  listNotes,
  listOf,
  noteListsOf,
  pathOf,
  type Reply,
  type Rule,
  recordRule,
  recordsIn,
  refusalRule,
  rules,
  saysJson,
  saysNothing,
  tokenOf,
  type World,
  wasAccepted,
  wasThere,
} from '../../lib/index.ts';
import { listed } from './list-rules.ts';

type Id = 'notes-text-characters' | 'notes-text-long';

const texts: Rule<Id> = (world, { expect, count }) => {
  for (const reply of world.replies)
    for (const { shown, sent, by } of showingsIn(reply, world)) {
      if (!sent.every(isKept)) continue;
      const expected = sent.at(-1) ?? '';
      const lost = sent.includes(shown) ? undefined : lostIn(expected, shown);
      const found = { expected, actual: shown, because: by.filter((one) => one !== reply).slice(-1) };
      if (lost) expect(lost, reply, false, 'the text of a note should be kept whole', found);
      else for (const id of idsOf(expected)) count(id, reply);
    }
};

/**
 * A text must be accepted if its sender had another one accepted in the same list; a target may have a maximum above
 * 1,000.
 */
const accepted: Rule<Id> = (world, { expect }) => {
  const written = world.replies.filter(({ operation }) => operation === createNote || operation === editNote);
  const writes = written.filter((one) => saysJson(one) && !one.undocumented && typeof bodyOf(one)?.text === 'string');
  const byKey = grouped(writes, idempotencyKeyOf);
  // A page that a filter sends in place of every reply is requested again, under the same key.
  const isOwn = (one: Reply): boolean =>
    !one.mayReplay || (one.status === 403 && byKey.get(idempotencyKeyOf(one))?.length === 1);
  const wayOf = (reply: Reply): string =>
    [world.callers.ownerOf(reply.credential), listOf(pathOf(reply)), reply.request.headers['content-type']].join(' ');
  const ways = new Set(writes.filter(wasAccepted).map(wayOf));
  const mayHaveEnded = (reply: Reply): boolean =>
    world.keys.of(tokenOf(reply)) !== undefined && !world.keys.isLive(tokenOf(reply), reply);
  for (const reply of writes) {
    const [text, { status }] = [textOf(reply), reply];
    const [id] = idsOf(text).toReversed();
    const isOpen = [404, 409].includes(status) || saysNothing(reply) || wasAccepted(reply);
    const mayBeTooLong = [...text].length > longMin && [400, 413, 422].includes(status);
    if (id === undefined || isOpen || !isOwn(reply) || mayBeTooLong || !isKept(text)) continue;
    if (!ways.has(wayOf(reply)) || !wasThere(reply, world) || mayHaveEnded(reply)) continue;
    const found = { expected: '2xx, as for other texts', actual: status };
    expect(id, reply, false, 'the text of a note should be accepted', found);
  }
};

interface Showing {
  readonly shown: string;
  /** The texts that the reply may show. */
  readonly sent: readonly string[];
  readonly by: readonly Reply[];
}

const textOf = (reply: Reply): string => String(bodyOf(reply)?.text ?? '');
const shownBy = (reply: Reply): unknown => at(dataOf(reply), 'text');

/** The text in the reply to a write, or the texts of a list. */
function showingsIn(reply: Reply, world: World): readonly Showing[] {
  const { operation, mayReplay } = reply;
  if (!isShown(reply)) return [];
  if (operation !== listNotes) {
    const shown = operation === createNote || operation === editNote ? shownBy(reply) : undefined;
    return typeof shown === 'string' && !mayReplay ? [{ shown, sent: [textOf(reply)], by: [reply] }] : [];
  }
  return recordsIn(reply).flatMap((record): Showing[] => {
    const { text: shown } = record;
    const timeline = world.shown('note', reply, record)?.members.get('text');
    const by = (timeline?.possible(world.windowOf(reply)) ?? []).map((one) => one.by);
    // If a reply already showed the text like this, that reply is judged.
    const isOpen = by.length === 0 || by.some((one) => one.undocumented || shownBy(one) === shown);
    return typeof shown === 'string' && !isOpen ? [{ shown, sent: by.map(textOf), by }] : [];
  });
}

const longMin = 1000;
const special = /[\n\r\t"'\\<>&\u{10000}-\u{10ffff}]/u;
const idsOf = (text: string): readonly Id[] => [
  ...(special.test(text) ? (['notes-text-characters'] as const) : []),
  ...([...text].length >= longMin ? (['notes-text-long'] as const) : []),
];

/** A text in its normal form, of ordinary characters. */
const isKept = (text: string): boolean =>
  text === text.trim() &&
  text === text.normalize('NFC') &&
  !/[\p{Cc}\p{Cs}\ufeff]/u.test(text.replace(/[\n\r\t]/g, ''));

/** Letters and digits, without entities. */
const plain = (text: string): string => text.replace(/&#?\w+;|[^\p{L}\p{N}]|[\u{10000}-\u{10ffff}]/gu, '');
const withoutTags = (text: string): string => plain(text.replace(/<[^<>]*>/g, ''));

/** The requirement that a changed text violates; undefined where it is another text. */
function lostIn(sent: string, shown: string): Id | undefined {
  const ids = idsOf(sent);
  const isSame = [plain, withoutTags].some((of) => of(sent) === of(shown));
  if (isSame) return ids.find((id) => id === 'notes-text-characters');
  const isCut = plain(shown).length < plain(sent).length && plain(sent).startsWith(plain(shown));
  return isCut ? ids.find((id) => id === 'notes-text-long') : undefined;
}

const ofText =
  (on: 'create' | 'edit'): DefectOf<JudgedId> =>
  ({ text, ...more }, isAccepted) => {
    // Other members do not replace a text; with a text, they may be refused themselves.
    if (typeof text !== 'string') return [`notes-${on}-missing-text`, either];
    if (Object.keys(more).length > 0 && !isAccepted) return undefined;
    if (text === '') return [`notes-${on}-empty`, on === 'edit' ? [400] : either];
    return /^[ \t\r\n]+$/.test(text) ? [`notes-${on}-blank`, [422]] : undefined;
  };

/** `deleted` is true for a note that existed, otherwise a boolean. */
const deletionResult: Rule<'notes-delete-result'> = (world, { expect }) => {
  for (const reply of world.replies) {
    const data = dataOf(reply);
    if (reply.operation !== deleteNote || !isShown(reply) || reply.mayReplay || !isObject(data)) continue;
    const actual = at(data, 'deleted');
    const existed = wasThere(reply, world);
    const holds = existed ? actual === true : typeof actual === 'boolean';
    const found = { expected: existed ? true : 'a boolean', actual };
    expect('notes-delete-result', reply, holds, 'a deletion should answer with deleted true', found);
  }
};

/** The writes that may have changed a note between a list that shows it correctly and the next, the likeliest first. */
function causesOf({ stored, actual, last, reply }: Change, world: World): readonly JudgedId[] {
  const showings = noteListsOf(world).showingsOf(stored, reply);
  const isRight = actual === last.value;
  const shown = showings.findLast(({ text, by }) => text === last.value && by.id > last.by.id && by !== reply);
  const wasRight = isRight || shown !== undefined;
  const from = (shown?.by ?? last.by).id;
  const next = showings.find(({ text, by }) => text === actual && by.id > from)?.by ?? reply;
  const isBetween = (one: Reply): boolean => one.id > from && one.after < next.id;
  const isGiven = (one: Reply): boolean => typeof actual === 'string' && bodyOf(one)?.text === actual;
  const changes = changesByList(world).get(listOf(stored.path)) ?? [];
  const refused = stored.refusedEdits.filter(isBetween);
  const premises: readonly (readonly [boolean, JudgedId])[] = [
    [stored.misplacedEdits.filter(isBetween).some((one) => isRight || isGiven(one)), 'notes-other-company'],
    // The edit was carried out, but its reply said that it was refused.
    [!isRight && refused.some(isGiven), 'notes-edit-reply'],
    // If no list ever showed the note correctly, lists alone may be wrong.
    [wasRight && refused.length > 0, 'notes-edit-refused-effect'],
    [wasRight && changes.some((one) => isBetween(one) && pathOf(one) !== stored.path), 'notes-others-untouched'],
  ];
  return premises.filter(([holds]) => holds).map(([, id]) => id);
}

const changesByList = computedOnce(({ replies }: World) =>
  grouped(
    replies.filter((one) => (one.operation === editNote || one.operation === deleteNote) && wasAccepted(one)),
    (one) => listOf(pathOf(one)),
  ),
);

/** Nobody else writes a longer text by chance. */
const textMin = 30;

/** Finds notes of the run in lists of foreign companies, if all companies of the run are known. */
const elsewhere: Rule<'notes-list-own-company'> = (world, { expect }) => {
  if (world.hasLost('POST', /\/companies$/)) return;
  const nameOf = (id: unknown, text: unknown): string | undefined =>
    Number.isInteger(id) && typeof text === 'string' && text.length >= textMin ? `${id} ${text}` : undefined;
  const notes = new Map(world.ofKind('note').map((one) => [nameOf(one.id, at(dataOf(one.created), 'text')), one]));
  const own = new Set(world.replies.filter((one) => one.operation === createNote && wasAccepted(one)).map(pathOf));
  for (const { kind, path, items, reply } of world.pages) {
    if (kind !== 'note' || own.has(path) || world.records.has(companyOfNotes(path))) continue;
    for (const item of items) {
      const note = notes.get(nameOf(identifierOf('note', item), item.text) ?? '');
      if (note === undefined) continue;
      const found = { expected: 'no such note', actual: item, because: [note.created] };
      expect('notes-list-own-company', reply, false, 'the list should show no note of another company', found);
    }
  }
};

export const noteRules = rules(
  ['errors-malformed-json-effect', 'pagination-traversal-complete'],
  recordRule({
    kind: 'note',
    created: { identifier: 'notes-create-id', text: 'notes-create-text' },
    shown: { [listNotes]: 'notes-list-record', [editNote]: 'notes-edit-reply' },
    outdated: 'notes-edit-effect',
    unlisted: 'notes-list-contains',
    causes: causesOf,
  }),
  refusalRule({ [createNote]: ofText('create'), [editNote]: ofText('edit') }),
  deletionResult,
  elsewhere,
  listed,
  texts,
  accepted,
);
