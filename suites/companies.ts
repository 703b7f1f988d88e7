// Endpoints / Companies: create, read, edit, and what their list shows.
import { conforms, suite } from '../lib/index.ts';
import { absence } from './companies/absence.ts';
import { companiesOf, readEach } from './companies/company.ts';
import { creationIds, judgeCreation } from './companies/creation.ts';
import { editIds, silentIds } from './companies/edit.ts';
import { judgeEdits } from './companies/editing.ts';
import { inputIds, judgeInput, rights } from './companies/refusals.ts';
import { companyRules } from './companies/rules.ts';
import { integerId } from './shared/identifiers.ts';
import { otherAccountOf, otherAccountWants } from './shared/other-account.ts';

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

export default suite('companies', [records, rights, absence], companyRules);
