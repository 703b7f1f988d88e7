// Rules for note lists of the run's companies: they show exactly the notes created and not deleted.
import {
  bodyOf,
  editNote,
  isAmidDeletions,
  isWholeList,
  type Judge,
  type JudgedId,
  type ListPage,
  lagMsMax,
  listOf,
  type MissingNote,
  noteListsOf,
  pathOf,
  type Reply,
  type Rule,
  type StoredRecord,
  type World,
  wasAccepted,
} from '../../lib/index.ts';

export const listed: Rule = (world, judge) => {
  const lists = noteListsOf(world);
  const unexpected = lists.pages.flatMap((page) =>
    lists
      .unexpected(page)
      .flatMap((one) => (one.note ? (returned(one.note, page, world) ?? []) : (unmade(one, page, world) ?? []))),
  );
  // If lists keep deleted notes, a note that no list was read for soon after counts as kept, too.
  const isKept = unexpected.some(({ id }) => id === 'notes-delete-effect');
  for (const { wasGone, ...found } of unexpected)
    report(isKept && wasGone === false ? { ...found, id: 'notes-delete-effect' } : found, judge);
  const missing = lists.pages.flatMap((page) =>
    lists.missing(page).flatMap((missingNote) => missingFound(missingNote, world) ?? []),
  );
  // If notes never appear in lists, other missing notes prove nothing.
  const never = missing.filter(({ id }) => id === 'notes-list-contains');
  for (const one of never.length > 0 ? never : missing) report(one, judge);
  for (const page of lists.pages) countPage(page, world, judge);
};

interface Found {
  readonly id: JudgedId;
  readonly page: ListPage;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly because: readonly Reply[];
  /** For a deleted note: whether a list lacked it after the deletion. */
  readonly wasGone?: boolean;
}

const report = ({ id, page, message, ...found }: Found, { expect }: Judge): void =>
  void expect(id, page.reply, false, message, found);

/** Counts what a list could have shown wrongly. */
function countPage(page: ListPage, world: World, { count }: Judge): void {
  const { must = [] } = noteListsOf(world).expected(page) ?? {};
  if (!isWholeList(page)) return;
  if (must.length > 0) count('notes-list-contains', page.reply);
  const isOfOtherCompany = (one: StoredRecord): boolean =>
    listOf(one.path) !== page.path && one.created.id <= page.reply.after;
  if (world.ofKind('note').some(isOfOtherCompany)) count('notes-list-own-company', page.reply);
  for (const id of endsBefore(page, world)) count(id, page.reply);
}

/** Requirements on deletions and creations before a list. */
function endsBefore(page: ListPage, world: World): readonly JudgedId[] {
  const isGone = ({ exists }: StoredRecord): boolean => exists.certain(world.windowOf(page.reply))?.value === false;
  const gone = world.notesIn(page.path).some(isGone);
  const before = triesIn(page, world);
  const isMade = before.some(wasAccepted);
  const refused = before.filter((one) => refusing.includes(one.status));
  return [
    ...(gone ? (['notes-delete-effect', 'notes-delete-lasting', 'notes-others-untouched'] as const) : []),
    ...(isMade ? (['notes-create-once'] as const) : []),
    ...(refused.some((one) => bodyOf(one) !== undefined) ? (['notes-create-refused-effect'] as const) : []),
    ...(refused.some((one) => bodyOf(one) === undefined) ? (['errors-malformed-json-effect'] as const) : []),
  ];
}

const refusing = [400, 403, 404, 413, 415, 422];
/** A note first shown this long after its deletion was gone in between, in milliseconds. */
const lateMsMin = 4 * lagMsMax;

/** Creations sent to the list before a page, accepted or not. */
const triesIn = ({ path, reply }: ListPage, world: World): readonly Reply[] =>
  noteListsOf(world)
    .creationsIn(path)
    .filter((one) => one.id < reply.id);
const textOf = (reply: Reply): unknown => bodyOf(reply)?.text;

/** A deleted note in a list: never gone, or back. */
function returned(note: StoredRecord, page: ListPage, world: World): Found | undefined {
  const id = String(note.id);
  const deleted = note.exists.certain(world.windowOf(page.reply))?.by ?? note.created;
  // If a repeat of its creation brings it back, another rule judges that.
  const isRepeated = noteListsOf(world)
    .creationsIn(page.path)
    .some((one) => one.mayReplay && one.id > deleted.id && textOf(one) === textOf(note.created));
  if (isRepeated) return undefined;
  const isBetween = ({ reply }: ListPage): boolean => reply.after >= deleted.id && reply.id < page.reply.id;
  const former = noteListsOf(world).pages.filter((one) => one.path === page.path && isBetween(one));
  const wasGone = former.some((one) => isWholeList(one) && !one.chain?.some(({ ids }) => ids?.includes(id)));
  const isLate = !former.some(({ ids }) => ids?.includes(id)) && page.reply.sentAt > deleted.receivedAt + lateMsMin;
  return {
    id: wasGone || isLate ? 'notes-delete-lasting' : 'notes-delete-effect',
    page,
    message: 'a deleted note should not be in the list',
    expected: 'no such note',
    actual: page.items[page.ids?.indexOf(id) ?? 0],
    because: [deleted],
    wasGone,
  };
}

/** A note of another company, of a refused creation, or created twice. */
function unmade(
  { item, id }: { readonly item: ListPage['items'][number]; readonly id: string },
  page: ListPage,
  world: World,
): Found | undefined {
  const tries = triesIn(page, world);
  const firm = tries.filter((one) => one.status < 500 && world.sees(one));
  const sources = firm.filter((one) => textOf(one) === item.text);
  const found = { page, expected: 'no such note', actual: item };
  const other = world
    .ofKind('note')
    .find(
      (one) =>
        String(one.id) === id &&
        listOf(one.path) !== page.path &&
        textOf(one.created) === item.text &&
        world.sees(one.created),
    );
  if (sources.length === 0 && other)
    return {
      ...found,
      id: 'notes-list-own-company',
      message: 'the list should show no note of another company',
      because: [other.created],
    };
  const edit = sources.length > 0 ? undefined : editTo(item.text, page, world);
  if (edit)
    return {
      ...found,
      id: wasAccepted(edit) ? 'notes-edit-effect' : 'notes-edit-refused-effect',
      message: 'an edit should leave no further note',
      because: [edit],
    };
  const source = sources.at(-1) ?? refusedFor(item.text, tries, page, world);
  if (source === undefined || sources.some((one) => one.mayReplay || one.status === 429)) return undefined;
  const refusal = bodyOf(source) === undefined ? 'errors-malformed-json-effect' : 'notes-create-refused-effect';
  return {
    ...found,
    id: wasAccepted(source) ? 'notes-create-once' : refusal,
    message: 'the list should show the notes that were made, and no other',
    because: [source],
  };
}

const editTo = (text: unknown, { path, reply: { id } }: ListPage, world: World): Reply | undefined =>
  world.replies.findLast(
    (one) =>
      one.operation === editNote &&
      one.id < id &&
      !one.mayReplay &&
      listOf(pathOf(one)) === path &&
      textOf(one) === text &&
      world.sees(one),
  );

/** The refused creation that left a note of this text: the last that has it, else the last without any text. */
function refusedFor(text: unknown, tries: readonly Reply[], page: ListPage, world: World): Reply | undefined {
  if (typeof text === 'string' && world.notesIn(page.path).some(({ created }) => textOf(created) === text))
    return undefined;
  const refused = tries.filter(({ status, mayReplay }) => refusing.includes(status) && !mayReplay);
  const isCut = typeof text === 'string' && text !== '';
  const whole = isCut ? refused.findLast(({ request }) => request.body?.includes(text)) : undefined;
  return whole ?? refused.findLast((one) => bodyOf(one) !== undefined && !/\S/.test(String(textOf(one) ?? '')));
}

/**
 * A note that no list showed is not listed; one that no later list shows is lost; one missing between pages during
 * writes was skipped, unless a later list confirms its loss. `isAmid`: other notes of the list were deleted meanwhile.
 */
function causeOf({ note, page, isLost, last, isUndisturbed, isConfirmed }: MissingNote, isAmid: boolean): JudgedId {
  if (isLost && last === undefined) return 'notes-list-contains';
  const isOnPages = (page.chain?.length ?? 1) > 1;
  if (isOnPages && !(isLost && (isUndisturbed || isConfirmed))) return 'pagination-traversal-complete';
  if (!isLost) return 'notes-list-contains';
  return note.misplacedDeletions.length > 0 && !isAmid ? 'notes-other-company' : 'notes-others-untouched';
}

/** Another requirement judges whether a refused deletion of the note took effect. */
function missingFound(missingNote: MissingNote, world: World): Found | undefined {
  const { note, page, isLost, last } = missingNote;
  const [misplaced] = note.misplacedDeletions;
  const isAmid = isAmidDeletions(note, last?.reply.id ?? 0, page.reply.after, world);
  if (isLost && note.refusedDeletions.some(({ after }) => after < page.reply.id)) return undefined;
  return {
    id: causeOf(missingNote, isAmid),
    page,
    message: 'the list should show every note that was made and not deleted',
    expected: `note ${note.id}`,
    actual: 'not in the list',
    because: [note.created, ...(isLost && misplaced ? [misplaced] : [])],
  };
}
