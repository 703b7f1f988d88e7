// Endpoints / Companies: create, read, edit, and what their list shows.
import { conforms, expectSuccess, identifierOf, itemsOf, suite } from '../lib/index.ts';
import { companiesOf, readEach } from './companies/company.ts';
import { creationIds, judgeCreation } from './companies/creation.ts';
import { editIds, silentIds } from './companies/edit.ts';
import { judgeEdits } from './companies/editing.ts';
import { inputIds, judgeInput, rights } from './companies/refusals.ts';
import { companyRules } from './companies/rules.ts';
import { integerId } from './shared/identifiers.ts';
import { otherAccountOf, otherAccountWants } from './shared/other-account.ts';
import { expectNowhere, unknownIds } from './shared/unknown.ts';

const records = conforms(
  [...inputIds, ...creationIds, ...editIds],
  {
    needs: ['spare'],
    wants: otherAccountWants,
    writes: [13, 30, 48],
    reads: [32, 75, 108],
    leaves: { companies: 5 },
    beyondQuick: silentIds,
  },
  async (context) => {
    const older = await judgeInput(context, otherAccountOf(context)?.credential);
    const made = await judgeCreation(context);
    await judgeEdits(context, made, [integerId('company', older)]);
    if (context.effort !== 'quick') context.atEnd(() => readEach(companiesOf(context)));
  },
);

/** Companies that do not exist. */
const absence = conforms('companies-read-unknown', {}, async ({ api, random, effort, check }) => {
  const listed = await api.send('GET /companies', { query: { limit: 100 } });
  const seen = itemsOf(listed)
    .map((item) => Number(identifierOf('company', item)))
    .filter(Number.isInteger);
  const [known] = seen;
  const read = (company_id: number | string) => api.send('GET /companies/{company_id}', { path: { company_id } });
  if (known !== undefined) expectSuccess(await read(known));
  await check('companies-read-unknown', () => expectNowhere(unknownIds(random, seen), { api, effort }, read));
});

export default suite('companies', [records, rights, absence], companyRules);
