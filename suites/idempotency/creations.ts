// Notes created again: under the same key, under keys that look alike, under none.
import { at, type Context, dataOf, expectSuccess, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { expectAtMost, expectEach, expectRepeated, type KeyedNotes, noteOf } from './keyed-notes.ts';

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

const lastGroup = 12;

/** Keys that differ from a UUID in its first group only, and in its last group only. */
function similarKeys(key: string, other: string): [string, string] {
  return [
    other.slice(0, key.indexOf('-')) + key.slice(key.indexOf('-')),
    key.slice(0, -lastGroup) + other.slice(-lastGroup),
  ];
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

export async function judgeCreations(
  noteList: KeyedNotes,
  { check, observe, make, random }: CreationContext,
): Promise<void> {
  const once = { text: make.name('note under one key'), key: random.uuid() };
  const first = await noteList.create(once.text, once.key);
  expectSuccess(first);
  const repeat = await noteList.create(once.text, once.key);
  await check('idempotency-create-answer', () => expectRepeated(repeat, noteOf(first)));
  observe('idempotency-replay-form', formOf(first, repeat), first, repeat);

  const gone = { text: make.name('note deleted before its replay'), key: random.uuid() };
  const deleted = await noteList.create(gone.text, gone.key);
  expectSuccess(deleted);
  expectSuccess(await noteList.remove(noteOf(deleted)));
  const revived = await noteList.create(gone.text, gone.key);

  const text = make.name('note under several keys');
  const [key, other] = [random.uuid(), random.uuid()];
  const base = await noteList.create(text, key);
  const apart = await noteList.create(text, other);
  const alike: Reply[] = [];
  for (const similar of similarKeys(key, other)) alike.push(await noteList.create(text, similar));

  const keyless = make.name('note under no key');
  const without = [await noteList.create(keyless), await noteList.create(keyless)];

  const writes = [base, apart, ...alike, ...without];
  const shown = await noteList.look((snapshot) => writes.every((reply) => snapshot.has(noteOf(reply))));
  await check('idempotency-key-other', () =>
    expectEach(shown, [base, apart], 'the same text under two keys should be two notes'),
  );
  await check('idempotency-key-similar', () => {
    for (const reply of alike) expectEach(shown, [base, reply], 'keys that look alike should be two notes');
  });
  await check('idempotency-key-none', () =>
    expectEach(shown, without, 'the same text twice without a key should be two notes'),
  );

  const final = await noteList.final();
  await check('idempotency-create-replay', () =>
    expectAtMost(final, once.text, 1, 'a repeated creation should make no second note', [first, repeat]),
  );
  await check('idempotency-create-deleted', () =>
    expectAtMost(final, gone.text, 0, 'the repeated creation of a deleted note should not bring it back', [
      deleted,
      revived,
    ]),
  );
}
