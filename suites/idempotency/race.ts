// Simultaneous creations under one key, on warm connections, in rounds: one note each.
import { anonymous, conforms, expectThat, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { KeyedNotes, type Snapshot } from './keyed-notes.ts';

/** A race is seen only now and then: the more at once, the more often. */
const sizes = {
  quick: { rounds: 1, atOnce: 3 },
  standard: { rounds: 2, atOnce: 5 },
  thorough: { rounds: 6, atOnce: 8 },
} as const;

interface Race {
  readonly text: string;
  readonly replies: readonly Reply[];
}

function expectOneNote({ text, replies }: Race, snapshot: Snapshot): void {
  expectThat(snapshot.count(text) === 1, 'simultaneous creations under one key should make one note', {
    expected: 'one note',
    actual: `${snapshot.count(text)} notes`,
    replies: [...replies, ...snapshot.replies],
  });
}

function answersOf(rounds: readonly Race[]): string {
  const others = rounds.flatMap(({ replies }) => replies.filter((reply) => !wasAccepted(reply)));
  const statuses = [...new Set(others.map(({ status }) => status))].sort();
  return statuses.length === 0 ? 'the note' : `the note, or a refusal with ${statuses.join(' or ')}`;
}

export const race = conforms(
  ['idempotency-create-simultaneous', 'idempotency-simultaneous-answers'],
  { needs: ['spare', 'spareCompany'], writes: [4, 12, 54] },
  async ({ spare, spareCompany, api, clock, make, random, limits, effort, check, observe }) => {
    const noteList = new KeyedNotes(api.as(spare), spareCompany.id, clock);
    const { rounds: count, atOnce } = sizes[effort];
    const together = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: atOnce }, send));
    const rounds: Race[] = [];
    for (let round = 0; round < count; round += 1) {
      const text = make.text('note made by several requests at once');
      const key = random.uuid();
      await limits.room(spare, 'write', atOnce);
      await together(() => api.as(anonymous).send('GET /health'));
      rounds.push({ text, replies: await together(() => noteList.create(text, key)) });
    }
    const isThere = (snapshot: Snapshot) => rounds.every(({ text }) => snapshot.count(text) > 0);
    await noteList.look(isThere);
    const final = await noteList.final(isThere);
    await check('idempotency-create-simultaneous', () => {
      for (const round of rounds) expectOneNote(round, final);
    });
    observe('idempotency-simultaneous-answers', answersOf(rounds), ...rounds.flatMap(({ replies }) => replies));
  },
);
