// Notes created again: under the same key, under keys that look alike, under none; after time, edits and deletion.
import { at, type Context, dataOf, expectSuccess, NotTested, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { expectAtMost, expectEach, expectRepeated, type KeyedNotes, noteOf, type Snapshot } from './keyed-notes.ts';

export const creationIds = [
  'idempotency-create-replay',
  'idempotency-create-answer',
  'idempotency-create-deleted',
  'idempotency-key-other',
  'idempotency-key-similar',
  'idempotency-key-none',
  'idempotency-replay-form',
] as const;
type CreationContext = Context<(typeof creationIds)[number], never>;

/** A creation, and the key that it was sent under. */
export interface Keyed {
  readonly text: string;
  readonly key: string;
  readonly reply: Reply;
}

/** Places of a UUID that carry neither hyphen nor version nor variant, within its middle groups. */
const middle = [9, 10, 11, 12, 15, 16, 17, 20, 21, 22] as const;

/** Keys that differ from a UUID in its first digit, in its last, and in one between. */
export function keysOneDigitApart(key: string, { random }: Pick<CreationContext, 'random'>): readonly string[] {
  const similar = [0, random.pick(middle), key.length - 1].map((place) => {
    const digit = ((Number.parseInt(key[place] ?? '0', 16) + random.int(1, 15)) % 16).toString(16);
    return key.slice(0, place) + digit + key.slice(place + 1);
  });
  return random.shuffled(similar);
}

/** In what a replay differs from the first answer. */
function formOf(first: Reply, repeat: Reply): string {
  const added = Object.keys(repeat.headers).filter((name) => first.headers[name] === undefined);
  const headers = added.length === 0 ? 'no further header' : `further headers: ${added.sort().join(', ')}`;
  if (!wasAccepted(repeat)) return `refused with ${repeat.status}; ${headers}`;
  const status = repeat.status === first.status ? 'the same status' : `status ${repeat.status}`;
  const sameData = JSON.stringify(dataOf(first)) === JSON.stringify(dataOf(repeat));
  const sameRequest = at(first.json, 'request_id') === at(repeat.json, 'request_id');
  const body = first.text === repeat.text ? 'the same body' : sameData ? 'the same data' : 'other data';
  const envelope = first.text === repeat.text ? '' : `, ${sameRequest ? 'the same' : 'a new'} request_id`;
  return `${status}, ${body}${envelope}; ${headers}`;
}

/** The same text under other keys and under none: each is a note of its own. */
async function judgeApart(noteList: KeyedNotes, first: Keyed, context: CreationContext) {
  const { check, random, effort } = context;
  const { text, key } = first;
  const other = { text, key: random.uuid() };
  const apart = { ...other, reply: await noteList.create(text, other.key) };
  const alike: Keyed[] = [];
  for (const similar of keysOneDigitApart(key, context).slice(0, effort === 'quick' ? 1 : undefined))
    alike.push({ text, key: similar, reply: await noteList.create(text, similar) });
  const without = [await noteList.create(text), await noteList.create(text)];
  const replies = alike.map(({ reply }) => reply);
  const writes = [first.reply, apart.reply, ...replies, ...without];
  const shown = await noteList.look((snapshot) => writes.every((reply) => snapshot.has(noteOf(reply))));
  await check('idempotency-key-other', () =>
    expectEach(shown, [first.reply, apart.reply], 'the same text under two keys should be two notes'),
  );
  await check('idempotency-key-similar', () => {
    for (const reply of replies)
      expectEach(shown, [first.reply, reply], 'the same text under keys that look alike should be two notes');
  });
  await check('idempotency-key-none', () =>
    expectEach(shown, without, 'the same text twice without a key should be two notes'),
  );
  return { apart, alike, all: new Set(writes.filter(wasAccepted).map(noteOf)) };
}

/** A note is deleted, and its creation repeated; `all`: the notes of its text. */
async function judgeDeleted(
  noteList: KeyedNotes,
  { text, key, reply }: Keyed,
  all: ReadonlySet<ReturnType<typeof noteOf>>,
  { check }: CreationContext,
) {
  // An older list shows fewer of them.
  const isWhole = (shown: Snapshot) => [...all].every((id) => shown.has(id)) && shown.count(text) >= all.size;
  const before = await noteList.look(isWhole);
  expectSuccess(await noteList.remove(noteOf(reply)));
  const revived = await noteList.create(text, key);
  const promptly = await noteList.final();
  // Lists may show for a while what is gone.
  const isGone = (shown: Snapshot) => shown.count(text) < before.count(text);
  const after = isGone(promptly) ? promptly : await noteList.look(isGone);
  await check('idempotency-create-deleted', () => {
    const count = before.count(text);
    if (!isWhole(before)) throw new NotTested('the list does not show the notes of the same text');
    const what = 'the repeated creation of a deleted note should not bring it back';
    expectAtMost(after, text, count - 1, what, [reply, revived]);
  });
}

/** Of time and not of chance alone, as many clients make them. */
const withVersion7 = (uuid: string): string => `${uuid.slice(0, 14)}7${uuid.slice(15)}`;

/**
 * A note may be too long for a target, and its key of a version that it does not take; where it is made, its creation is
 * repeated like any other.
 */
export async function judgeLong(
  noteList: KeyedNotes,
  text: string,
  { check, random }: Pick<CreationContext, 'check' | 'random'>,
): Promise<void> {
  const key = withVersion7(random.uuid());
  const create = () => noteList.create(text, key, true);
  const first = await create();
  if (!wasAccepted(first)) return;
  const repeat = await create();
  await check('idempotency-create-answer', () => expectRepeated(repeat, noteOf(first)));
  const final = await noteList.final();
  await check('idempotency-create-replay', () =>
    expectAtMost(final, text, 1, 'a repeated creation of a long note should make no second note', [first, repeat]),
  );
}

/** Resolves to the note of the same text that was made under another key. */
export async function judgeCreations(noteList: KeyedNotes, first: Keyed, context: CreationContext): Promise<Keyed> {
  const { check, observe } = context;
  const repeat = await noteList.create(first.text, first.key);
  await check('idempotency-create-answer', () => expectRepeated(repeat, noteOf(first.reply)));
  observe('idempotency-replay-form', formOf(first.reply, repeat), first.reply, repeat);
  const final = await noteList.final();
  await check('idempotency-create-replay', () =>
    expectAtMost(final, first.text, 1, 'a repeated creation should make no second note', [first.reply, repeat]),
  );
  const { apart, alike, all } = await judgeApart(noteList, first, context);
  const [gone] = alike;
  if (gone) await judgeDeleted(noteList, gone, all, context);
  return apart;
}
