// Companies that must be refused, each for one reason; and that nothing of them stays.
import { type Api, conforms, expectStatus, expectSuccess, type JsonObject, type Random } from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { defects, expectNothingLeft, expectTriedRefused, taken, tryDefects } from '../shared/refusals.ts';
import { findMarked } from '../shared/search.ts';
import { fullRecord } from './record.ts';

const creation = (api: Api, random: Random) => ({
  body: (mark: string) => ({ name: mark, company_type: 'lender', address: mark }),
  send: (body: JsonObject) => api.send('POST /companies', { body, key: random.uuid() }),
});

const rows = defects(
  { id: 'companies-create-missing-name', change: { name: undefined }, statuses: [422] },
  { id: 'companies-create-missing-type', change: { company_type: undefined }, statuses: [422] },
  { id: 'companies-name-out-of-bounds', change: { name: '' } },
  { id: 'companies-name-out-of-bounds', change: { name: 'x'.repeat(256) } },
  { id: 'companies-name-out-of-bounds', change: { name: 'Ü'.repeat(256) } },
  { id: 'companies-type-unknown', change: { company_type: 'broker' } },
  { id: 'companies-type-unknown', change: { company_type: 'lender_contact' } },
  { id: 'companies-type-unknown', change: { company_type: '' } },
  { id: 'companies-required-wrong-type', change: { name: null } },
  { id: 'companies-required-wrong-type', change: { name: 42 } },
  { id: 'companies-required-wrong-type', change: { name: ['Covenant'] } },
  { id: 'companies-required-wrong-type', change: { company_type: null } },
  { id: 'companies-required-wrong-type', change: { company_type: 1 } },
  { id: 'companies-required-wrong-type', change: { company_type: ['lender'] } },
);

const input = conforms(
  [
    'companies-create-missing-name',
    'companies-create-missing-type',
    'companies-name-out-of-bounds',
    'companies-type-unknown',
    'companies-required-wrong-type',
    'companies-create-refused-effect',
  ],
  { needs: ['spare'], writes: true },
  async ({ check, spare, ...others }) => {
    const tools = { ...others, api: others.api.as(spare) };
    const { api, random, make } = tools;
    const company = creation(api, random);
    const tried = await tryDefects(taken(rows, tools), company, tools);
    const control = make.name('accepted');
    expectSuccess(await company.send(company.body(control)));
    for (const one of tried) await check(one.defect.id, () => expectTriedRefused(one));
    const search = await attempt(findMarked(tools, 'GET /companies', control, 'a company made last'));
    await check('companies-create-refused-effect', () =>
      expectNothingLeft(search.value(), tried, 'a company that was refused'),
    );
  },
);

const rights = conforms(
  ['companies-create-forbidden', 'companies-create-refused-effect', 'companies-edit-restricted'],
  { needs: ['restricted'], writes: true },
  async ({ check, observe, restricted, ...tools }) => {
    const { api, random, make } = tools;
    const mark = make.name('refused');
    const { body, send } = creation(api.as(restricted), random);
    const reply = await send(body(mark));
    // The control comes after it: a list that shows the later record shows the earlier one too.
    const control = await make.company(api);
    await check('companies-create-forbidden', () => expectStatus(reply, 403));
    const search = await attempt(findMarked(tools, 'GET /companies', String(control.sent.name), 'a company made last'));
    await check('companies-create-refused-effect', () =>
      expectNothingLeft(search.value(), [{ mark, reply }], 'a company that was refused'),
    );
    const edit = await api.as(restricted).send('PATCH /companies/{company_id}', {
      path: { company_id: control.id },
      body: fullRecord(make.name('company'), 'second'),
    });
    observe('companies-edit-restricted', answerOf(edit), edit);
  },
);

export const refusals = [input, rights];
