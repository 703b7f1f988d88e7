// What leads to a failure: also writes that were refused, between what a record was and what it is.
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import type { Wrap } from '../../lab/mutants/mutant.ts';

/** Refuses an edit of a note, and yet changes its text. */
const wiping: Wrap = (honest) => async (request) => {
  const { method, url, headers } = request;
  const response = await honest(request);
  if (method === 'PATCH' && url.includes('/notes/') && [400, 422].includes(response.status))
    await honest(new Request(url, { method, headers, body: '{"text":"wiped"}' }));
  return response;
};

test('a refused edit that changed the note is among the steps', async () => {
  const { report } = await examine({ wrap: wiping });
  const row = report.requirements.find(({ id }) => id === 'notes-list-record');
  const failures = row?.cases.flatMap(({ failure }) => failure ?? []) ?? [];
  expect(failures.length).toBeGreaterThan(0);
  const byId = new Map(report.exchanges.map((one) => [one.id, one]));
  for (const { steps = [] } of failures) {
    const refused = steps.flatMap(({ exchange }) => {
      const found = byId.get(exchange);
      return found?.request.method === 'PATCH' && found.response.status >= 400 ? [found] : [];
    });
    expect(refused).not.toEqual([]);
  }
});
