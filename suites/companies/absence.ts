// Companies that do not exist.
import { conforms, expectSuccess, identifierOf, itemsOf } from '../../lib/index.ts';
import { expectNowhere, unknownIds } from '../shared/unknown.ts';

export const absence = conforms('companies-read-unknown', {}, async ({ api, random, effort, check }) => {
  const listed = await api.send('GET /companies', { query: { limit: 100 } });
  const seen = itemsOf(listed)
    .map((item) => Number(identifierOf('company', item)))
    .filter(Number.isInteger);
  const [known] = seen;
  const read = (company_id: number | string) => api.send('GET /companies/{company_id}', { path: { company_id } });
  if (known !== undefined) expectSuccess(await read(known));
  await check('companies-read-unknown', () =>
    expectNowhere(unknownIds(random, seen.filter(Number.isInteger)), { api, effort }, read),
  );
});
