// Sends undocumented input, and requests to unknown routes, and observes some of the answers.
import { anonymous, at, type Call, conforms, dataOf, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { unknownRoute } from './rules.ts';

const statuses = (names: readonly string[], replies: readonly Reply[]): string =>
  names.map((name, index) => `${name}: ${replies[index]?.status}`).join('; ');

export const observed = [
  conforms('errors-path-identifier-form', {}, async ({ api, observe }) => {
    const forms = ['abc', '-1', '0', '1.5'];
    const replies: Reply[] = [];
    for (const company_id of forms)
      replies.push(await api.send('GET /companies/{company_id}', { path: { company_id }, undocumented: true }));
    observe('errors-path-identifier-form', statuses(forms, replies), ...replies);
  }),

  conforms(
    'errors-unknown-members',
    { needs: ['spare', 'spareCompany'], writes: 2, beyondQuick: true },
    async ({ api, spare, spareCompany, make, random, observe }) => {
      const create = (call: Call) =>
        api.as(spare).send('POST /companies/{company_id}/notes', {
          path: { company_id: spareCompany.id },
          key: random.uuid(),
          undocumented: true,
          ...call,
        });
      const more = await create({ body: { text: make.name('note'), covenant_unknown: 'kept' } });
      const kept = at(dataOf(more), 'covenant_unknown') === 'kept' ? 'kept' : 'not kept';
      observe('errors-unknown-members', wasAccepted(more) ? `yes, ${kept}` : `no: ${more.status}`, more);
    },
  ),

  conforms('errors-unknown-route', {}, async ({ api }) => {
    for (const path of ['', '/companies/1']) await api.route('GET', `${path}/${unknownRoute}`);
  }),

  conforms('errors-wrong-method', { needs: ['spare'], writes: true }, async ({ api, spare }) => {
    await api.as(spare).route('PUT', '/companies', { body: {} });
    await api.as(anonymous).route('POST', '/health', { body: {} });
  }),

  conforms('errors-long-query', {}, async ({ api }) => {
    const fields = Array.from({ length: 240 }, (_, index) => `field_${index}`).join(',');
    await api.send('GET /companies', { query: { limit: 1, fields }, undocumented: true });
  }),

  conforms('errors-unshown-operations', { needs: ['contact'], writes: 0 }, async ({ api, contact, observe }) => {
    const deals = await api.route('GET', '/deals', { query: { limit: 1 } });
    const one = await api.route('GET', `/contacts/${encodeURIComponent(contact.id ?? 1)}`);
    observe('errors-unshown-operations', statuses(['GET /deals', 'GET /contacts/{id}'], [deals, one]), deals, one);
  }),
];
