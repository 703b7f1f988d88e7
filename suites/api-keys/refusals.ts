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
  wordOf,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { hostileTexts } from '../shared/hostile.ts';
import { revokeKey } from '../shared/keys.ts';
import { askHealth } from '../shared/tour.ts';
import { labelMax, padded } from './label.ts';
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
const missing = (mark: string, random: Random) => {
  const [first, ...more] = random.shuffled([
    { label: random.int(10 ** 8, 10 ** 9) },
    { label: null },
    { label: [mark] },
    { label: { text: mark } },
  ]);
  const [name, title, ...others] = hostileTexts(random, 12);
  // What stands beside is no label.
  return [{}, first ?? {}, { name, title, tags: others }, ...more];
};
const counts = { quick: [1, 2], standard: [3, 3], thorough: [5, 3] } as const;

interface TriedLabel {
  readonly label: unknown;
  readonly reply: Reply;
}

async function tryAll({ api, key, make, random, effort, check }: KeyRefusalContext): Promise<TriedLabel[]> {
  const long = padded(make.name('key'), 'K', labelMax + 1);
  // What is asked for most is asked for twice, by two keys of one user.
  const outside = [
    { label: '' },
    { label: random.pick([long, padded(make.name('key'), 'é', labelMax + 1)]) },
    { label: '' },
  ];
  const [missingCount, outsideCount] = counts[effort];
  const callers = [api, api.as(key.credential)] as const;
  const tried: TriedLabel[] = [];
  const attempt = async (id: 'api-keys-label-missing' | 'api-keys-label-out-of-bounds', body: JsonObject) => {
    const caller = callers[Math.floor(tried.length / 2) % 2] ?? api;
    const reply = await caller.send('POST /api-keys', { body });
    tried.push({ label: body.label, reply });
    if (effort !== 'quick') await askHealth(api);
    // Whether a made key may make keys is judged by itself.
    if (caller !== api && [401, 403].includes(reply.status)) return;
    await check(id, () => expectRefused(reply));
  };
  const absent = missing(make.name('left behind'), random);
  for (const body of absent.slice(0, missingCount)) await attempt('api-keys-label-missing', body);
  for (const body of outside.slice(0, outsideCount)) await attempt('api-keys-label-out-of-bounds', body);
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
  { needs: ['key'], writes: true, beyondQuick: ['api-keys-label-blank'] },
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
