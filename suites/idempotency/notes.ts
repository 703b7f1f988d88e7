// One company's notes under many keys: the first key is repeated last, at the end of the run.
import { type Api, type Call, conforms, editNote, listNotes, type Tools, usualText } from '../../lib/index.ts';
import { ifPossible, orPassedOver } from '../shared/attempt.ts';
import { repeatNoteScripts } from '../walk/note-scripts.ts';
import { remarkable } from '../walk/write-actions.ts';
import { creationIds, judgeCreations, judgeLong } from './creations.ts';
import { editIds, judgeEdits } from './edits.ts';
import { expectAtMost, expectRepeated, KeyedNotes, noteOf } from './keyed-notes.ts';

/** A key must outlast at least so many milliseconds, and the ten keyed writes between. */
const lateMs = 5000;
/** In characters: texts of up to a thousand are kept. */
const large = 980;
/** Longer than many a column: it may be refused, but not made twice. */
const veryLarge = 2100;
/** All of the usual texts. */
const usualTextsMax = 100;

/** How often it is read when it has had its time. */
const settledLooks = { quick: 1, standard: 3, thorough: 3 } as const;

/** The first note of the run, edited in every way before anything else is made: carried out, refused for each of the reasons, and seen; what it is answered the rules judge. */
async function editFirstNote(api: Api, company_id: number, tools: Pick<Tools, 'make' | 'random'>): Promise<void> {
  const { make, random } = tools;
  const note = await ifPossible(make.note(api, company_id));
  if (note === undefined) return;
  const path = { company_id, note_id: note.id };
  const bodies: readonly Call[] = [
    ...[remarkable(random), '', '  ', remarkable(random)].map((text) => ({ body: { text } })),
    { body: {} },
    ...['{"text": "cut', '[]'].map((text): Call => ({ text, undocumented: true })),
  ];
  for (const call of random.shuffled(bodies)) await orPassedOver(api.send(editNote, { ...call, path }));
  await orPassedOver(api.send(listNotes, { path: { company_id } }));
}

export const notesUnderKeys = conforms(
  ['idempotency-create-late', ...creationIds, ...editIds],
  { needs: ['spare', 'spareCompany'], wants: ['company'], writes: [21, 28, 160], reads: [10, 13, 126] },
  async ({ spare, spareCompany, company, ...context }) => {
    const { api, clock, make, random, effort, check, atEnd } = context;
    if (effort === 'thorough') await editFirstNote(api.as(spare), spareCompany.id, context);
    const noteList = new KeyedNotes(api.as(spare), spareCompany.id, clock);
    const name = make.name('note repeated last');
    // Long bodies of all that is usual are as good as others, and UUIDs of another case of letters.
    const all = `${name} 資 & "co"\n\t${usualText(random, usualTextsMax)}${' 資本と融資'.repeat(large)}`;
    const text = `${[...all].slice(0, large).join('').trimEnd()} end`;
    const key = random.pick([random.uuid(), random.uuid().toUpperCase()]);
    const first = { text, key, reply: await noteList.start(text, key) };
    const apart = await judgeCreations(noteList, first, context);
    if (effort !== 'quick') {
      const longer = `${make.name('long note')} ${'資本 & loans '.repeat(veryLarge)}`.slice(0, veryLarge).trimEnd();
      await judgeLong(noteList, longer, context);
    }
    const lookAtEdits = await judgeEdits(noteList, apart, context);
    // A creation is repeated whose note was edited since: its effect is looked at together with that of the edits.
    const afterEdits = await noteList.create(apart.text, apart.key);
    await check('idempotency-create-answer', () => expectRepeated(afterEdits, noteOf(apart.reply)));
    // By whichever key of the account, after whatever else happens.
    if (effort === 'thorough') {
      await repeatNoteScripts(Array(8).fill({ api: api.as(spare) }), spareCompany.id, { clock, random });
      if (company) await repeatNoteScripts(Array(6).fill({ api }), company.id, { clock, random });
    }
    const before = await noteList.settled(settledLooks[effort]);
    atEnd(async () => {
      await clock.sleep(Math.max(0, first.reply.receivedAt + lateMs + 1 - clock.now()));
      const repeat = await noteList.create(text, key);
      await check('idempotency-create-answer', () => expectRepeated(repeat, noteOf(first.reply)));
      await lookAtEdits(async (final) => {
        await check('idempotency-create-late', () => {
          const what = 'a creation repeated at the end should make no second note';
          expectAtMost(final, text, before.count(text), what, [first.reply, repeat]);
        });
      });
    });
  },
);
