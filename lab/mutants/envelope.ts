// Wrong envelopes: one member on one operation, a status off by one, a time that stands still or runs away.
import { type Mutant, mutant, type Wrap } from './mutant.ts';
import { instead, onReply, onStatus, onSuccess, refusal, rewritten, see } from './wrappers/mutator.ts';

const credits = 'GET /billing/credits/balance';
const summary = 'GET /billing/summary';
const deleteNote = 'DELETE /companies/{company_id}/notes/{note_id}';
const editNote = 'PATCH /companies/{company_id}/notes/{note_id}';
const timeOf = (json: Record<string, unknown>): number => Date.parse(String(json.timestamp));
const shifted = (json: Record<string, unknown>, ms: number) => ({
  ...json,
  timestamp: new Date(timeOf(json) + ms).toISOString(),
});

/** Another body, or another label, in place of an honest success. */
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

const bodies: readonly Mutant[] = [
  mutant(
    'envelope-puts-the-credits-into-an-array',
    { breaks: ['envelope-success-object'] },
    body(credits, (text) => `[${text}]`),
  ),
  mutant(
    'envelope-prefixes-json-against-hijacking',
    { breaks: ['envelope-success-object'] },
    body(summary, (text) => `)]}',\n${text}`),
  ),
  mutant(
    'envelope-sends-two-objects',
    { breaks: ['envelope-success-object'] },
    body(credits, (text) => `${text}\n${text}`),
  ),
  mutant(
    'envelope-leaves-a-success-empty',
    { breaks: ['envelope-success-object'] },
    body('PATCH /me/active-account', () => ''),
  ),
  mutant(
    'envelope-labels-keys-as-text',
    { breaks: ['envelope-content-type'] },
    body('GET /api-keys', String, 'text/plain'),
  ),
  mutant('envelope-labels-refusals-as-html', { breaks: ['envelope-content-type'] }, (honest) => async (request) => {
    const response = await honest(request);
    if (response.status !== 401) return response;
    return new Response(await response.text(), { status: 401, headers: { 'content-type': 'text/html' } });
  }),
  mutant(
    'envelope-data-of-credits-is-a-text',
    { breaks: ['envelope-data-present'] },
    onSuccess(credits, (json) => ({ ...json, data: JSON.stringify(json.data) })),
  ),
  mutant(
    'envelope-data-is-null-where-accounts-are-switched',
    { breaks: ['envelope-data-present'] },
    onSuccess('PATCH /me/active-account', (json) => ({ ...json, data: null })),
  ),
  mutant(
    'envelope-data-of-the-summary-is-an-array',
    { breaks: ['envelope-data-kind'] },
    onSuccess(summary, (json) => ({ ...json, data: [json.data] })),
  ),
  mutant(
    'envelope-one-member-is-no-list',
    { breaks: ['envelope-data-kind'] },
    onSuccess('GET /account/team', ({ data, ...json }) => ({ ...json, data: { members: data } })),
  ),
  mutant(
    'envelope-paginates-one-company',
    { breaks: ['envelope-pagination-absent'] },
    onSuccess('GET /companies/{company_id}', (json) => ({
      ...json,
      pagination: { total: 1, limit: 1, has_more: false },
    })),
  ),
  mutant(
    'envelope-paginates-deletions',
    { breaks: ['envelope-pagination-absent'] },
    onSuccess(deleteNote, (json) => ({ ...json, pagination: {} })),
  ),
];

/** Numbers every reply, and starts again soon. */
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

/** Takes what a member was when an operation was first asked for. */
const frozen =
  (operation: string, member: string): Wrap =>
  (honest, clock) => {
    let first: unknown;
    return onSuccess(operation, (json) => {
      first ??= json[member];
      return { ...json, [member]: first };
    })(honest, clock);
  };

const identifiers: readonly Mutant[] = [
  mutant(
    'envelope-request-id-is-empty-on-note-edits',
    { breaks: ['envelope-request-id-present'] },
    onSuccess(editNote, (json) => ({ ...json, request_id: '' })),
  ),
  mutant(
    'envelope-request-id-is-a-number-on-health',
    { breaks: ['envelope-request-id-present'] },
    onSuccess('GET /health', (json) => ({ ...json, request_id: 17 })),
  ),
  mutant(
    'envelope-names-the-header-in-camel-case',
    { breaks: ['envelope-request-id-present'] },
    onSuccess('POST /api-keys', ({ request_id, ...json }) => ({ ...json, requestId: request_id })),
  ),
  mutant('envelope-request-ids-start-again', { breaks: ['envelope-request-id-unique'] }, wrapping(50)),
  mutant(
    'envelope-request-id-of-the-team-stays',
    { breaks: ['envelope-request-id-unique'] },
    frozen('GET /account/team', 'request_id'),
  ),
  mutant(
    'envelope-request-id-is-the-second',
    { breaks: ['envelope-request-id-unique'] },
    onSuccess(
      () => true,
      (json) => ({ ...json, request_id: `req_${Math.floor(timeOf(json) / 1000)}` }),
    ),
  ),
];

const times: readonly Mutant[] = [
  mutant(
    'envelope-timestamp-is-a-number-on-deletions',
    { breaks: ['envelope-timestamp-format'] },
    onSuccess(deleteNote, (json) => ({ ...json, timestamp: timeOf(json) })),
  ),
  mutant(
    'envelope-timestamp-is-written-for-people',
    { breaks: ['envelope-timestamp-format'] },
    onSuccess('GET /me', (json) => ({ ...json, timestamp: new Date(timeOf(json)).toUTCString() })),
  ),
  mutant(
    'envelope-timestamp-is-a-date',
    { breaks: ['envelope-timestamp-format'] },
    onSuccess('POST /contacts', (json) => ({ ...json, timestamp: String(json.timestamp).slice(0, 10) })),
  ),
  mutant(
    'envelope-timestamp-is-local-and-says-utc',
    { breaks: ['envelope-timestamp-clock'] },
    onSuccess(summary, (json) => shifted(json, -5 * 3_600_000)),
  ),
  mutant(
    'envelope-timestamp-is-six-minutes-late',
    { breaks: ['envelope-timestamp-clock'] },
    onSuccess('PATCH /companies/{company_id}', (json) => shifted(json, 6 * 60_000)),
  ),
  mutant(
    'envelope-timestamp-stands-still',
    { breaks: ['envelope-timestamp-moves'] },
    frozen('GET /me/team-accounts', 'timestamp'),
  ),
  mutant(
    'envelope-timestamp-is-the-minute',
    { breaks: ['envelope-timestamp-moves'] },
    onSuccess(credits, (json) => ({ ...json, timestamp: `${String(json.timestamp).slice(0, 16)}Z` })),
  ),
];

const statuses: readonly Mutant[] = [
  mutant('envelope-accepts-deletions', { breaks: ['envelope-status-ok'] }, onStatus(deleteNote, 200, 202)),
  mutant(
    'envelope-an-edit-is-a-creation',
    { breaks: ['envelope-status-ok'] },
    onStatus('PATCH /companies/{company_id}', 200, 201),
  ),
  mutant(
    'envelope-deleted-without-content',
    { breaks: ['envelope-status-ok'], collateral: { 'notes-delete-result': 'without content it cannot say deleted' } },
    (honest) => async (request) => {
      const seen = await see(request);
      const response = await honest(request);
      const empty = seen.operation === deleteNote && response.ok;
      return empty ? new Response(null, { status: 204 }) : response;
    },
  ),
  mutant('envelope-a-contact-is-ok', { breaks: ['envelope-status-created'] }, onStatus('POST /contacts', 201, 200)),
  mutant('envelope-a-key-is-ok', { breaks: ['envelope-status-created'] }, onStatus('POST /api-keys', 201, 200)),
];

const headers: readonly Mutant[] = [
  mutant(
    'envelope-origin-app-is-an-identifier',
    { breaks: ['envelope-origin-app-text'] },
    instead(
      () => true,
      ({ request }) =>
        /^[\w.-]*$/.test(request.headers.get('x-origin-app') ?? '')
          ? undefined
          : refusal(400, 'BAD_REQUEST', 'X-Origin-App is invalid'),
    ),
  ),
  mutant(
    'envelope-charset-is-no-json',
    { breaks: ['envelope-request-charset'] },
    instead('POST /companies/{company_id}/notes', ({ request }) =>
      /charset/.test(request.headers.get('content-type') ?? '')
        ? refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json')
        : undefined,
    ),
  ),
  mutant('envelope-creations-have-no-label', { breaks: ['envelope-content-type'] }, (honest) => async (request) => {
    const response = await honest(request);
    const labelled = new Headers(response.headers);
    if (response.status === 201) labelled.delete('content-type');
    return new Response(await response.arrayBuffer(), { status: response.status, headers: labelled });
  }),
  mutant(
    'envelope-timestamp-of-notes-is-null',
    { breaks: ['envelope-timestamp-format'] },
    onReply('GET /companies/{company_id}/notes', (json, _, status) =>
      status === 200 ? { ...json, timestamp: null } : json,
    ),
  ),
];

export default [...bodies, ...identifiers, ...times, ...statuses, ...headers] satisfies readonly Mutant[];
