// Wrong errors: bodies that lack a part, malformed JSON that has an effect, undocumented input that breaks the envelope.

import { mutants, type Wrap } from './mutant.ts';
import type { Json } from './wrappers/mutator.ts';
import {
  altered,
  always,
  instead,
  lastSegment,
  onReply,
  page,
  refusal,
  rewritten,
  type Seen,
  see,
} from './wrappers/mutator.ts';
import { editNote, notes as listNotes } from './wrappers/operations.ts';

type Part = { code?: unknown; message?: unknown };

const html = (status: number): Response => page(status, 'Sorry');
const partOf = (json: Json): Part => json.error as Part;

/** Whether a request is wrong only in a documented way: identifiers are numbers, the body is an object of plain members. */
function isNamed({ request, url, body }: Seen): boolean {
  const plain = request.method === 'GET' || request.method === 'DELETE' || isPlain(body);
  return plain && !/\/(?:companies|notes|api-keys)\/(?!\d{1,12}(?:\/|$))/.test(url.pathname);
}
const isPlain = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.values(body).every((value) => typeof value === 'string' || typeof value === 'number');

/** Replaces refusals with this status. */
const inPlaceOf =
  (operation: string, status: number, answer: (refusal: Response) => Response | Promise<Response>): Wrap =>
  (honest) =>
  async (request) => {
    const seen = await see(request);
    const response = await honest(request);
    const meant = seen.operation === operation && response.status === status && isNamed(seen);
    return meant ? answer(response) : response;
  };

/** Changes the body of refusals with this status. */
const onError = (operation: string, status: number, change: (json: Json) => unknown): Wrap =>
  inPlaceOf(operation, status, async (refused) => rewritten(refused, change((await refused.json()) as Json)));

const onPart = (operation: string, status: number, change: (part: Part) => Part): Wrap =>
  onError(operation, status, (json) => ({ ...json, error: change(partOf(json)) }));

/** Whether the body claims to be JSON and is not. */
const isMalformed = async ({ request, body }: Seen): Promise<boolean> =>
  request.headers.get('content-type') === 'application/json' &&
  body === undefined &&
  (await request.clone().text()) !== '';

/** Changes the reply to malformed bodies of these operations. */
const onMalformed =
  (
    operations: readonly string[],
    answer: (seen: Seen, text: string, again: (body: unknown) => Promise<Response>) => Promise<Response>,
  ): Wrap =>
  (honest) =>
  async (request) => {
    const seen = await see(request);
    if (!operations.includes(seen.operation) || !(await isMalformed(seen))) return honest(request);
    const text = await request.clone().text();
    return answer(seen, text, async (body) => honest(await altered(seen, { body })));
  };

const refused = () => refusal(400, 'BAD_REQUEST', 'The body is not well-formed JSON');
/** What a lenient parser reads from a text that was cut off. */
const repaired = (text: string): Json | undefined => {
  for (const end of ['}', '"}']) {
    try {
      return JSON.parse(text.replace(/[,}]*$/, '') + end) as Json;
    } catch {
      // Try the next ending.
    }
  }
  return undefined;
};

/** Carries out what a lenient parser reads from a malformed body, and refuses it. */
const storingHalf = (operation: string): Wrap =>
  onMalformed([operation], async (_, text, again) => {
    const body = repaired(text);
    if (body) await again(body);
    return refused();
  });

/** Changes the reply to undocumented input of one operation. */
const onUndocumented = (operation: string, is: (seen: Seen) => boolean, answer: () => Response): Wrap =>
  instead((seen) => seen.operation === operation && is(seen), answer);
const isNoObject = ({ body }: Seen): boolean =>
  body !== undefined && (typeof body !== 'object' || Array.isArray(body) || body === null);
const outage = () => refusal(500, 'INTERNAL_ERROR', 'Internal error');
const query =
  (...names: readonly string[]) =>
  ({ url }: Seen): boolean =>
    names.some((name) => url.searchParams.has(name) && !/^\d{1,3}$/.test(url.searchParams.get(name) ?? ''));

/** Leaves of refusals with this status nothing but the message, as a framework does by itself. */
const messageAlone = (status: number): Wrap =>
  onReply(always, (json, _, given) => (given === status ? { message: partOf(json).message } : json));
const withoutRequestId = { 'errors-body-request-id': 'a message alone has no request_id either' } as const;

const largestBody = 8192;

const largeBodiesRefused: Wrap = instead(
  ({ request }) => request.method !== 'GET',
  async ({ request }) => {
    const { byteLength } = await request.clone().arrayBuffer();
    return byteLength > largestBody ? Response.json({ message: 'Payload Too Large' }, { status: 413 }) : undefined;
  },
);

/** A used key with another body is a conflict. */
const usedKeysConflict: Wrap = (honest) => async (request) => {
  const response = await honest(request);
  const isUsed = response.status === 422 && (await response.clone().text()).includes('used with another body');
  return isUsed ? refusal(409, 'CONFLICT', 'This Idempotency-Key was used with another body') : response;
};

const isUnknown = ({ operation }: Seen): boolean => operation.includes('covenant-unknown');

export default mutants({
  'errors-body-object': {
    'errors-missing-company-is-a-page': {
      collateral: { 'errors-strange-input-envelope': 'an odd identifier is answered with 404 as well' },
      wrap: inPlaceOf('GET /companies/{company_id}', 404, () => html(404)),
    },
    'errors-forbidden-without-a-body': {
      collateral: { 'errors-strange-input-envelope': 'a foreign X-Active-Account is answered with 403 as well' },
      wrap: inPlaceOf('GET /billing/summary', 403, () => new Response(null, { status: 403 })),
    },
    'errors-error-is-a-text': onError('GET /contacts', 401, (json) => ({ ...json, error: partOf(json).message })),
    'errors-problem-document-where-validation-fails': onError('POST /companies', 422, ({ request_id }) => ({
      request_id,
      title: 'Invalid',
      status: 422,
    })),
    'errors-conflicts-are-a-message-alone': {
      collateral: {
        ...withoutRequestId,
        'errors-strange-input-envelope': 'what is sent again under a key that is no UUID is a conflict as well',
      },
      reference: { choices: { replay: 'conflict' } },
      wrap: messageAlone(409),
    },
    'errors-used-keys-with-another-body-are-a-message-alone': {
      collateral: withoutRequestId,
      wrap: (honest, clock) => messageAlone(409)(usedKeysConflict(honest, clock), clock),
    },
    'errors-unsupported-types-are-a-message-alone': { collateral: withoutRequestId, wrap: messageAlone(415) },
    'errors-large-bodies-are-a-message-alone': { collateral: withoutRequestId, wrap: largeBodiesRefused },
    'errors-error-stands-in-an-array': {
      collateral: { 'errors-strange-input-envelope': 'a slug of another type is answered with 400 as well' },
      wrap: onError('PATCH /me/active-account', 400, ({ error, ...json }) => ({ ...json, error: [error] })),
    },
  },
  'errors-body-request-id': {
    'errors-refused-deletion-has-no-request-id': onError(
      'DELETE /companies/{company_id}/notes/{note_id}',
      404,
      ({ error }) => ({ error }),
    ),
    'errors-request-id-stands-inside': onError('POST /companies', 422, ({ request_id, error }) => ({
      error: { ...(error as Part), request_id },
    })),
  },
  'errors-body-code': {
    'errors-code-is-the-status': {
      collateral: { 'errors-strange-input-envelope': 'an odd identifier is answered with 404 as well' },
      wrap: onPart('GET /companies/{company_id}', 404, (part) => ({ ...part, code: 404 })),
    },
    'errors-forbidden-without-code': {
      collateral: { 'errors-strange-input-envelope': 'a foreign X-Active-Account is answered with 403 as well' },
      wrap: onPart('GET /billing/summary', 403, ({ message }) => ({ message })),
    },
  },
  'errors-body-message': {
    'errors-messages-are-a-list': onPart('POST /companies', 422, (part) => ({ ...part, message: [part.message] })),
    'errors-message-is-null-without-credentials': onPart('GET /account/team', 401, (part) => ({
      ...part,
      message: null,
    })),
  },
  'errors-defects-combined': {
    'errors-blank-text-on-nothing-is-an-outage': instead('POST /companies/{company_id}/notes', async (seen, honest) => {
      const blank = String((seen.body as Json | undefined)?.text ?? 'x').trim() === '';
      // What is not blank is made once.
      if (!blank) return undefined;
      const { status } = await honest(await altered(seen, {}));
      return status === 404 ? refusal(500, 'INTERNAL_ERROR', 'Internal error') : undefined;
    }),
    'errors-empty-contact-crashes': {
      collateral: { 'contacts-create-missing-type': 'it sends a body without a type only, too' },
      wrap: instead('POST /contacts', ({ body }) => {
        const { contact_type, phones } = (body ?? {}) as Json;
        return contact_type === undefined && phones ? refusal(500, 'INTERNAL_ERROR', 'Internal error') : undefined;
      }),
    },
  },
  'errors-malformed-json-envelope': {
    'errors-malformed-contact-is-a-page': onMalformed(['POST /contacts'], async () => html(400)),
    'errors-malformed-validation-breaks-the-connection': onMalformed(['POST /auth/validate-api-key'], async () => {
      throw new Error('parser crashed');
    }),
    'errors-malformed-note-is-the-parsers-own-answer': onMalformed([editNote], async (_, text) =>
      Response.json({ error: `Unexpected end of JSON input in ${text.length} characters` }, { status: 400 }),
    ),
  },
  'errors-malformed-json-status': {
    'errors-malformed-company-is-an-outage': onMalformed(['POST /companies'], async () =>
      refusal(500, 'INTERNAL_ERROR', 'Internal error'),
    ),
  },
  'errors-malformed-json-effect': {
    'errors-half-a-note-is-kept': storingHalf('POST /companies/{company_id}/notes'),
    'errors-half-an-edit-is-applied': {
      collateral: {
        'companies-read-record': 'what was written last is compared with every reply that shows the company',
        'companies-list-record': 'what was written last is compared with every list that shows the company',
      },
      wrap: storingHalf('PATCH /companies/{company_id}'),
    },
    'errors-half-a-key-is-made': storingHalf('POST /api-keys'),
  },
  'errors-strange-input-envelope': {
    'errors-strange-identifier-is-a-page': onUndocumented(
      'DELETE /api-keys/{key_id}',
      (seen) => !/^\d{1,16}$/.test(decodeURIComponent(lastSegment(seen))),
      () => html(400),
    ),
    'errors-strange-company-is-an-outage-page': {
      collateral: { 'errors-strange-input-status': 'its status is 500 as well' },
      wrap: onUndocumented(
        listNotes,
        ({ url }) => !/\/companies\/\d{1,16}\/notes$/.test(url.pathname),
        () => html(500),
      ),
    },
    'errors-array-as-a-note-has-a-plain-error': onUndocumented(editNote, isNoObject, () => html(422)),
    'errors-strange-body-breaks-the-connection': onUndocumented('POST /companies', isNoObject, () => {
      throw new Error('crashed');
    }),
  },
  'errors-strange-input-status': {
    'errors-strange-query-is-an-outage': onUndocumented(
      'GET /billing/summary',
      query('limit', 'cursor', 'offset', 'fields', 'sort'),
      outage,
    ),
    'errors-array-as-a-key-is-an-outage': onUndocumented('POST /api-keys', isNoObject, outage),
  },
  'errors-unknown-route': {
    'errors-unknown-route-is-a-page': instead(isUnknown, () => html(404)),
    'errors-unknown-route-is-a-success': instead(isUnknown, () => Response.json({ hello: 'world' })),
  },
  'errors-wrong-method': {
    'errors-wrong-method-has-no-body': (honest) => async (request) => {
      const response = await honest(request);
      return response.status === 405 ? new Response(null, { status: 405 }) : response;
    },
  },
  'errors-long-query': {
    'errors-long-query-is-a-page': instead(
      ({ url }) => url.search.length > 2048,
      () => html(414),
    ),
  },
});
