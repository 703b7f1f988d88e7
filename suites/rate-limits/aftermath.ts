// What there is when the writes of an account were spent: nothing of what was refused, and all that was to be taken away in vain.
import { type Api, expectSuccess, expectThat, isObject, NotTested, type Reply } from '../../lib/index.ts';
import { carries } from '../shared/search.ts';
import { isRefused } from './burst.ts';
import type { Writer } from './writes.ts';

/** What there is after the refusals. */
export async function aftermath(api: Api, { records: { company } }: Writer): Promise<readonly Reply[]> {
  const path = { company_id: company.id };
  const query = { limit: 150 };
  const replies = [
    await api.send('GET /companies/{company_id}', { path }),
    await api.send('GET /companies/{company_id}/notes', { path, query }),
    await api.send('GET /companies', { query }),
    await api.send('GET /contacts', { query }),
    await api.send('GET /api-keys', { query }),
  ];
  for (const reply of replies) expectSuccess(reply);
  return replies;
}

/** No reply shows a text that was sent with a refused write. */
export function expectNoEffect(seen: readonly Reply[], { written }: Writer): void {
  const refused = written.filter(({ reply }) => isRefused(reply));
  if (refused.length === 0) throw new NotTested('no write was refused');
  const effects = refused.flatMap((one) =>
    seen
      .filter(({ json }) => isObject(json) && carries(json, one.text))
      .map((place) => ({ ...one, place, effect: `"${one.text}" appears in ${place.operation}` })),
  );
  expectThat(effects.length === 0, 'a refused write should not be carried out', {
    expected: 'nothing of what was refused',
    actual: effects.map(({ effect }) => effect).join('; '),
    replies: effects.flatMap(({ reply, place }) => [reply, place]).slice(0, 4),
  });
}

export function expectStillThere(gone: readonly Reply[]): void {
  expectThat(gone.length === 0, 'what a refused deletion named should still be there', {
    expected: 'every note in its list, and every key accepted',
    actual: `${gone.length} of these replies speak against it`,
    replies: gone,
  });
}
