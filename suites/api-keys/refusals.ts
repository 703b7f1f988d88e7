// Keys that must not be made: labels that are missing or out of bounds, and what must not stay of them.
import {
  type Context,
  conforms,
  dataOf,
  expectRefused,
  expectThat,
  type JsonObject,
  lagMsMax,
  NotTested,
  type Random,
  type Reply,
  tooLong,
  wordOf,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { revokeKey } from '../shared/keys.ts';
import { labelMax, longLabels } from '../shared/labels.ts';
import { perhapsKeyed } from '../shared/optional-headers.ts';
import { trickyTexts } from '../shared/tricky-texts.ts';
import { readsAfterWriteBy } from '../walk/reads-after-write.ts';
import { askHealth } from '../walk/sample-reads.ts';
import { idOf, type Keys, readKeys } from './listing.ts';

const ids = [
  'api-keys-label-missing',
  'api-keys-label-out-of-bounds',
  'api-keys-create-refused-effect',
  'api-keys-label-blank',
  'api-keys-create-beyond-maximum',
] as const;
type KeyRefusalContext = Context<(typeof ids)[number], 'key'>;

/** Each can be recognised among other people's keys: only this run would give it such a label. */
const wrongTypes = (mark: string, random: Random) =>
  random.shuffled([
    { label: random.int(10 ** 8, 10 ** 9) },
    { label: null },
    { label: [mark] },
    { label: { text: mark } },
  ] as const);

/** What stands beside is no label. */
function beside(random: Random): JsonObject {
  const [name, title, ...others] = trickyTexts(random, 12);
  return { name, title, tags: others };
}

interface Attempt {
  readonly id: 'api-keys-label-missing' | 'api-keys-label-out-of-bounds';
  /** Which of the two callers. */
  readonly by: 0 | 1;
  readonly body: JsonObject;
}

const parts = { quick: [1, 4], standard: [0, 6], thorough: [0, 13] } as const;

/** Of both callers each: a label that is missing, also right after another refusal, and one that is out of bounds. */
function attemptsOf({ make, random, effort }: Pick<KeyRefusalContext, 'make' | 'random' | 'effort'>): Attempt[] {
  const [wrong, another, ...further] = wrongTypes(make.name('left behind'), random);
  const [long, longer, longest] = random
    .shuffled(longLabels)
    .map((labelled) => ({ label: labelled(make.name('key')) }));
  const missing = (by: Attempt['by'], body: JsonObject = {}) => ({ id: 'api-keys-label-missing', by, body }) as const;
  const outside = (by: Attempt['by'], body: JsonObject = { label: '' }) =>
    ({ id: 'api-keys-label-out-of-bounds', by, body }) as const;
  const all = [
    ...[missing(0, wrong), missing(0), outside(1), outside(random.pick([0, 1]), long)],
    ...[missing(1, beside(random)), outside(0, longer), outside(1, longest)],
    ...[outside(0), missing(0, beside(random)), missing(1, another), missing(1)],
    ...further.map((body) => missing(0, body)),
  ];
  return all.slice(...parts[effort]);
}

interface TriedLabel {
  readonly label: unknown;
  readonly reply: Reply;
}

async function tryAll(tools: KeyRefusalContext): Promise<TriedLabel[]> {
  const { api, key, random, effort, check } = tools;
  const callers = random.shuffled([api, api.as(key.credential)] as const);
  const look = readsAfterWriteBy(api, tools);
  const tried: TriedLabel[] = [];
  for (const { id, by, body } of attemptsOf(tools)) {
    const caller = callers[by] ?? api;
    const reply = await caller.send('POST /api-keys', { body, ...perhapsKeyed(random) });
    tried.push({ label: body.label, reply });
    await look();
    if (effort !== 'quick') await askHealth(api);
    // Whether a made key may make keys is judged by itself.
    if (caller !== api && [401, 403].includes(reply.status)) continue;
    const statuses = id === 'api-keys-label-out-of-bounds' ? tooLong : [];
    await check(id, () => expectRefused(reply, ...statuses));
  }
  return tried;
}

/** A refused creation would have left a key with the label that was tried, cut or turned into text, or with none. */
function expectNoneLeft(tried: readonly TriedLabel[], known: readonly unknown[], after: Keys): void {
  const refused = tried.filter(({ reply }) => !wasAccepted(reply));
  if (refused.length === 0) throw new NotTested('no creation was refused');
  const texts = refused.map(({ label }) => wordOf(label ?? '').slice(0, labelMax - 5)).filter((text) => text !== '');
  const suspect = (label: unknown) => {
    // Blank but not empty is what other people's keys, or another run's, may lawfully be called.
    const text = wordOf(label ?? '');
    return ['', 'null', 'undefined'].includes(text) || texts.some((one) => text.startsWith(one));
  };
  const left = after.items.filter((item) => !known.includes(idOf(item)) && suspect(item.label));
  expectThat(left.length === 0, 'a refused creation should leave no key behind', {
    expected: 'no further key',
    actual: left,
    replies: [...refused.map(({ reply }) => reply), ...after.replies],
  });
}

export const refusals = conforms(
  ids,
  { needs: ['key'], writes: [3, 8, 15], beyondQuick: ['api-keys-label-blank'] },
  async (tools) => {
    const { api, clock, effort, check, observe, atEnd } = tools;
    const before = await readKeys(api);
    const tried = await tryAll(tools);
    const answers = tried.map(({ reply }) => reply);
    if (effort !== 'quick') {
      const blank = await api.send('POST /api-keys', { body: { label: '   ' } });
      observe('api-keys-label-blank', answerOf(blank), blank);
      answers.push(blank);
      // An account holds a limited number of keys.
      if (wasAccepted(blank)) await revokeKey(api, idOf(dataOf(blank)));
    }
    observe('api-keys-create-beyond-maximum', 'not tried: a run does not fill an account');
    const made = answers.filter(wasAccepted).map((reply) => idOf(dataOf(reply)));
    const refusedAt = clock.now();
    atEnd(async () => {
      // Lists may lag; what was left behind shows by then.
      await clock.sleep(Math.max(0, refusedAt + lagMsMax - clock.now()));
      const after = await readKeys(api);
      await check('api-keys-create-refused-effect', () => expectNoneLeft(tried, [...before.ids, ...made], after));
    });
  },
);
