// What the document does not say of a company's fields: recorded, never judged.
import { at, conforms, dataOf } from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';

const orgId = 1;

/** On the spare account: what is accepted stays for ever. */
export const silent = conforms(
  ['companies-name-blank', 'companies-website-invalid', 'companies-org-id'],
  { needs: ['spare'], writes: true },
  async ({ api, spare, random, make, observe }) => {
    const create = (change: object) =>
      api.as(spare).send('POST /companies', {
        body: { name: make.name('company'), company_type: 'lender', ...change },
        key: random.uuid(),
      });
    const blank = await create({ name: '   ', address: make.name('company') });
    observe('companies-name-blank', answerOf(blank), blank);
    const website = await create({ website: 'no address at all' });
    observe('companies-website-invalid', answerOf(website), website);
    const linked = await create({ org_id: orgId });
    const back = at(dataOf(linked), 'org_id') === orgId ? 'and comes back' : 'and does not come back';
    observe('companies-org-id', wasAccepted(linked) ? `accepted ${back}` : answerOf(linked), linked);
  },
);
