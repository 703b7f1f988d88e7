// Rules for notes, for every caller: Endpoints / Companies, the rows on notes; Resources / Note.
import {
  at,
  bodyOf,
  type Change,
  companyOfNotes,
  createNote,
  type DefectOf,
  dataOf,
  deleteNote,
  editNote,
  either,
  identifierOf,
  isObject,
  isShown,
  listNotes,
  listOf,
  noteListsOf,
  pathOf,
  type Reply,
  type Rule,
  recordRule,
  refusalRule,
  rules,
  type World,
  wasAccepted,
  wasThere,
} from '../../lib/index.ts';
import { listed } from './list-rules.ts';
import { taken, texts } from './text-rules.ts';

type ChangeId = 'notes-edit-refused-effect' | 'notes-edit-reply' | 'notes-other-company' | 'notes-others-untouched';
type TextId = `notes-${'create' | 'edit'}-${'missing-text' | 'empty' | 'blank'}`;

const ofText =
  (on: 'create' | 'edit'): DefectOf<TextId> =>
  ({ text, ...more }, isTaken) => {
    // Other members do not replace a text; with a text, they may be refused themselves.
    if (typeof text !== 'string') return [`notes-${on}-missing-text`, either];
    if (Object.keys(more).length > 0 && !isTaken) return undefined;
    if (text === '') return [`notes-${on}-empty`, on === 'edit' ? [400] : either];
    return /^[ \t\r\n]+$/.test(text) ? [`notes-${on}-blank`, [422]] : undefined;
  };

/** `deleted` is true for a note that existed, otherwise a boolean. */
const deletionResult: Rule<'notes-delete-result'> = (world, { expect }) => {
  for (const reply of world.replies) {
    const data = dataOf(reply);
    if (reply.operation !== deleteNote || !isShown(reply) || reply.mayReplay) continue;
    if (!isObject(data)) continue;
    const deleted = at(data, 'deleted');
    const holds = wasThere(reply, world) ? deleted === true : typeof deleted === 'boolean';
    expect('notes-delete-result', reply, holds, 'a deletion should answer with deleted true', {
      expected: true,
      actual: deleted,
    });
  }
};

/** The writes that may have changed a note between a list that shows it correctly and the next, the likeliest first. */
function causesOf({ stored, actual, last, reply }: Change, world: World): readonly ChangeId[] {
  const showings = noteListsOf(world).showingsOf(stored, reply);
  const isRight = actual === last.value;
  const shown = showings.findLast(({ text, by }) => text === last.value && by.id > last.by.id && by !== reply);
  const wasRight = isRight || shown !== undefined;
  const from = (shown?.by ?? last.by).id;
  const next = showings.find(({ text, by }) => text === actual && by.id > from)?.by ?? reply;
  const isBetween = (one: Reply): boolean => one.id > from && one.after < next.id;
  const isGiven = (one: Reply): boolean => typeof actual === 'string' && bodyOf(one)?.text === actual;
  const isOther = (one: Reply): boolean =>
    (one.operation === editNote || one.operation === deleteNote) &&
    wasAccepted(one) &&
    pathOf(one) !== stored.path &&
    listOf(pathOf(one)) === listOf(stored.path);
  const refused = stored.refusedEdits.filter(isBetween);
  const premises: readonly (readonly [boolean, ChangeId])[] = [
    [stored.misplacedEdits.filter(isBetween).some((one) => isRight || isGiven(one)), 'notes-other-company'],
    // The edit was carried out, but its reply said that it was refused.
    [!isRight && refused.some(isGiven), 'notes-edit-reply'],
    // If no list ever showed the note correctly, lists alone may be wrong.
    [wasRight && refused.length > 0, 'notes-edit-refused-effect'],
    [wasRight && world.replies.some((one) => isOther(one) && isBetween(one)), 'notes-others-untouched'],
  ];
  return premises.filter(([holds]) => holds).map(([, id]) => id);
}

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
  taken,
);
