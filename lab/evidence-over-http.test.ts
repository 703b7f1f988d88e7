// Evidence recorded over real HTTP judges itself again, every verdict the same; `npm run lab -- --evidence 20` tries many more.
import { describe, test } from 'vitest';
import { judgedAgain } from './evidence/judged-again.ts';

/** Of a record with fewer requests little would be said. */
const requestsMin = 500;

describe.concurrent('recorded over real HTTP and judged again', () => {
  test.for([
    ['reference', 'conformant'],
    ['choice-timestamps=naive', 'conformant'],
    // Verdicts that failed, with the lines that show them again.
    ['envelope-puts-the-credits-into-an-array', 'non-conformant'],
    ['companies-forbidden-is-stored', 'non-conformant'],
  ] as const)('%s', { timeout: 120_000 }, async ([id, verdict], { expect }) => {
    const { requests, bytes: _, ...judged } = await judgedAgain(id, { exhaustion: false, concurrency: 4 });
    expect(judged).toEqual({ subject: id, verdict, troubles: [] });
    expect(requests).toBeGreaterThan(requestsMin);
  });
});
