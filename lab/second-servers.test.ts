// A sample of lawful servers of the second reading: none is accused, and nothing is left open. And the report.
import { expect, test } from 'vitest';
import { withLeanFetch } from './lean-fetch.test-data.ts';
import type { Outcome } from './matrix/judgement.ts';
import { outcomeFor } from './matrix/judgement.ts';
import { secondReading } from './matrix/subject.ts';
import { accusedOf, openOf, reportOf } from './second-servers.ts';

withLeanFetch();

/** Some of them were accused before: notes numbered per company, empty pages, a session on the primary account. */
const sample = [24, 75, 104, 297, 357];

test.each(sample)('server %i is neither accused nor left open', async (seed) => {
  const outcome = await outcomeFor(secondReading(seed), 'standard');
  expect({ trouble: outcome.trouble, accused: accusedOf(outcome), open: openOf(outcome) }).toEqual({
    accused: [],
    open: [],
  });
});

const green: Outcome = {
  subject: 'second-reading-7',
  verdict: 'conformant',
  failed: ['authentication-foreign-read'],
  untested: [],
  inconclusive: [],
  effort: 'standard',
  requests: 3,
};

test('reports who was accused and what stayed open, the most frequent first', () => {
  const accused: Outcome = { ...green, subject: 'second-reading-8', failed: ['notes-delete-effect'] };
  const open: Outcome = { ...green, untested: [{ id: 'notes-create-id', reason: 'no room' }] };
  const aborted: Outcome = { ...green, verdict: 'aborted', trouble: 'nothing listens there' };
  const text = reportOf([green, accused, open, aborted], 2500);
  expect(text).toContain('4 examined, 1 accused, 1 with something left open\n12 requests in 2.5 s\n');
  expect(text).toContain('Accused, with the seeds:\n  notes-delete-effect: 1 (8)\n');
  expect(text).toContain('  notes-create-id (no room): 1 (7)\n');
  expect(text).toContain('  nothing listens there: 1 (7)\n');
  expect(text).toContain('  authentication-foreign-read: 3 (7, 7, 7)\n');
});
