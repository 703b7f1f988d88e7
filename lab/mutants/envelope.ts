// Wrong envelopes: one member on one operation, a status off by one, a time that stands still or is wrong.

import { mutants, type Wrap } from './mutant.ts';
import {
  always,
  instead,
  type Json,
  onReply,
  onStatus,
  onSuccess,
  refusal,
  rewritten,
  see,
} from './wrappers/mutator.ts';
import { asItIs, byChance } from './wrappers/nodes.ts';
import { deleteNote, editNote } from './wrappers/operations.ts';

const credits = 'GET /billing/credits/balance';
const summary = 'GET /billing/summary';
const timeOf = (json: Json): number => Date.parse(String(json.timestamp));
const shifted = (json: Json, ms: number): string => new Date(timeOf(json) + ms).toISOString();

/** Replaces a member of successes. */
const setting = (operation: string, member: string, value: (json: Json) => unknown): Wrap =>
  onSuccess(operation, (json) => ({ ...json, [member]: value(json) }));

/** Changes the body or the content type of successes. */
const body =
  (operation: string, write: (text: string) => string, label = 'application/json'): Wrap =>
  (honest) =>
  async (request) => {
    const seen = await see(request);
    const response = await honest(request);
    if (seen.operation !== operation || !response.ok) return response;
    return new Response(write(await response.text()), {
      status: response.status,
      headers: { 'content-type': label, date: response.headers.get('date') ?? '' },
    });
  };

/** Numbers the replies, and starts again after `numbers` of them. */
const wrapping = (numbers: number): Wrap => {
  return (honest) => {
    let sent = 0;
    return async (request) => {
      const response = await honest(request);
      sent += 1;
      const json = (await response.clone().json()) as object;
      return rewritten(response, { ...json, request_id: `req-${sent % numbers}` });
    };
  };
};

/** Repeats what a member was in the operation's first reply. */
const frozen =
  (operation: string, member: string): Wrap =>
  (honest, clock) => {
    let first: unknown;
    return onSuccess(operation, (json) => {
      first ??= json[member];
      return { ...json, [member]: first };
    })(honest, clock);
  };

export default mutants({
  'envelope-success-object': {
    'envelope-puts-the-credits-into-an-array': body(credits, (text) => `[${text}]`),
    'envelope-prefixes-json-against-hijacking': body(summary, (text) => `)]}',\n${text}`),
    'envelope-sends-two-objects': body(credits, (text) => `${text}\n${text}`),
    'envelope-of-one-node-holds-two-objects': byChance(
      asItIs,
      body(credits, (text) => text + text),
      2,
    ),
    'envelope-leaves-a-success-empty': body('PATCH /me/active-account', () => ''),
  },
  'envelope-content-type': {
    'envelope-labels-keys-as-text': body('GET /api-keys', String, 'text/plain'),
    'envelope-labels-refusals-as-html': (honest) => async (request) => {
      const response = await honest(request);
      if (response.status !== 401) return response;
      return new Response(await response.text(), { status: 401, headers: { 'content-type': 'text/html' } });
    },
    'envelope-creations-have-no-label': (honest) => async (request) => {
      const response = await honest(request);
      const labelled = new Headers(response.headers);
      if (response.status === 201) labelled.delete('content-type');
      return new Response(await response.arrayBuffer(), { status: response.status, headers: labelled });
    },
  },
  'envelope-data-present': {
    'envelope-data-of-credits-is-a-text': setting(credits, 'data', (json) => JSON.stringify(json.data)),
    'envelope-data-is-null-where-accounts-are-switched': setting('PATCH /me/active-account', 'data', () => null),
  },
  'envelope-data-kind': {
    'envelope-data-of-the-health-is-an-array': setting('GET /health', 'data', (json) => [json.data]),
    'envelope-one-member-is-no-list': onSuccess('GET /account/team', ({ data, ...json }) => ({
      ...json,
      data: { members: data },
    })),
  },
  'envelope-pagination-absent': {
    'envelope-paginates-one-company': setting('GET /companies/{company_id}', 'pagination', () => ({
      total: 1,
      limit: 1,
      has_more: false,
    })),
    'envelope-paginates-deletions': setting(deleteNote, 'pagination', () => ({})),
  },
  'envelope-request-id-present': {
    'envelope-request-id-is-empty-on-note-edits': setting(editNote, 'request_id', () => ''),
    'envelope-request-id-is-a-number-on-health': setting('GET /health', 'request_id', () => 17),
    'envelope-names-the-header-in-camel-case': onSuccess('POST /api-keys', ({ request_id, ...json }) => ({
      ...json,
      requestId: request_id,
    })),
  },
  'envelope-request-id-unique': {
    'envelope-request-ids-start-again': wrapping(50),
    'envelope-request-id-of-the-team-stays': frozen('GET /account/team', 'request_id'),
    'envelope-request-id-is-the-second': onSuccess(always, (json) => ({
      ...json,
      request_id: `req_${Math.floor(timeOf(json) / 1000)}`,
    })),
  },
  'envelope-timestamp-format': {
    'envelope-timestamp-is-a-number-on-deletions': setting(deleteNote, 'timestamp', timeOf),
    'envelope-timestamp-is-written-for-people': setting('GET /me', 'timestamp', (json) =>
      new Date(timeOf(json)).toUTCString(),
    ),
    'envelope-timestamp-is-a-date': setting('POST /contacts', 'timestamp', (json) =>
      String(json.timestamp).slice(0, 10),
    ),
    'envelope-timestamp-of-notes-is-null': onReply('GET /companies/{company_id}/notes', (json, _, status) =>
      status === 200 ? { ...json, timestamp: null } : json,
    ),
  },
  'envelope-timestamp-clock': {
    'envelope-timestamp-is-local-and-says-utc': setting(summary, 'timestamp', (json) => shifted(json, -5 * 3_600_000)),
    'envelope-timestamp-is-six-minutes-late': setting('PATCH /companies/{company_id}', 'timestamp', (json) =>
      shifted(json, 6 * 60_000),
    ),
  },
  'envelope-timestamp-moves': {
    'envelope-timestamp-stands-still': {
      collateral: { 'envelope-timestamp-clock': 'a run may last longer than the five minutes that it may be off' },
      wrap: frozen('GET /me/team-accounts', 'timestamp'),
    },
    'envelope-timestamp-is-the-minute': setting(
      credits,
      'timestamp',
      (json) => `${String(json.timestamp).slice(0, 16)}Z`,
    ),
  },
  'envelope-status-ok': {
    'envelope-accepts-deletions': onStatus(deleteNote, 200, 202),
    'envelope-an-edit-is-a-creation': onStatus('PATCH /companies/{company_id}', 200, 201),
    'envelope-deleted-without-content': {
      collateral: { 'notes-delete-result': 'a reply without content has no member deleted' },
      wrap: (honest) => async (request) => {
        const seen = await see(request);
        const response = await honest(request);
        const empty = seen.operation === deleteNote && response.ok;
        return empty ? new Response(null, { status: 204 }) : response;
      },
    },
  },
  'envelope-status-created': {
    'envelope-a-contact-is-ok': onStatus('POST /contacts', 201, 200),
    'envelope-a-key-is-ok': onStatus('POST /api-keys', 201, 200),
  },
  'envelope-origin-app-text': {
    'envelope-origin-app-is-an-identifier': {
      collateral: { 'pagination-limit-bounds': 'pages with the limits at their bounds vary it as well' },
      wrap: instead(always, ({ request }) =>
        /^[\w.-]*$/.test(request.headers.get('x-origin-app') ?? '')
          ? undefined
          : refusal(400, 'BAD_REQUEST', 'X-Origin-App is invalid'),
      ),
    },
  },
  'envelope-request-charset': {
    'envelope-charset-is-no-json': {
      collateral: {
        'idempotency-create-simultaneous': 'requests vary the charset, and the refused one is its control',
        'notes-create-blank': 'requests vary the charset, and the refused one is its control',
        'notes-create-empty': 'requests vary the charset, and the refused one is its control',
        'notes-create-missing-text': 'requests vary the charset, and the refused one is its control',
        'notes-text-characters': 'requests vary the charset, and the refused one is its control',
        'notes-text-long': 'requests vary the charset, and the refused one is its control',
        'api-keys-revoked-at-once': 'requests vary the charset, also those of revoked keys',
        'envelope-valid-served': 'requests vary the charset, also those of later pages',
      },
      wrap: instead('POST /companies/{company_id}/notes', ({ request }) =>
        /charset/.test(request.headers.get('content-type') ?? '')
          ? refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json')
          : undefined,
      ),
    },
  },
});
