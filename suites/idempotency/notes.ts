// Cases that repeat note writes with the same, a similar or no Idempotency-Key, later and concurrently; rules judge.
import {
  type Api,
  anonymous,
  at,
  type Call,
  conforms,
  createNote,
  dataOf,
  defined,
  deleteNote,
  editNote,
  expectSuccess,
  identifierOf,
  ifPossible,
  lagMsMax,
  listNotes,
  type Random,
  type Reply,
  type Tools,
  traverse,
  usualText,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { trickyTexts } from '../shared/tricky-texts.ts';
import { unlessMismatch, unlessUndecidedOrUnkept } from '../shared/unless.ts';
import { repeatAfterLag } from '../shared/waits.ts';
import { repeatNoteScripts } from '../walk/note-scripts.ts';
import { randomNoteText } from '../walk/record-generators.ts';

/** In characters: texts of up to a thousand must be accepted. */
const large = 980;
/** Longer than many columns, and than 4 kB: it may be refused, but not created twice. */
const veryLarge = 2100;

/** Reads after the maximum lag; several, as a target may have several nodes. */
const settledLooks = { quick: 1, standard: 3, thorough: 3 } as const;

/** A page may hold a single note. */
const pagesMax = 200;

export const noteOf = (reply: Reply) => identifierOf('note', dataOf(reply));

export function keyedNotes(api: Api, company_id: number) {
  const pathOf = (note: Reply) => ({ company_id, note_id: noteOf(note) ?? '' });
  let looks = 0;
  return {
    create: (text: string, key: string | null = null, more: Call = {}) =>
      api.send(createNote, { ...more, path: { company_id }, body: { text }, key }),
    edit: (note: Reply, text: string, key: string, more: Call = {}) =>
      api.send(editNote, { ...more, path: pathOf(note), body: { text }, key }),
    remove: (note: Reply, key?: string) => api.send(deleteNote, { path: pathOf(note), ...defined({ key }) }),
    /** Reads the list alternately with the largest and with the default limit. */
    look: async () => {
      looks += 1;
      const way = { operation: listNotes, path: { company_id }, mode: 'cursor', pagesMax } as const;
      await unlessMismatch(traverse(api, looks % 2 === 1 ? { ...way, limit: 200 } : way));
    },
  };
}

/** Edits the first note of the run in every way before anything else is created. */
async function editFirstNote(api: Api, company_id: number, { make, random }: Pick<Tools, 'make' | 'random'>) {
  const note = await ifPossible(make.note(api, company_id));
  if (note === undefined) return;
  const path = { company_id, note_id: note.id };
  const bodies: readonly Call[] = [
    ...[randomNoteText(random), '', '  ', randomNoteText(random)].map((text) => ({ body: { text } })),
    { body: {} },
    ...['{"text": "cut', '[]'].map((text): Call => ({ text, undocumented: true })),
  ];
  for (const call of random.shuffled(bodies)) await unlessUndecidedOrUnkept(api.send(editNote, { ...call, path }));
  await unlessUndecidedOrUnkept(api.send(listNotes, { path: { company_id } }));
}

/** Places in the middle groups of a UUID, except hyphens, version and variant. */
const middle = [9, 10, 11, 12, 15, 16, 17, 20, 21, 22] as const;

/** Keys that differ from a UUID in the first digit, the last, or one between. */
function keysOneDigitApart(key: string, random: Random): readonly string[] {
  const similar = [0, random.pick(middle), key.length - 1].map((place) => {
    const digit = ((Number.parseInt(key[place] ?? '0', 16) + random.int(1, 15)) % 16).toString(16);
    return key.slice(0, place) + digit + key.slice(place + 1);
  });
  return random.shuffled(similar);
}

/** How a replay differs from the first reply. */
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

export const notesUnderKeys = conforms(
  [
    'idempotency-create-replay',
    'idempotency-create-answer',
    'idempotency-create-late',
    'idempotency-create-deleted',
    'idempotency-key-other',
    'idempotency-key-similar',
    'idempotency-key-none',
    'idempotency-replay-form',
    'idempotency-edit-answer',
    'idempotency-edit-overtaken',
    'idempotency-key-edit-other',
  ],
  { needs: ['spare', 'spareCompany'], wants: ['company'], writes: [21, 28, 160], reads: [10, 13, 126] },
  async ({ spare, spareCompany, company, ...context }) => {
    const { api, clock, make, random, effort, observe, atEnd } = context;
    if (effort === 'thorough') await editFirstNote(api.as(spare), spareCompany.id, context);
    const notes = keyedNotes(api.as(spare), spareCompany.id);
    const done = async (write: Promise<Reply>): Promise<Reply> => {
      const reply = await write;
      expectSuccess(reply);
      return reply;
    };

    // A long body with ordinary characters, and a UUID in either letter case.
    const name = make.name('note repeated last');
    const all = `${name} 資 & "co"\n\t${usualText(random)}${' 資本と融資'.repeat(large)}`;
    const text = `${[...all].slice(0, large).join('').trimEnd()} end`;
    const key = random.pick([random.uuid(), random.uuid().toUpperCase()]);
    const first = await done(notes.create(text, key));
    const repeat = await notes.create(text, key);
    observe('idempotency-replay-form', formOf(first, repeat), first, repeat);
    await notes.look();

    const otherKey = random.uuid();
    const other = await done(notes.create(text, otherKey));
    for (const similar of keysOneDigitApart(key, random).slice(0, effort === 'quick' ? 1 : undefined))
      await notes.create(text, similar);

    const shared = make.noteText('note made twice without a key');
    for (let time = 0; time < 2; time += 1) await notes.create(shared);
    const goneKey = random.uuid();
    const gone = await done(notes.create(shared, goneKey));
    await notes.look();
    await notes.remove(gone);
    await notes.create(shared, goneKey);

    if (effort !== 'quick') {
      const long = `${make.name('long note')} `.padEnd(veryLarge, '資本と融資');
      const longKey = random.uuid();
      for (let time = 0; time < 2; time += 1) await notes.create(long, longKey);
    }

    const [later = '', last = ''] = trickyTexts(random, 2);
    const edited = random.uuid();
    const [second = '', third = ''] = keysOneDigitApart(edited, random);
    await done(notes.edit(other, later, edited));
    await notes.edit(other, later, edited);
    await done(notes.edit(other, last, second));
    await done(notes.edit(other, later, third));
    // Repeats a creation whose note was edited since.
    await notes.create(text, otherKey);

    // With every key of the account, after other writes.
    if (effort === 'thorough') {
      await repeatNoteScripts(Array(8).fill({ api: api.as(spare) }), spareCompany.id, { clock, random });
      if (company) await repeatNoteScripts(Array(6).fill({ api }), company.id, { clock, random });
    }
    await clock.sleep(lagMsMax + 1);
    for (let look = 0; look < settledLooks[effort]; look += 1) await notes.look();

    atEnd(async () => {
      await notes.create(text, key);
      await notes.edit(other, last, second);
      await repeatAfterLag(clock, () => notes.look());
    });
  },
);

/** More concurrent requests show a race more often. */
const races = {
  quick: { rounds: 1, atOnce: 3 },
  standard: { rounds: 2, atOnce: 5 },
  thorough: { rounds: 6, atOnce: 8 },
} as const;

function answersOf(replies: readonly Reply[]): string {
  const statuses = [...new Set(replies.filter((reply) => !wasAccepted(reply)).map(({ status }) => status))].sort();
  return statuses.length === 0 ? 'the note' : `the note, or a refusal with ${statuses.join(' or ')}`;
}

/** More rounds, where a limiter has serialised the requests. */
const furtherRounds = 2;

const someWereTogether = (answers: readonly Reply[]): boolean =>
  answers.some((one) => one.status !== 429 && answers.some(({ id, after }) => one.id < id && one.id > after));

export const race = conforms(
  ['idempotency-create-simultaneous', 'idempotency-simultaneous-answers'],
  { needs: ['spare', 'spareCompany'], writes: [4, 14, 62] },
  async ({ spare, spareCompany, api, clock, make, random, limits, effort, observe }) => {
    const notes = keyedNotes(api.as(spare), spareCompany.id);
    const { rounds, atOnce } = races[effort];
    const together = async <T>(send: () => Promise<T>, count: number = atOnce) => {
      // Opens the connections first.
      await Promise.all(Array.from({ length: count }, () => api.as(anonymous).send('GET /health')));
      return Promise.all(Array.from({ length: count }, send));
    };
    const replies: Reply[] = [];
    let areShown = false;
    for (let round = 0; round < rounds || (!areShown && round < rounds + furtherRounds); round += 1) {
      const text = make.text('note made by several requests at once');
      const key = random.uuid();
      await limits.room(spare, 'write', atOnce);
      const answers = await together(() => notes.create(text, key));
      areShown ||= someWereTogether(answers);
      replies.push(...answers);
    }
    const [made] = replies.filter(wasAccepted);
    if (made && effort !== 'quick') {
      const [text, key] = [make.text('note edited by several requests at once'), random.uuid()];
      const count = effort === 'thorough' ? atOnce : 2;
      await limits.room(spare, 'write', count);
      await together(() => notes.edit(made, text, key), count);
    }
    await repeatAfterLag(clock, () => notes.look());
    observe('idempotency-simultaneous-answers', answersOf(replies), ...replies);
  },
);
