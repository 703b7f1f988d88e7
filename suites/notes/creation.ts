// New notes: in the reply, in the list of their company, and in no other.
import {
  type Context,
  conforms,
  dataOf,
  deleteNote,
  eventually,
  eventuallySeen,
  expectSuccess,
  expectThat,
  identifierOf,
  isObject,
  type Reply,
  wordOf,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { type Attempt, attempt } from '../shared/attempt.ts';
import { furtherFields } from '../shared/fields.ts';
import { expectApart, integerId } from '../shared/identifiers.ts';
import { sponsorFor } from '../shared/other-account.ts';
import { probeScopes } from '../shared/scopes.ts';
import { expectGone, expectShown, expectText, type NoteList, noteList, type ShownNotes, textsOf } from './note-list.ts';

export const creationIds = [
  'notes-create-id',
  'notes-create-text',
  'notes-create-once',
  'notes-list-contains',
  'notes-list-record',
  'notes-list-own-company',
  'notes-record-fields',
] as const;
type CreationContext = Context<(typeof creationIds)[number], 'spare' | 'spareCompany' | 'spareSponsor'>;

/** Two notes of one company and one of another, and what the list of the first shows of them. */
export interface Start {
  readonly home: NoteList;
  readonly away: NoteList;
  readonly ids: readonly [number, number];
  /** Of a note of the other company; no note of the first has it, where two notes have two identifiers. */
  readonly awayId: number;
  /** The list of the other company with that note. */
  readonly there: Attempt<ShownNotes>;
  readonly listing: ShownNotes;
  /** Whether the list is as it should be with these two. */
  readonly trusted: Attempt<unknown>;
}

/** The list, as soon as it shows the notes. */
const listShowing = (clock: Parameters<typeof eventually>[0], on: NoteList, ids: readonly number[]) =>
  eventually(clock, async () => {
    const listing = await on.list();
    const shown = new Set(listing.items.map((item) => identifierOf('note', item)));
    const missing = ids.filter((id) => !shown.has(id));
    expectThat(missing.length === 0, 'a new note should appear in the list of its company', {
      expected: `the notes ${ids.join(', ')}`,
      actual: `without ${missing.join(', ')}`,
      replies: listing.replies,
    });
    return listing;
  });

const textIn = (reply: Reply): string => {
  const data = dataOf(reply);
  return wordOf(isObject(data) ? data.text : undefined);
};

/** The text that the list should show: as the reply showed it, or as it was sent where the reply alone is wrong. */
const listedText = (listing: ShownNotes, id: number, [replied, sent]: readonly [string, string]): string =>
  textsOf(listing, id).includes(sent) ? sent : replied;

/** As many notes of this text as were made with it. */
function expectNoCopy(listing: ShownNotes, ids: readonly number[]): void {
  const texts = new Set(ids.flatMap((id) => textsOf(listing, id)));
  const alike = listing.items.filter((item) => texts.has(item.text));
  expectThat(alike.length === ids.length, 'one creation should make one note', {
    expected: `${ids.length} notes`,
    actual: alike,
    replies: listing.replies,
  });
}

/** Nothing in the list but the notes made in this company, or copies of them. */
function expectOnlyOwn(listing: ShownNotes, ids: readonly number[]): void {
  const texts = ids.flatMap((id) => textsOf(listing, id));
  const foreign = listing.items.filter((item) => !texts.includes(item.text));
  expectThat(foreign.length === 0, 'the list should show no note of another company', {
    expected: `the notes ${ids.join(', ')}`,
    actual: foreign,
    replies: listing.replies,
  });
}

/** A note with an identifier that none of these has: where companies number their notes apart, it takes some more. */
async function makeElsewhere(away: NoteList, ids: readonly number[], make: CreationContext['make']): Promise<number> {
  const create = async () => {
    const reply = await away.create({ text: make.noteText('note elsewhere') });
    expectSuccess(reply);
    return integerId('note', reply);
  };
  let id = await create();
  for (let more = 0; more < ids.length && ids.includes(id); more += 1) id = await create();
  return id;
}

/** Not one of the notes here: neither number nor text alone says so, for two companies may number their notes alike. */
function expectNoneOf(ids: readonly number[], here: ShownNotes, there: ShownNotes): void {
  const strays = there.items.filter((item) =>
    ids.some((id) => identifierOf('note', item) === id && textsOf(here, id).includes(item.text)),
  );
  expectThat(strays.length === 0, 'the list should show no note of another company', {
    expected: `none of the notes ${ids.join(', ')}`,
    actual: strays,
    replies: there.replies,
  });
}

/** Two notes with one text, so that a note is taken for another by nothing but its identifier; and one elsewhere. */
export async function judgeCreation(context: CreationContext): Promise<Start> {
  const { api: primary, spare, spareCompany, clock, random, make, check, observe } = context;
  const api = primary.as(spare);
  const home = noteList(api, random, (await sponsorFor(context)).id);
  const away = noteList(api, random, spareCompany.id);
  const text = make.noteText('note');
  const first = await home.create({ text });
  const second = await home.create({ text });
  for (const reply of [first, second]) expectSuccess(reply);
  await check('notes-create-id', () => expectApart('note', first, second));
  await check('notes-create-text', () => {
    for (const reply of [first, second]) expectText(reply, text);
  });
  const record = dataOf(first);
  if (isObject(record)) observe('notes-record-fields', furtherFields(record, ['text'], 'note'), first);

  const ids = [integerId('note', first), integerId('note', second)] as const;
  const awayId = await makeElsewhere(away, ids, make);
  const here = await attempt(listShowing(clock, home, ids));
  const there = await attempt(listShowing(clock, away, [awayId]));
  for (const search of [here, there]) await check('notes-list-contains', () => void search.judged());
  const trusted = await attempt(
    (async () => {
      const listing = here.judged();
      expectNoCopy(listing, ids);
      for (const [index, reply] of [first, second].entries())
        expectShown(
          listing,
          ids[index] ?? 0,
          listedText(listing, ids[index] ?? 0, [textIn(reply), text]),
          'a new note',
        );
      expectOnlyOwn(listing, ids);
    })(),
  );
  await check('notes-create-once', () => expectNoCopy(here.value(), ids));
  await check('notes-list-record', () => {
    for (const [index, reply] of [first, second].entries()) {
      const id = ids[index] ?? 0;
      expectShown(here.value(), id, listedText(here.value(), id, [textIn(reply), text]), 'a new note');
    }
  });
  await check('notes-list-own-company', () => {
    expectNoneOf(ids, here.value(), there.value());
    expectOnlyOwn(here.value(), ids);
  });
  return { home, away, ids, awayId, there, trusted, listing: here.held ? here.value() : await home.list() };
}

/** Deletes a note that another user of the account has written, as far as it is shown; resolves to whether it was answered so. */
async function removeOthers(
  notes: NoteList,
  { note, text }: { readonly note: number; readonly text: string },
  { check, clock }: Pick<Context<'notes-delete-effect', never>, 'check' | 'clock'>,
): Promise<boolean> {
  const isShown = (listing: ShownNotes) => textsOf(listing, note).includes(text);
  if (!isShown(await notes.list())) return false;
  const removal = await notes.remove(note);
  if (!wasAccepted(removal)) return false;
  const after = await eventuallySeen(
    clock,
    removal.receivedAt,
    () => notes.list(),
    (seen) => !isShown(seen),
  );
  await check('notes-delete-effect', () => expectGone(after, note, 'the deleted note of another user'));
  return true;
}

export const restricted = conforms(
  ['notes-create-restricted', 'notes-delete-effect'],
  { needs: ['restricted', 'company'], writes: 2, beyondQuick: true, perhaps: ['notes-delete-effect'] },
  async ({ restricted: clerk, company, make, observe, ...tools }) => {
    const { api, random } = tools;
    const user = api.as(clerk);
    const text = make.noteText('note');
    const reply = await noteList(user, random, company.id).create({ text });
    observe('notes-create-restricted', answerOf(reply), reply);
    // Right after a creation and after a deletion, too, what is closed stays closed: the rules judge that.
    await probeScopes(user);
    const note_id = identifierOf('note', dataOf(reply));
    if (!wasAccepted(reply) || note_id === undefined) return;
    // Whether others may delete it is open.
    if (!(await removeOthers(noteList(api, random, company.id), { note: Number(note_id), text }, tools)))
      await user.send(deleteNote, { path: { company_id: company.id, note_id } });
    await probeScopes(user);
  },
);
