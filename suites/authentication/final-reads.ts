// After the random walk each caller, and a key of its making, reads all there is; what they show the rules judge.
import {
  type Api,
  type Context,
  type Credential,
  createNote,
  dataOf,
  deleteNote,
  expectSuccess,
  idempotencyKey,
  identifierOf,
  lagMsMax,
  listNotes,
  type Reply,
  type Tools,
  usualText,
  wasAccepted,
} from '../../lib/index.ts';
import { orPassedOver } from '../shared/attempt.ts';
import { keyBy, longLabels, revokeByItself, revokeKey } from '../shared/keys.ts';
import { perhapsKeyed, similarKeys } from '../shared/optional-headers.ts';
import { foreignTexts, longText, trickyTexts } from '../shared/tricky-texts.ts';
import type { ActorRole } from '../walk/actor.ts';
import { Reader, readSample } from '../walk/reads.ts';
import { remarkable } from '../walk/record-generators.ts';

type ReadTools = Pick<Context<'api-keys-made-rights', never>, 'api' | 'check' | 'clock' | 'make' | 'random'>;

const samplesEach = 4;
const pagesMax = 16;

/** Made and revoked at once; whether it could be made. */
async function isMadeBy(maker: Api, label: string, tools: ReadTools): Promise<boolean> {
  const key = await keyBy(maker, label, tools.make);
  if (key) await orPassedOver(revokeByItself(maker, key.credential, key.id, tools));
  return key !== undefined;
}

/**
 * Texts of every class as labels of keys that a made key makes. What it is refused is its right where its own maker is
 * served, and where it makes keys with other labels, so that there is room for them.
 */
async function labelKeys(maker: Api, made: Api, tools: ReadTools): Promise<void> {
  const { check, make, random } = tools;
  const labels = [...trickyTexts(random, 3), ...foreignTexts(random, 1), longText(random), usualText(random, 12, 200)];
  for (const label of labels) {
    if (await isMadeBy(made, label, tools)) continue;
    if (!(await isMadeBy(maker, label, tools)) || !(await isMadeBy(made, make.label('key'), tools))) continue;
    const again = await made.send('POST /api-keys', { body: { label } });
    await check('api-keys-made-rights', () => expectSuccess(again));
    if (wasAccepted(again)) await revokeKey(maker, identifierOf('key', dataOf(again)));
  }
}

/** What lacks a label is no key, whoever asks; that it is not forbidden shows the one that is made right afterwards. */
async function refuseKeys(api: Api, tools: ReadTools): Promise<void> {
  const { make, random } = tools;
  const [long] = random.shuffled(longLabels);
  for (const label of random.shuffled([undefined, 7, '', long?.(make.name('key'))]))
    await api.send('POST /api-keys', { body: label === undefined ? {} : { label }, ...perhapsKeyed(random) });
  await isMadeBy(api, make.label('key'), tools);
}

/** One note, and an equal one under each key that differs from the first in one group only; all are deleted again. */
async function underSimilarKeys(api: Api, company_id: number | string, random: Tools['random']): Promise<void> {
  const path = { company_id };
  const body = { text: remarkable(random) };
  const first = idempotencyKey(random);
  const made: Reply[] = [];
  for (const key of [first, ...similarKeys(first, random)])
    made.push(await api.send(createNote, { path, body, key, exactly: true }));
  for (const note_id of new Set(made.filter(wasAccepted).map((reply) => identifierOf('note', dataOf(reply)))))
    if (note_id !== undefined) await api.send(deleteNote, { path: { company_id, note_id } });
}

/** Written to, and then read page after page. */
async function tryNotes(api: Api, company_id: number | string, random: Tools['random']): Promise<void> {
  await underSimilarKeys(api, company_id, random);
  const query = { limit: random.int(1, 4) };
  await new Reader(random).pages({ api }, { operation: listNotes, call: { path: { company_id }, query } }, pagesMax);
}

/** All of it under each name of an account. */
async function readEverything(
  reader: Api,
  { site, accounts }: { readonly site: ActorRole['site']; readonly accounts: readonly (string | undefined)[] },
  random: Tools['random'],
): Promise<void> {
  if (site) await orPassedOver(tryNotes(reader, site.company.id, random));
  for (const account of accounts)
    for (let round = 0; round < samplesEach; round += 1)
      await orPassedOver(readSample(reader, random, account, pagesMax));
}

/** `session`: it reads, as do the keys of its making, also under the name of each of its `accounts`. */
export async function readAtEnd(
  roles: readonly ActorRole[],
  { session, accounts: named }: { readonly session?: Credential | undefined; readonly accounts: readonly string[] },
  tools: ReadTools,
): Promise<void> {
  const { api, clock, make, random } = tools;
  const callers = roles.flatMap(({ caller, site }) => (caller && !caller.under ? [[caller.api, site] as const] : []));
  const readers = await Promise.all(
    callers.map(async ([maker, site], place) => {
      const key = await make.furtherKey(maker);
      const accounts = [undefined, ...(maker.credential === session ? named : [])];
      const own = { ...tools, random: random.derive(`look round ${place}`) };
      return { maker, made: key && api.as(key.credential), all: { site, accounts }, own };
    }),
  );
  // What lists may lag behind is over.
  await clock.sleep(lagMsMax);
  const together = (work: (one: (typeof readers)[number]) => Promise<void>) => Promise.all(readers.map(work));
  await together(async ({ maker, made, all, own }) => {
    await readEverything(maker, all, own.random);
    if (made) await readEverything(made, all, own.random);
  });
  // Keys come and go from here on, first for one caller after the other: what lists of them count is not known any more.
  for (const { maker, made, own } of readers)
    for (const api of made ? [maker, made] : [maker]) await orPassedOver(refuseKeys(api, own));
  await together(async ({ maker, made, own }) => {
    if (made) await labelKeys(maker, made, own);
  });
}
