// Rules for repeated writes in lists: one record per Idempotency-Key, and the text of the latest edit.
import {
  bodyOf,
  callerOf,
  computedOnce,
  createdIn,
  createNote,
  editNote,
  firstPlace,
  grouped,
  idempotencyKeyOf,
  isNamedByRun,
  isSession,
  type Judge,
  type JudgedId,
  listOf,
  nameMember,
  noteListsOf,
  pathOf,
  type RecordKind,
  type Reply,
  type Rule,
  type StoredRecord,
  type World,
  wasAccepted,
  windowOf,
  writeOf,
} from '../../lib/index.ts';

/** Identifies equal requests; undefined without Idempotency-Key. A key has one account, whatever the header says. */
export const nameOf = computedOnce((reply: Reply): string | undefined => {
  const { url, body } = reply.request;
  const { credential } = reply;
  const key = idempotencyKeyOf(reply);
  if (key === undefined || body === undefined || reply.undocumented) return undefined;
  return JSON.stringify([key, reply.operation, isSession(credential) ? callerOf(reply) : credential, url, body]);
});

export const textOf = (reply: Reply): unknown => bodyOf(reply)?.text;

/** The notes of the run in each list, with the effects that their text may show there, and the one that is certain. */
const notesShown = computedOnce((world: World) =>
  world.pages
    .filter(({ kind }) => kind === 'note')
    .flatMap((page) => {
      const window = world.windowOver((page.chain?.[0] ?? page).reply, page.reply);
      return page.items.flatMap((item) => {
        const note = world.shown('note', page.reply, item);
        const text = note?.members.get('text');
        const effects = { possible: text?.possible(window) ?? [], certain: text?.certain(window) };
        return note ? [{ list: page.reply, note, actual: item.text, ...effects }] : [];
      });
    }),
);

/** The same request was accepted before. */
const isRepeat = (edit: Reply, { edits }: StoredRecord): boolean =>
  nameOf(edit) !== undefined && edits.some((one) => one.id < edit.id && nameOf(one) === nameOf(edit));

/** A list shows the text of the latest edit, not that of an earlier one repeated after it. */
export const overtaken: Rule = (world, { expect, count }) => {
  for (const { list, note, actual, possible } of notesShown(world)) {
    const repeats = [...note.edits, ...note.refusedEdits].filter((one) => isRepeat(one, note));
    const [last, ...others] = possible.filter(({ by }) => !repeats.includes(by));
    if (repeats.length === 0 || last?.by.operation !== editNote || others.length > 0) continue;
    count('idempotency-edit-overtaken', list);
    const repeat = repeats.findLast((one) => textOf(one) === actual && one.id <= list.after);
    const showings = noteListsOf(world).showingsOf(note, list);
    const wasShown = showings.some(({ text, by }) => text === last.value && by.id <= (repeat?.after ?? 0));
    if (repeat === undefined || actual === last.value || !wasShown) continue;
    const message = 'repeating an overtaken edit should not undo the later one';
    const found = { expected: last.value, actual, because: [last.by, repeat], operation: editNote };
    expect('idempotency-edit-overtaken', list, false, message, found);
  }
};

/** An edit back to an earlier text under another key is a new edit, and lists show its text. */
export const editsBack: Rule = (world, { expect }) => {
  for (const { list, note, actual, certain } of notesShown(world)) {
    const last = certain?.by;
    const former = note.edits.filter((one) => last && one.id < last.id);
    const before = former.at(-1);
    if (last === undefined || before === undefined || textOf(before) === textOf(last)) continue;
    const key = idempotencyKeyOf(last);
    const isBack = (one: Reply): boolean => textOf(one) === textOf(last) && (idempotencyKeyOf(one) ?? key) !== key;
    if (!former.some(isBack)) continue;
    const message = 'an edit back to an earlier text under another key should take effect';
    const found = { expected: textOf(last), actual, because: [before, last], operation: editNote };
    expect('idempotency-key-edit-other', list, actual !== textOf(before), message, found);
  }
};

/** From this many milliseconds, or other writes with keys, in between, a repeat counts as late. */
const late = { ms: 5000, writes: 10 } as const;

/** The list that a write changes, and the text it sends. */
const placeOf = (reply: Reply): string => {
  const { kind = 'key' } = writeOf(reply) ?? {};
  const path = kind === 'note' ? listOf(pathOf(reply)) : pathOf(reply).replace(/\/companies\/[^/]+$/, '/companies');
  return `${path} ${bodyOf(reply)?.[nameMember[kind]]}`;
};

/** A list shows at most one record per key and per request without a key, for each text. */
export const once: Rule = (world, judge) => {
  const written = (does: 'create' | 'edit') =>
    grouped(
      world.replies.filter((one) => writeOf(one)?.does === does),
      placeOf,
    );
  const edits = written('edit');
  const repeated = new Map(
    [...written('create')].filter(([, all]) => new Set(all.map((one) => nameOf(one) ?? one.id)).size < all.length),
  );
  const lost = new Set(world.history.lost.flatMap((request) => Object.values(bodyOf({ request }) ?? {})));
  /** The largest surplus shown so far. */
  const worst = new Map<string, number>();
  for (const page of world.pages) {
    const { kind, path, reply: list, chain = [page] } = page;
    // A record shown twice counts once.
    const named = chain
      .flatMap(({ items, ids, reply }) =>
        items.map((item, place) => [ids?.[place] ?? `${reply.id} ${place}`, item[nameMember[kind]]] as const),
      )
      .filter(([, text]) => repeated.has(`${path} ${text}`));
    const texts = [...new Map(named.map((one) => [one.join(' '), one[1]])).values()];
    // Others may create records, except with names of the run, and except notes in its companies.
    const isOwn = (text: unknown): boolean => kind === 'note' || (typeof text === 'string' && isNamedByRun(text));
    for (const [text, { length: shown }] of grouped(texts, (one) => one)) {
      const place = `${path} ${text}`;
      if (!isOwn(text) || edits.get(place)?.some((one) => isTextOfAnother(one, kind, world))) continue;
      const operations = operationsBefore(list, repeated.get(place) ?? []);
      const window = world.windowOver((chain[0] ?? page).reply, list);
      const most = operations.filter((same) => !isGone(same, window, world)).length;
      const surplus = shown - most;
      // A request without a reply may have been executed more than once.
      if (surplus > 0 && lost.has(text)) continue;
      judgeSurplus({ list, operations, most, shown, isMore: surplus > (worst.get(place) ?? 0) }, world, judge);
      worst.set(place, Math.max(surplus, worst.get(place) ?? 0));
    }
  }
};

/** The edit gives a record another text than its creation did. */
function isTextOfAnother(edit: Reply, kind: RecordKind, world: World): boolean {
  const made = world.at(pathOf(edit))?.created;
  return made === undefined || bodyOf(made)?.[nameMember[kind]] !== bodyOf(edit)?.[nameMember[kind]];
}

interface Shown {
  readonly list: Reply;
  readonly operations: readonly (readonly Reply[])[];
  readonly most: number;
  readonly shown: number;
  /** The surplus is larger than in any list before. */
  readonly isMore: boolean;
}

/** Blames a surplus on the repeat that was sent last. */
function judgeSurplus({ list, operations, most, shown, isMore }: Shown, world: World, judge: Judge): void {
  const repeats = operations.flatMap((same) => same.slice(1).map((repeat) => ({ repeat, same })));
  repeats.sort((one, other) => one.repeat.id - other.repeat.id);
  const duties = repeats.map(({ repeat, same }) => dutyOf(repeat, same, world));
  for (const id of new Set(duties)) {
    const { repeat, same } = repeats[duties.lastIndexOf(id)] ?? { repeat: list, same: [] };
    const holds = !isMore || id !== duties.at(-1);
    // A late replay implies an early one; the limits may leave room for no other repeat.
    if (holds && id === 'idempotency-create-late') judge.count('idempotency-create-replay', list);
    // Where a limiter serialises requests, they cannot be closer.
    if (holds && id === 'idempotency-create-replay' && areClose(same))
      judge.count('idempotency-create-simultaneous', list);
    judge.expect(id, list, holds, 'a repeated creation should make no second record', {
      expected: `${most} with the text, one for each Idempotency-Key`,
      actual: shown,
      because: id === 'idempotency-create-simultaneous' ? same : [...same.slice(0, 1), repeat],
      ...(repeat.operation ? { operation: repeat.operation } : {}),
    });
  }
}

/** Three or more within a second. */
const areClose = (same: readonly Reply[]): boolean =>
  same.length > 2 && (same.at(-1)?.sentAt ?? 0) - (same[0]?.sentAt ?? 0) <= 1000;

/** Creations of one text before the list, grouped by key; empty where their number is unknown. */
function operationsBefore(list: Reply, creations: readonly Reply[]): readonly (readonly Reply[])[] {
  const before = creations.filter(({ after }) => after < list.id);
  // The document does not say what a key that is no UUID does.
  if (before.some((one) => one.undocumented)) return [];
  return [...grouped(before, (one) => nameOf(one) ?? String(one.id)).values()];
}

const recordOf = (sources: readonly Reply[], world: World): StoredRecord | undefined => {
  const made = sources.find(wasAccepted);
  return made && world.at(`${pathOf(made)}/${createdIn(made)}`);
};

/** The record has another text by now, or was deleted before the last repeat of its creation. */
function isGone(sources: readonly Reply[], window: ReturnType<typeof windowOf>, world: World): boolean {
  const record = recordOf(sources, world);
  if (record === undefined) return false;
  const name = nameMember[record.kind];
  const possible = record.members.get(name)?.possible(window) ?? [];
  const isOther = (value: unknown): boolean => typeof value === 'string' && value !== bodyOf(record.created)?.[name];
  if (possible.length > 0 && possible.every(({ value }) => isOther(value))) return true;
  const gone = record.exists.certain(window);
  return gone?.value === false && sources.some(({ after }) => after >= gone.to);
}

const writesWithKeys = computedOnce(({ replies }: World) =>
  replies.filter((one) => idempotencyKeyOf(one) !== undefined),
);

/** The requirement that a repeat tests. */
function dutyOf(repeat: Reply, same: readonly Reply[], world: World): JudgedId {
  if (repeat.operation !== createNote)
    return repeat.operation === 'POST /companies' ? 'idempotency-company-create' : 'idempotency-contact-create';
  const [first = repeat] = same;
  if (same.some((one) => one.id < repeat.id && one.id > repeat.after)) return 'idempotency-create-simultaneous';
  if (recordOf(same, world)?.exists.certain(windowOf(repeat))?.value === false) return 'idempotency-create-deleted';
  const withKeys = writesWithKeys(world);
  const upTo = (number: number): number => firstPlace(withKeys, ({ id }) => id > number);
  const isLate = repeat.sentAt - first.receivedAt > late.ms || upTo(repeat.after) - upTo(first.id) >= late.writes;
  return isLate ? 'idempotency-create-late' : 'idempotency-create-replay';
}
