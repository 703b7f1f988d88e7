// What the document says of every success: status, envelope and common headers.
import { must, observe, requirements, should, untestable } from './requirement.ts';

const body = requirements('envelope', 'What the service does / Common response envelope, row timestamp', {
  'envelope-success-object': must('Every success with a body is one JSON object', {
    at: 'What the service does / Common response envelope, paragraph 1',
    impact: 'The client cannot parse the reply at all.',
  }),
  'envelope-content-type': should('Every reply with a body is labelled as JSON by its Content-Type', {
    at: 'What the service does, paragraph 2',
    impact: 'HTTP libraries that parse by media type hand over raw text.',
    rulings: ['json-label'],
  }),
  'envelope-byte-order-mark': observe('Does a byte order mark stand before the JSON of a reply?', {
    rulings: ['byte-order-mark'],
  }),
  'envelope-request-id-present': must('Every success carries a non-empty text as request_id', {
    at: 'What the service does / Common response envelope, row request_id',
    impact: 'A call cannot be named to the support of the service.',
    rulings: ['request-id-uniqueness'],
  }),
  'envelope-request-id-unique': must('No two requests are given the same request_id in their successes', {
    at: 'What the service does / Common response envelope, row request_id',
    impact: 'Log entries of different calls run together under one name.',
    rulings: ['request-id-uniqueness'],
  }),
  'envelope-request-id-form': observe('Which form does request_id have?', {
    at: 'What the service does / Common response envelope, row request_id',
  }),
  'envelope-timestamp-format': must('Every success carries a timestamp that is an ISO 8601 date-time', {
    impact: 'Date parsers of the client throw.',
    rulings: ['timestamp-form'],
  }),
  'envelope-timestamp-clock': must('The timestamp lies within five minutes of the moment of the response', {
    impact: 'Events are filed under the wrong time.',
    rulings: ['timestamp-clock'],
  }),
  'envelope-timestamp-moves': must('Responses received more than five seconds apart carry different timestamps', {
    impact: 'A frozen time makes stale replies look current.',
    rulings: ['timestamp-clock'],
  }),
  'envelope-timestamp-precision': observe('Which offset and precision does the timestamp have?', {
    rulings: ['timestamp-form'],
  }),
  'envelope-data-present': must('Every success carries data, and data is an object or an array', {
    at: 'What the service does / Common response envelope, row data',
    impact: 'Generic code that unwraps data fails on this operation.',
  }),
  'envelope-data-kind': must(
    'Operations described as returning an array carry an array, those with one record an object',
    {
      at: 'What the service does / Common response envelope, row data',
      impact: 'Generated types do not match what arrives.',
      rulings: ['pagination-presence', 'billing-data'],
    },
  ),
  'envelope-pagination-absent': must('A success that is not a list carries no pagination', {
    at: 'What the service does / Common response envelope, row pagination',
    impact: 'Generic clients take a single record for a page.',
    rulings: ['pagination-presence'],
  }),
  'envelope-extra-members': observe('Which members beyond the four named ones does the envelope carry?', {
    at: 'What the service does / Common response envelope, paragraph 1',
    rulings: ['extra-is-lawful'],
  }),
});

const status = requirements('envelope', 'Endpoints, paragraph 1', {
  'envelope-status-ok': must('A successful read, edit, deletion or key validation has status 200', {
    impact: 'Clients that compare with 200 take the success for a failure.',
  }),
  'envelope-valid-served': must('A request that is valid in everything is carried out', {
    impact: 'The client does everything right and is refused.',
    rulings: ['valid-refused', 'unique-values'],
  }),
  'envelope-status-created': must('A successful creation has status 201', {
    impact: 'Clients that compare with 201 create the record again.',
  }),
});

const headers = requirements('envelope', 'What the service does / Common request headers, row X-Origin-App', {
  'envelope-origin-app-text': must('X-Origin-App may hold any printable text, spaces and punctuation included', {
    impact: 'An application is locked out because of its name.',
    rulings: ['origin-app'],
  }),
  'envelope-origin-app-missing': observe('What does a request without X-Origin-App answer?', {
    rulings: ['origin-app'],
  }),
  'envelope-request-charset': should('A JSON body labelled application/json with a charset parameter is accepted', {
    at: 'What the service does / Common request headers, row Content-Type',
    impact: 'Libraries that always add the charset cannot write.',
  }),
  'envelope-request-media-type': observe('What does a write with a JSON body and no or another Content-Type answer?', {
    at: 'What the service does / Common request headers, row Content-Type',
  }),
});

const versioning = requirements('envelope', 'Versioning, point 1', {
  'envelope-version-other': observe('What does the same path under another version prefix answer?'),
  'envelope-version-headers': observe('Which reply headers speak of version, deprecation or sunset?', {
    at: 'Versioning, point 3',
  }),
  'envelope-version-label': untestable(
    'The machine-readable description carries the version label 2026-03',
    'the document does not show where that description is served',
    'Versioning, point 2',
  ),
});

export const envelope = { ...body, ...status, ...headers, ...versioning };
