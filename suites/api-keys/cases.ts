// Cases that create, list and revoke keys; the rules judge the replies, also later ones.
import {
  type Api,
  at,
  type Context,
  type Credential,
  conforms,
  dataOf,
  eventuallySeen,
  itemsOf,
  type JsonObject,
  lagMsMax,
  type OperationId,
  type Random,
  wasAccepted,
} from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { isRevoked, type Keyed, labelMax, longLabels, padded, revokeKey } from '../shared/keys.ts';
import { perhapsKeyed } from '../shared/optional-headers.ts';
import { trickyTexts } from '../shared/tricky-texts.ts';
import { repeatAtEnd } from '../shared/waits.ts';
import { askHealth, readsAfterWriteBy } from '../walk/reads.ts';
import { idOf, readKeys, tryLabel } from './listing.ts';

export const keyDuties = ['api-keys-list-no-secret', 'api-keys-secret-elsewhere'] as const;

/** The first request of each new key: another operation each time. */
const firstUses = ['GET /companies', 'GET /me', 'GET /contacts', 'GET /api-keys'] as const satisfies OperationId[];
const labelsDrawn = 6;

const creationIds = [
  'api-keys-create-id',
  'api-keys-create-label',
  'api-keys-create-secret',
  'api-keys-create-key-prefix',
  'api-keys-create-created-at',
  'api-keys-create-works',
  'api-keys-label-lengths',
  'api-keys-label-missing',
  'api-keys-list-contains',
  'api-keys-list-record',
  'api-keys-list-last-used-moves',
  'api-keys-revoke-itself',
  'api-keys-revoked-at-once',
] as const;

type CreationContext = Context<(typeof creationIds)[number], never>;

/** Labels at their bounds, in characters, not bytes. Two keys at a time, because an account has a maximum. */
export const creation = conforms(creationIds, { writes: [3, 9, 21] }, async (tools) => {
  const { api, make, random, effort } = tools;
  // The key created right afterwards shows that the label is the defect, not the permission.
  await api.send('POST /api-keys', { body: {}, ...perhapsKeyed(random) });
  const long = padded(`${make.name('key')} "a" \\ <b>&amp;</b> `, 'éλя語', labelMax);
  if (effort === 'quick') return follow([long], tools);
  await follow([long, padded(make.name('key'), 'K', labelMax)], tools);
  // An ideograph is hardly the label of another key.
  await follow([String.fromCodePoint(random.int(0x4e00, 0x9fa5)), make.wholeText(0)], tools);
  if (effort !== 'thorough') return;
  const letters = [...'aZ09 éλя語ß"\'\\/<&>%{}'];
  for (let count = 0; count < labelsDrawn; count += 1) {
    const drawn = Array.from({ length: random.int(1, labelMax) }, () => random.pick(letters as [string, ...string[]]));
    await revokeKey(api, idOf(dataOf(await tryLabel(api, drawn.join('').trim() || 'K', tools))));
  }
});

async function follow(labels: readonly string[], tools: CreationContext): Promise<void> {
  const { api, clock, make, limits, effort } = tools;
  const made: Keyed[] = [];
  for (const label of labels) {
    const reply = await tryLabel(api, label, tools);
    if (wasAccepted(reply)) made.push({ id: idOf(dataOf(reply)), credential: make.credential(api.credential, reply) });
    // The first and the last key, each on a page of its own.
    if (effort === 'quick') continue;
    const { json } = await api.send('GET /api-keys', { query: { limit: 1, offset: 0 } });
    const total = Number(at(json, 'pagination', 'total') ?? 0);
    if (total > 1) await api.send('GET /api-keys', { query: { limit: 1, offset: total - 1 } });
  }
  for (const [index, { credential }] of made.entries()) await api.as(credential).send(firstUses[index] ?? 'GET /me');
  const own = (items: readonly JsonObject[]) => items.filter((item) => made.some(({ id }) => id === idOf(item)));
  const areListed = (items: readonly JsonObject[]) => own(items).length >= made.length;
  const listed = await eventuallySeen(clock, clock.now(), () => readKeys(api), areListed);
  if (own(listed).some((item) => (item.last_used_at ?? null) === null)) {
    // A target may record uses only once a minute.
    await clock.sleep(limits.minuteMs);
    await readKeys(api);
  }
  await revokeAll(made, tools);
}

/** The first key revokes itself, the maker revokes the others. */
async function revokeAll([first, ...others]: readonly Keyed[], { api, observe }: CreationContext): Promise<void> {
  if (first === undefined) return;
  const reply = await revokeKey(api.as(first.credential), first.id);
  observe('api-keys-revoke-itself', isRevoked(reply) ? 'yes' : `no: ${answerOf(reply)}`, reply);
  if (!isRevoked(reply)) await revokeKey(api, first.id);
  await asRevoked(api, first.credential).send('GET /companies');
  for (const { id, credential } of others) {
    await revokeKey(api, id);
    await asRevoked(api, credential).send('GET /companies');
  }
}

/** An api with a revoked key; its requests count for no account, so the client does not hold them back. */
export const asRevoked = (api: Api, credential: Credential): Api => api.as({ ...credential, accounts: [] });

/** Invalid labels that can be recognised in the list of keys. A number first, which is most often taken for a text. */
const noLabels = (mark: string, random: Random) => [
  { label: random.int(10 ** 8, 10 ** 9) },
  ...random.shuffled([{ label: null }, { label: [mark] }, { label: { text: mark } }] as const),
];
const parts = { quick: [1, 3], standard: [0, 5], thorough: [0, 12] } as const;

export const refusals = conforms(
  [
    'api-keys-label-missing',
    'api-keys-label-out-of-bounds',
    'api-keys-create-refused-effect',
    'api-keys-label-blank',
    'api-keys-create-beyond-maximum',
  ],
  { needs: ['key'], writes: [2, 7, 14], beyondQuick: ['api-keys-label-blank'] },
  async (tools) => {
    const { api, key, make, random, effort, observe } = tools;
    await readKeys(api);
    const [wrong, another, ...further] = noLabels(make.name('left behind'), random);
    const [long, longer, longest] = random.shuffled(longLabels).map((of) => ({ label: of(make.name('key')) }));
    const [name, title, ...tags] = trickyTexts(random, 12);
    // Other members must not be taken for the label.
    const otherMembers = { name, title, tags };
    const empty = { label: '' };
    // Refusals of a made key under an unused header prove little: a quick run uses the configured key first.
    const callers = [api, api.as(key.credential)] as const;
    const [one = api, other = api] = effort === 'quick' ? callers : random.shuffled(callers);
    const all: readonly (readonly [Api, JsonObject | undefined])[] = [
      ...([
        [one, wrong],
        [other, empty],
        [effort === 'quick' ? one : random.pick(callers), long],
        [other, otherMembers],
      ] as const),
      ...([
        [one, longer],
        [other, longest],
        [one, empty],
        [one, otherMembers],
        [other, another],
        [other, {}],
      ] as const),
      ...further.map((body) => [one, body] as const),
    ];
    const look = readsAfterWriteBy(api, tools);
    for (const [caller, body] of all.slice(...parts[effort])) {
      await caller.send('POST /api-keys', { body, ...perhapsKeyed(random) });
      await look();
      if (effort !== 'quick') await askHealth(api);
    }
    if (effort !== 'quick') {
      const blank = await api.send('POST /api-keys', { body: { label: '   ' } });
      observe('api-keys-label-blank', answerOf(blank), blank);
      if (wasAccepted(blank)) await revokeKey(api, idOf(dataOf(blank)));
    }
    observe('api-keys-create-beyond-maximum', 'not tried: a run does not fill an account');
    repeatAtEnd(tools, () => readKeys(api));
  },
);

const queries = [{}, { limit: 2, offset: 1 }, { limit: 1, offset: 0 }, { offset: 2 }, { limit: 200, offset: 1 }];
const farBeyond = 100_000;

export const pages = conforms(
  [
    'api-keys-list-pagination',
    'api-keys-list-offset-negative',
    'api-keys-list-offset-beyond',
    'api-keys-list-offset-pages',
    'api-keys-list-total',
    'api-keys-list-has-more',
  ],
  { wants: ['key'], writes: 0, reads: [18, 24, 53], feeds: keyDuties, visits: 'GET /api-keys' },
  async (tools) => {
    const { api, clock, random, effort, observe } = tools;
    const read = (query: { readonly limit?: number; readonly offset?: number }) => api.send('GET /api-keys', { query });
    for (const query of effort === 'quick' ? queries.slice(0, 2) : queries) await read(query);
    const [negative, beyond] = [await read({ offset: -1 }), await read({ offset: farBeyond })];
    const offset = at(negative.json, 'pagination', 'offset');
    const answer = wasAccepted(negative) ? `accepted, offset ${offset}` : negative.status;
    observe('api-keys-list-offset-negative', String(answer), negative);
    const shown = Array.isArray(dataOf(beyond)) ? `, ${itemsOf(beyond).length} keys` : '';
    observe('api-keys-list-offset-beyond', `${beyond.status}${shown}`, beyond);
    // At the end no other case makes or revokes keys. Limits end a page before, at and after the last key.
    repeatAtEnd(tools, async () => {
      // Lists may lag behind the last of them.
      if (effort !== 'quick') await clock.sleep(lagMsMax + 1);
      const { length: count } = await readKeys(api);
      if (count < 2) return;
      const several = random.int(Math.ceil(count / 6), Math.ceil(count / 3));
      const limits = effort === 'quick' ? [several, count - 1] : [several, count, count - 1, count + 1];
      if (effort === 'thorough') limits.push(Math.ceil(count / 10), Math.ceil(count / 2));
      for (const limit of new Set(limits))
        for (let place = 0; place < count; place += limit) await read({ limit, offset: place });
      const limit = random.int(2, count);
      const single = [{}, { offset: random.int(1, count - 1) }, { limit: random.int(1, count) }];
      // The last offset is no multiple of its limit.
      for (const query of [...single, { limit, offset: random.int(1, limit - 1) }]) await read(query);
      await readKeys(api);
    });
  },
);
