// Observes undocumented input and routes, and checks the errors of unknown routes and methods.
import { anonymous, at, type Call, conforms, dataOf, expectSchema, expectThat, type Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';

const statuses = (names: readonly string[], replies: readonly Reply[]): string =>
  names.map((name, index) => `${name}: ${replies[index]?.status}`).join('; ');

function expectError(reply: Reply): void {
  expectThat(reply.status >= 400, 'the request should be refused', {
    expected: '4xx',
    actual: reply.status,
    replies: reply,
  });
  expectSchema(reply, 'error', reply.json, '');
}

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

  conforms('errors-unknown-route', {}, async ({ api, check }) => {
    for (const path of ['/covenant-unknown', '/companies/1/covenant-unknown']) {
      const reply = await api.route('GET', path);
      await check('errors-unknown-route', () => expectError(reply));
    }
  }),

  conforms('errors-wrong-method', { needs: ['spare'], writes: true }, async ({ api, spare, check }) => {
    const replies = [
      await api.as(spare).route('PUT', '/companies', { body: {} }),
      await api.as(anonymous).route('POST', '/health', { body: {} }),
    ];
    for (const reply of replies) await check('errors-wrong-method', () => expectError(reply));
  }),

  conforms('errors-long-query', {}, async ({ api, check }) => {
    const fields = Array.from({ length: 240 }, (_, index) => `field_${index}`).join(',');
    const reply = await api.send('GET /companies', { query: { limit: 1, fields }, undocumented: true });
    await check('errors-long-query', () => (wasAccepted(reply) ? undefined : expectError(reply)));
  }),

  conforms('errors-unshown-operations', { needs: ['contact'], writes: 0 }, async ({ api, contact, observe }) => {
    const deals = await api.route('GET', '/deals', { query: { limit: 1 } });
    const one = await api.route('GET', `/contacts/${encodeURIComponent(contact.id ?? 1)}`);
    observe('errors-unshown-operations', statuses(['GET /deals', 'GET /contacts/{id}'], [deals, one]), deals, one);
  }),
];
