// Mutants of all areas, each behind a bad network of its own.
import { catalogue } from '../../lib/catalogue/index.ts';
import { type Random, seededRandom } from '../../lib/runtime/random.ts';
import { type Subject, subjects } from '../matrix/subject.ts';
import { kinds } from './kinds.ts';
import { scheduleOf } from './schedule.ts';

/** 1 %. */
const perMille = 10;
/** Among so many seeds each kind meets each rate more than once. */
const seedsMax = 10_000;

const areaOf = ({ red: [first] }: Subject): string => (first === undefined ? '' : catalogue[first].area);

/** In turn one of each area, until there are no more. */
function takingTurns(mutants: readonly Subject[]): Subject[] {
  const places = new Map<string, number>();
  const placed = mutants.map((one) => {
    const place = places.get(areaOf(one)) ?? 0;
    places.set(areaOf(one), place + 1);
    return { one, place };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ one }) => one);
}

/** A seed whose schedule disturbs 1 % of all requests. */
function seedFor(random: Random): number {
  for (;;) {
    const seed = random.int(0, seedsMax);
    if (kinds[seed % kinds.length]?.occasion === 'rate' && scheduleOf(seed).perMille === perMille) return seed;
  }
}

/** The names of so many schedules. */
export function mutantsBehind(count: number, seed: number): string[] {
  const random = seededRandom(seed).derive('mutants behind a bad network');
  const mutants = takingTurns(random.shuffled(subjects.filter(({ kind }) => kind === 'mutant')));
  return mutants.slice(0, count).map(({ id }) => `network-${seedFor(random)}-${id}`);
}
