// Cases for the common request headers and the version in the path.
import * as fc from 'fast-check';
import { type Call, conforms, expectSuccess, type OperationId, property } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';

/** Printable ASCII without outer spaces, which HTTP removes. */
const names = fc.stringMatching(/^[!-~](?:[ -~]{0,60}[!-~])?$/);
/** Realistic product names. */
const plausible = fc.constantFrom(
  'Deal Desk (EU), v2.1',
  'acme/loan-sync 1.0 +https://acme.example',
  "O'Neill & Sons",
  '"Quoted" name; with=parameters',
  '100% [beta] {x}',
);
const tried = ['GET /me', 'GET /companies', 'GET /api-keys'] as const satisfies readonly OperationId[];
const onePage = (operation: OperationId): Call => (operation === 'GET /me' ? {} : { query: { limit: 1 } });

export const requestHeaders = [
  conforms('envelope-origin-app-text', {}, async ({ api, random, effort }) => {
    for (const operation of tried) await api.send(operation, onePage(operation));
    const named = fc.tuple(fc.oneof(plausible, names), fc.constantFrom(...tried));
    const send = async ([name, operation]: [string, (typeof tried)[number]]) =>
      void (await api.send(operation, { ...onePage(operation), headers: { 'x-origin-app': name } }));
    await property(random, named, send, { quick: 3, standard: 8, thorough: 30 }[effort]);
  }),

  conforms('envelope-origin-app-missing', {}, async ({ api, observe }) => {
    const without = { headers: { 'x-origin-app': null } };
    const me = await api.send('GET /me', without);
    const list = await api.send('GET /companies', { query: { limit: 1 }, ...without });
    observe('envelope-origin-app-missing', `GET /me: ${me.status}; GET /companies: ${list.status}`, me, list);
  }),

  conforms(
    ['envelope-request-charset', 'envelope-request-media-type'],
    { needs: ['spare', 'spareCompany'], writes: [2, 4, 4], beyondQuick: ['envelope-request-media-type'] },
    async ({ api: primary, spare, spareCompany, make, random, effort, observe }) => {
      const api = primary.as(spare);
      const labelled = (contentType: string | null) =>
        api.send('POST /companies/{company_id}/notes', {
          path: { company_id: spareCompany.id },
          body: { text: make.name('note') },
          headers: { 'content-type': contentType },
          key: random.uuid(),
        });
      const charset = await labelled('application/json; charset=utf-8');
      // The control request, where one is needed.
      if (!wasAccepted(charset)) expectSuccess(await labelled('application/json'));
      if (effort === 'quick') return;
      const none = await labelled(null);
      const plain = await labelled('text/plain');
      observe('envelope-request-media-type', `without: ${none.status}; text/plain: ${plain.status}`, none, plain);
    },
  ),

  // The same path with another version prefix.
  conforms('envelope-version-other', {}, async ({ api, observe }) => {
    const replies = [];
    for (const version of ['v1', 'v3']) replies.push(await api.route('GET', `/../${version}/me`));
    const answers = replies.map(({ status, request }) => `${/v\d+(?=\/me)/.exec(request.url)?.[0]}: ${status}`);
    observe('envelope-version-other', answers.join('; '), ...replies);
  }),
];
