// Simultaneous creations under one key, on warm connections, in rounds: one note each.
import { anonymous, conforms, expectThat, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { type Census, Shelf } from './note-list.ts';

/** A race is seen only now and then: eight at once in three rounds find most. */
const sizes = {
  quick: { rounds: 1, atOnce: 4 },
  standard: { rounds: 3, atOnce: 8 },
  thorough: { rounds: 6, atOnce: 8 },
} as const;

interface Round {
  readonly text: string;
  readonly replies: readonly Reply[];
}

function expectOneNote({ text, replies }: Round, census: Census): void {
  expectThat(census.count(text) === 1, 'simultaneous creations under one key should make one note', {
    expected: 'one note',
    actual: `${census.count(text)} notes`,
    replies: [...replies, ...census.replies],
  });
}

function answersOf(rounds: readonly Round[]): string {
  const others = rounds.flatMap(({ replies }) => replies.filter((reply) => !wasAccepted(reply)));
  const statuses = [...new Set(others.map(({ status }) => status))].sort();
  return statuses.length === 0 ? 'the note' : `the note, or a refusal with ${statuses.join(' or ')}`;
}

export const race = conforms(
  ['idempotency-create-simultaneous', 'idempotency-simultaneous-answers'],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ spare, spareCompany, api, clock, make, random, limits, effort, check, observe }) => {
    const shelf = new Shelf(api.as(spare), spareCompany.id, clock);
    const { rounds: count, atOnce } = sizes[effort];
    const together = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: atOnce }, send));
    const rounds: Round[] = [];
    for (let round = 0; round < count; round += 1) {
      const text = make.name('note made by several requests at once');
      const key = random.uuid();
      await limits.room(spare, 'write', atOnce);
      await together(() => api.as(anonymous).send('GET /health'));
      rounds.push({ text, replies: await together(() => shelf.create(text, key)) });
    }
    await shelf.look((census) => rounds.every(({ text }) => census.count(text) > 0));
    const settled = await shelf.settled();
    await check('idempotency-create-simultaneous', () => {
      for (const round of rounds) expectOneNote(round, settled);
    });
    observe('idempotency-simultaneous-answers', answersOf(rounds), ...rounds.flatMap(({ replies }) => replies));
  },
);
