// The list of a company of the run has the notes that were made and not deleted, and no other.
import {
  type Blame,
  blamed,
  bodyOf,
  editNote,
  isAmidDeletions,
  isWholeList,
  type Judge,
  type Lack,
  type ListPage,
  lagMsMax,
  listOf,
  noteListsOf,
  otherwise,
  pathOf,
  type Reply,
  type Rule,
  type StoredRecord,
  type World,
  wasAccepted,
} from '../../lib/index.ts';

export const listIds = [
  'authentication-refused-effect',
  'errors-malformed-json-effect',
  'notes-create-once',
  'notes-create-refused-effect',
  'notes-delete-effect',
  'notes-delete-lasting',
  'notes-edit-effect',
  'notes-edit-refused-effect',
  'notes-list-contains',
  'notes-list-own-company',
  'notes-other-company',
  'notes-others-untouched',
  'pagination-traversal-complete',
] as const;
type Id = (typeof listIds)[number];

export const listed: Rule<Id> = (world, judge) => {
  const lists = noteListsOf(world);
  const strays = lists.pages.flatMap((page) =>
    lists
      .strays(page)
      .flatMap((one) => (one.note ? (returned(one.note, page, world) ?? []) : (unmade(one, page, world) ?? []))),
  );
  // Where lists go on showing what was deleted, a note that none was read for soon after is one of these.
  const isKept = strays.some(({ id }) => id === 'notes-delete-effect');
  for (const { wasGone, ...found } of strays)
    report(isKept && wasGone === false ? { ...found, id: 'notes-delete-effect' } : found, judge);
  const missing = lists.pages.flatMap((page) => lists.missing(page).flatMap((lack) => lackFound(lack, world) ?? []));
  // What lists never show says nothing of pages and of other notes.
  const never = missing.filter(({ id }) => id === 'notes-list-contains');
  for (const one of never.length > 0 ? never : missing) report(one, judge);
  for (const page of lists.pages) countPage(page, world, judge);
};

interface Found {
  readonly id: Id;
  readonly page: ListPage;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly because: readonly Reply[];
  /** Of a note that is back: whether a list had lacked it since it was deleted. */
  readonly wasGone?: boolean;
}

const report = ({ id, page, message, ...found }: Found, { expect }: Judge<Id>): void =>
  void expect(id, page.reply, false, message, found);

/** What a list could have shown or lacked. */
function countPage(page: ListPage, world: World, { count }: Judge<Id>): void {
  const { must = [] } = noteListsOf(world).expected(page) ?? {};
  if (!isWholeList(page)) return;
  if (must.length > 0) count('notes-list-contains');
  const isElsewhere = (one: StoredRecord): boolean =>
    listOf(one.path) !== page.path && one.created.id <= page.reply.after;
  if (world.ofKind('note').some(isElsewhere)) count('notes-list-own-company');
  for (const id of endsBefore(page, world)) count(id);
}

/** The requirements on what must be gone, or was refused, before a list. */
function endsBefore(page: ListPage, world: World): readonly Id[] {
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
/** What is shown for the first time so long after it was deleted was gone in between, in milliseconds. */
const lateMsMin = 4 * lagMsMax;

/** Creations that were sent to the list before a page, whatever came of them. */
const triesIn = ({ path, reply }: ListPage, world: World): readonly Reply[] =>
  noteListsOf(world)
    .creationsIn(path)
    .filter((one) => one.id < reply.id);
const textOf = (reply: Reply): unknown => bodyOf(reply)?.text;

/** It was deleted and is listed: still, or again. */
function returned(note: StoredRecord, page: ListPage, world: World): Found | undefined {
  const id = String(note.id);
  const deleted = note.exists.certain(world.windowOf(page.reply))?.by ?? note.created;
  // What brings it back when its creation is repeated is judged by that.
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

/** It was made in another company, or by a creation that was refused, or once more. */
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

/** The refused creation that must have left a note of this text: the last that has it, or else the last without any. */
function refusedFor(text: unknown, tries: readonly Reply[], page: ListPage, world: World): Reply | undefined {
  if (typeof text === 'string' && world.notesIn(page.path).some(({ created }) => textOf(created) === text))
    return undefined;
  const refused = tries.filter(({ status, mayReplay }) => refusing.includes(status) && !mayReplay);
  const isCut = typeof text === 'string' && text !== '';
  const whole = isCut ? refused.findLast(({ request }) => request.body?.includes(text)) : undefined;
  return whole ?? refused.findLast((one) => bodyOf(one) !== undefined && !/\S/.test(String(textOf(one) ?? '')));
}

interface Facts extends Lack {
  readonly isOnPages: boolean;
  readonly isAmidDeletions: boolean;
}

/**
 * What no list has shown is not listed, what no list shows any more was lost, and what pages leave out while something is
 * written was skipped, unless a later list says that it was lost.
 */
const causes: Blame<Facts, Id> = [
  [({ isLost, last }) => isLost && last === undefined, 'notes-list-contains'],
  [
    ({ isOnPages, isLost, isCalm, isConfirmed }) => isOnPages && !(isLost && (isCalm || isConfirmed)),
    'pagination-traversal-complete',
  ],
  [({ isLost, last }) => last === undefined || !isLost, 'notes-list-contains'],
  [({ note, isAmidDeletions: isOthers }) => note.misplacedDeletions.length > 0 && !isOthers, 'notes-other-company'],
  [otherwise, 'notes-others-untouched'],
];

/** Where deletions of it were refused since it was last shown, one of them may have been carried out all the same. */
function lackFound(lack: Lack, world: World): Found | undefined {
  const { note, page, isLost, last } = lack;
  const {
    created,
    misplacedDeletions: [misplaced],
    refusedDeletions,
  } = note;
  const isAmid = isAmidDeletions(note, last?.reply.id ?? 0, page.reply.after, world);
  const tried = isLost ? refusedDeletions.filter(({ after }) => after < page.reply.id) : [];
  const isDenied = tried.length > 0;
  const areUnauthenticated = tried.every(({ status }) => status === 401) && last !== undefined;
  if (isDenied && (!areUnauthenticated || misplaced || isAmid)) return undefined;
  const facts = { ...lack, isOnPages: (page.chain?.length ?? 1) > 1, isAmidDeletions: isAmid };
  return {
    id: isDenied ? 'authentication-refused-effect' : blamed(causes, facts),
    page,
    message: isDenied
      ? 'a deletion that was refused should delete nothing'
      : 'the list should show every note that was made and not deleted',
    expected: `note ${note.id}`,
    actual: 'not in the list',
    because: [created, ...(isLost && misplaced ? [misplaced] : []), ...tried.slice(-1)],
  };
}
