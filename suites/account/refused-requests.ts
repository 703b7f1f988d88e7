// What a session and its keys are refused: a key, a revocation, a switch. The rules judge the answers.
import type { Call, OperationId, Tools } from '../../lib/index.ts';
import { longLabels } from '../shared/labels.ts';
import { perhapsKeyed } from '../shared/optional-headers.ts';
import { unknownIds } from '../shared/unknown.ts';
import type { Caller } from '../walk/caller.ts';
import { readsAfterWriteBy } from '../walk/reads-after-write.ts';

type Refused = readonly [OperationId, Call];

/** One of each; another label and another slug each time. */
function refusedOf({ make, random: all }: Pick<Tools, 'make' | 'random'>): (place: number) => readonly Refused[] {
  const random = all.derive('in vain');
  const long = longLabels.map((one) => ({ label: one(make.name('key')) }));
  const labels = random.shuffled([{}, { label: '' }, { label: null }, ...random.shuffled(long).slice(0, 2)]);
  const [key_id] = unknownIds(random, []);
  return (place) =>
    random.shuffled<Refused>([
      ['POST /api-keys', { body: labels[place % labels.length], ...perhapsKeyed(random) }],
      ['DELETE /api-keys/{key_id}', { path: { key_id } }],
      ['PATCH /me/active-account', { body: place % 2 === 0 ? {} : { slug: `covenant-${random.uuid()}` } }],
    ]);
}

/** Of the three, in an order drawn by the seed. */
const ofEach = { quick: 0, standard: 2, thorough: 3 } as const;

/** Each is refused, and right after it its caller reads. */
export async function sendRefused(
  callers: readonly Caller[],
  tools: Pick<Tools, 'make' | 'random' | 'effort'>,
): Promise<void> {
  const { effort } = tools;
  const asked = refusedOf(tools);
  for (const [place, { api, under = {} }] of callers.entries()) {
    const look = readsAfterWriteBy(api, tools, under);
    for (const [operation, call] of asked(place).slice(0, ofEach[effort])) {
      await api.send(operation, { ...under, ...call });
      await look();
    }
  }
}
