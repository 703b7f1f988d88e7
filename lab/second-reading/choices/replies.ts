// What is left open about the envelope of replies, pages and cursors, errors, rate limits and Idempotency-Keys.
import { row } from './records.ts';

export const pagingRows = {
  cursorKind: row(
    'Pagination: next_cursor is an opaque string; what it holds is not said.',
    'plain | text | signed | stored | snapshot',
  ),
  cursorAlphabet: row(
    'Pagination: base64; alphabet and padding are not fixed.',
    'standard | standard-unpadded | urlsafe | urlsafe-padded',
  ),
  cursorBad: row('Pagination: a cursor the server never gave is not described.', '400 | 422'),
  cursorForeign: row('Pagination: a cursor of another list is not described.', 'refused | used'),
  cursorLife: row('Pagination: how long a cursor lives is not said.', 'forever | one-hour | one-day'),
  cursorLimit: row('Pagination: whether a cursor remembers the limit is not said.', 'query | remembered'),
  cursorFields: row('Pagination: whether a cursor remembers fields is not said.', 'query | remembered'),
  nextAtEnd: row('Pagination: next_cursor when has_more is false is not described.', 'null | absent | kept'),
  pageFill: row(
    'Pagination: the client goes on until has_more is false; full pages are not promised.',
    'full | short | gaps',
  ),
  limitOut: row('Pagination: a limit outside 1 to 200 is not described.', 'clamp | 400 | 422'),
  limitNotNumber: row('Pagination: a limit that is no integer is not described.', 'default | 400 | 422'),
  limitLoose: row('Pagination: whether +5 or 5.0 is an integer is not said.', 'strict | loose'),
  paginationOrder: row('Pagination: members have no order.', 'documented | alphabetical'),
  paginationExtra: row('Pagination: other members are not excluded.', 'none | count | mode'),
  listLag: row('Lists: how soon a new record is listed is not said.', 'none | one-second | three-seconds'),
  lagLists: row('Lists: which lists lag is not said.', 'all | companies-and-contacts'),
  sortSupport: row('Gaps: accepted values of sort are not shown; none may be.', 'supported | offset-only | 400 | 422'),
  sortFields: row('Gaps: accepted values of sort are not shown.', 'few | many'),
  sortColon: row('Gaps: the format of sort is not shown; name:desc may be another.', 'refused | accepted'),
  sortUnknown: row('Gaps: another value of sort is not described.', '400 | 422 | offset-only'),
  sortSeveral: row('Gaps: several sort fields are not described.', 'accepted | refused'),
  sortNotes: row('Gaps: whether notes can be sorted is not said.', 'as-others | 400'),
  sortCollation: row('Gaps: how texts are compared is not said.', 'code-units | case-blind'),
  sortEmpties: row('Gaps: where records without a value stand is not said.', 'first | last'),
  offsetAlone: row('Pagination: an offset without sort is not described.', 'ignored | 400'),
  offsetWithCursor: row('Pagination: an offset with a cursor is not described.', 'ignored | 400'),
  offsetBad: row('Pagination: an offset that is no whole number from 0 is not described.', 'zero | 400 | 422'),
  offsetReported: row('Pagination: the reported offset beyond the end is not described.', 'as-given | capped'),
  fieldsId: row('Pagination: fields restricts the fields; whether the identifier stays is not said.', 'kept | exact'),
  fieldsUnknown: row('Pagination: an unknown name in fields is not described.', 'ignored | 400 | 422'),
  fieldsBlanks: row('Pagination: comma-separated; blanks around names are not described.', 'trimmed | exact'),
  fieldsSingle: row('Pagination: fields on a single company is not described.', 'ignored | honoured'),
  fieldsOrder: row('Pagination: the order of chosen fields is not said.', 'of-record | of-request'),
} as const;

export const envelopeRows = {
  requestIdForm: row(
    'Envelope: request_id is a string that identifies the request; its form is not given.',
    'uuid | hex | sortable | prefixed | short',
  ),
  requestIdEcho: row('Envelope: not said who makes the request_id; a client may send one.', 'own | echoed'),
  requestIdHeader: row(
    'Envelope: not said whether the request_id is also sent as a header.',
    'none | X-Request-Id | Request-Id',
  ),
  timestampForm: row(
    'Envelope: timestamp is an ISO 8601 date-time; fraction and zone are not fixed.',
    'millis-z | seconds-z | micros-offset | hours-behind',
  ),
  recordTimeForm: row(
    'API key: created_at is a date-time string; fraction and zone are not fixed, nor that they equal those of the envelope.',
    'millis-z | seconds-z | micros-offset | hours-behind',
  ),
  envelopeOrder: row(
    'Envelope: four members are tabled; members of a JSON object have no order.',
    'documented | data-first | alphabetical',
  ),
  envelopeExtra: row(
    'Envelope: the tabled members are not said to be all.',
    'none | api_version | meta | success | links',
  ),
  errorOrder: row('Errors: members of the error object have no order.', 'id-first | error-first'),
  errorExtra: row(
    'Errors: an error has request_id and error with code and message; not said that there is nothing else.',
    'none | timestamp | status | details | doc_url',
  ),
  jsonIndent: row('Base address: all bodies are JSON; white space is free.', 'compact | two-spaces | tab'),
  jsonUnicode: row('Base address: JSON may write any character as an escape.', 'raw | escaped'),
  jsonSlashes: row('Base address: JSON may escape a solidus.', 'raw | escaped'),
  jsonTail: row('Base address: JSON may end in white space.', 'none | newline'),
  recordKeyOrder: row(
    'Resources: records are tables of fields; the order of members is free.',
    'natural | alphabetical | reversed',
  ),
  contentType: row(
    'Base address: bodies are JSON; parameters of the reply media type are not fixed.',
    'application/json | application/json; charset=utf-8 | application/json;charset=UTF-8',
  ),
  cacheHeader: row(
    'Envelope: other reply headers are not described (caching).',
    'none | no-store | private, max-age=0',
  ),
  versionHeader: row(
    'Versioning: the label 2026-03 exists; not said that replies carry it.',
    'none | X-API-Version | API-Version',
  ),
  corsHeader: row('Envelope: other reply headers are not described (cross-origin).', 'none | any-origin'),
  securityHeaders: row('Envelope: other reply headers are not described (browsers).', 'none | nosniff | strict'),
  etagHeader: row('Envelope: other reply headers are not described (entity tags).', 'none | weak'),
  durationHeader: row('Envelope: other reply headers are not described (timing).', 'none | Server-Timing'),
  varyHeader: row('Envelope: other reply headers are not described (vary).', 'none | Authorization'),
  headerCase: row('Headers: names of headers have no case on the wire (HTTP/1.1).', 'lower | title | upper'),
  bodyFraming: row('Base address: how a body is framed is left to HTTP.', 'length | chunked'),
  compression: row('Base address: content coding is left to HTTP negotiation.', 'never | gzip-when-asked'),
  locationHeader: row(
    'Endpoints: 201 for creates; not said whether Location is sent.',
    'none | relative | absolute-path',
  ),
} as const;

export const errorRows = {
  codeStyle: row(
    'Errors: code strings for 400, 403, 404 and 422 are not shown (style).',
    'UPPER_SNAKE | lower_snake | dotted | numbered',
  ),
  codeDetail: row('Errors: one code per status, or one per cause, is not said.', 'general | specific'),
  badRequestCode: row('Errors: the code of 400 is not named.', 'BAD_REQUEST | INVALID_REQUEST | MALFORMED_REQUEST'),
  forbiddenCode: row(
    'Errors: the code of 403 is not named.',
    'FORBIDDEN | PERMISSION_DENIED | INSUFFICIENT_PERMISSIONS',
  ),
  notFoundCode: row('Errors: the code of 404 is not named.', 'NOT_FOUND | RESOURCE_NOT_FOUND | NO_SUCH_RESOURCE'),
  invalidCode: row('Errors: the code of 422 is not named.', 'VALIDATION_ERROR | UNPROCESSABLE_ENTITY | INVALID_INPUT'),
  conflictCode: row('Errors: the code of a conflict is not named.', 'CONFLICT | IDEMPOTENCY_CONFLICT'),
  messageTone: row('Errors: messages are free text.', 'plain | hint | terse | accented'),
  unauthorizedWording: row(
    'Errors: the 401 message is about an invalid or expired authentication token; its words are free.',
    'short | sentence | polite',
  ),
  unauthorizedReason: row('Errors: not said whether the 401 message distinguishes the causes.', 'one | per-cause'),
  wwwAuthenticate: row('Authentication: not said whether 401 carries WWW-Authenticate.', 'none | plain | detailed'),
  unknownPathOrder: row(
    'Authentication: whether an unknown path is shown to callers without credentials is not said.',
    'auth-first | path-first',
  ),
  unknownMethod: row('Endpoints: a method outside the table is not described.', '405 | 404'),
  unknownMethodOrder: row('Endpoints: not said whether such a method is refused before or after 401.', 'early | late'),
  allowHeader: row('Endpoints: not said whether a refused method lists the allowed ones.', 'none | listed'),
  headMethod: row('Endpoints: HEAD is not in the table.', 'as-get | 405 | 404'),
  optionsMethod: row('Endpoints: OPTIONS is not in the table.', '405 | 404 | answered'),
  trailingSlash: row('Endpoints: paths are written without a final slash.', 'same | 404'),
  pathCase: row('Endpoints: the case of paths is as written; other cases are not mentioned.', 'exact | any-case'),
  duplicateQuery: row('Endpoints: a parameter given twice is not described.', 'first | last | 400'),
  unknownQuery: row('Endpoints: a parameter outside the table is not described.', 'ignored | 400'),
  emptyQuery: row('Endpoints: a parameter with an empty value is not described.', 'as-absent | as-given'),
  idMalformed: row('Endpoints: identifiers in paths are integers; others are not described.', '404 | 400 | 422'),
  idLeadingZeros: row('Endpoints: an integer with leading zeros is not described.', 'same | malformed'),
  jsonBroken: row('Errors: 400 is a malformed request; broken JSON is not listed by name.', '400 | 422'),
  bodyNotObject: row('Endpoints: a body that is JSON but no object is not described.', '400 | 422'),
  bodyEmpty: row('Endpoints: a write without any body is not described.', 'as-object | refused'),
  contentTypeMissing: row(
    'Headers: Content-Type is on requests with a body; its absence is not described.',
    'accepted | 415 | 400',
  ),
  contentTypeOther: row('Headers: another Content-Type is not described.', 'accepted | 415 | 400'),
  charsetOther: row('Headers: a charset other than UTF-8 is not described.', 'accepted | 415'),
  jsonSuffix: row('Headers: a media type that ends in +json is not described.', 'as-json | as-other'),
  mediaPosition: row('Headers: when the Content-Type is looked at is not said.', 'early | with-body'),
  bodyMaximum: row('Limits: a largest body is not mentioned.', 'none | 256k'),
  bodyMark: row('Base address: a byte order mark before JSON may be skipped or refused.', 'skipped | broken'),
  unknownMembers: row('Resources: members outside the table are not described.', 'ignored | 422 | 400'),
  nullOnCreate: row('Resources: null for an optional field is not described.', 'as-absent | 422 | 400'),
  lengthUnit: row('Limits: 1 to 255 characters; what a character is, is not said.', 'utf16 | code-points'),
  checkBody: row(
    'Endpoints: which of 404 and 400/422 wins when both apply is not said.',
    'existence-first | body-first',
  ),
  checkPermission: row('Endpoints: which of 403 and 404/422 wins when both apply is not said.', 'first | last'),
} as const;

export const limitRows = {
  rateAlgorithm: row(
    'Rate limits: counted per minute; how a minute is measured is not said.',
    'window-from-first | clock-minutes | sliding | token-bucket',
  ),
  rateRefused: row('Rate limits: whether refused requests count is not said.', 'free | counted'),
  ratePosition: row(
    'Rate limits: which of 429 and another refusal wins is not said.',
    'after-auth | after-permission | before-action',
  ),
  rateHeaders: row('Rate limits: headers are not described.', 'none | x-ratelimit | ratelimit | only-429'),
  rateResetForm: row('Rate limits: how a header would give the reset is not described.', 'epoch | delta'),
  rateWording: row(
    'Errors: the 429 message says how many seconds to wait; its words are free.',
    'short | sentence | numbers-before | terse',
  ),
  rateSeconds: row('Errors: seconds to wait; rounding is not said.', 'rounded-up | one-more'),
  retryAfter: row('Errors: a Retry-After header is not mentioned.', 'none | seconds | http-date'),
  validateCharge: row(
    'Rate limits: per account, and 10 validations per minute; whose account pays for a public call is not said.',
    'checked-account | everyone | caller | origin-app',
  ),
  healthCharge: row('Rate limits: whether health is a counted read, and for whom, is not said.', 'never | everyone'),
  noAccountCharge: row('Rate limits: per account; who pays without an active account is not said.', 'user | nobody'),
  rateLimitsShape: row(
    'Me: limits appear under platform.rate_limits; their shape is not shown.',
    'flat | per-minute | objects | list | strings',
  ),
  rateLimitsValidateName: row(
    'Me: the name of the validation limit is not shown.',
    'validate | validate_api_key | key_validation',
  ),
  rateLimitsExtra: row('Me: rate_limits may hold more than the limits.', 'none | window'),
  replayCharge: row('Rate limits: whether a replayed write counts is not said.', 'counted | free'),
} as const;

export const idempotencyRows = {
  idemCompanies: row(
    'Headers: recommended on writes, listed on notes; creates of companies may ignore it.',
    'honoured | ignored',
  ),
  idemContacts: row(
    'Headers: recommended on writes, listed on notes; creates of contacts may ignore it.',
    'honoured | ignored',
  ),
  idemKeys: row(
    'Headers: creates of API keys may ignore it; a full key is returned once and never again.',
    'ignored | same-reply | conflict',
  ),
  idemCompanyEdit: row('Headers: edits of companies may ignore it.', 'honoured | ignored'),
  idemDeletes: row('Headers: deletes may ignore it.', 'honoured | ignored'),
  idemActive: row('Headers: the change of the active account may ignore it.', 'honoured | ignored'),
  idemReplay: row(
    'Headers: a repeat is no second operation; what it is answered is not said.',
    'stored-reply | fresh-envelope | current-record | 409',
  ),
  idemReplayStatus: row('Endpoints: 201 for creates; a repeat creates nothing.', 'same | 200'),
  idemReplayHeader: row(
    'Headers: whether a repeat is marked is not said.',
    'none | Idempotency-Replayed | Idempotent-Replay',
  ),
  idemOtherBody: row('Headers: the same key with another request is not described.', '422 | 409 | 400 | replay'),
  idemSameBody: row('Headers: when two bodies are the same is not said.', 'bytes | parsed'),
  idemScope: row(
    'Headers: for whom and for which path a key counts is not said.',
    'credential-and-path | user-and-path | account-and-path | user | account',
  ),
  idemErrors: row('Headers: whether a refusal is kept under the key is not said.', 'successes | refusals-too'),
  idemConcurrent: row('Headers: a repeat while the first is under way is not described.', 'serial | conflict | wait'),
  idemPosition: row('Headers: whether a repeat is checked again before it is answered is not said.', 'early | late'),
  idemNotUuid: row('Headers: the key is a uuid; another text is not described.', 'accepted | 400 | 422'),
  idemCase: row('Headers: whether the case of a uuid matters is not said.', 'exact | any-case'),
  idemEdge: row('Headers: expires after 24 hours; the very moment is not said.', 'expired | alive'),
  idemEcho: row('Headers: whether the key is sent back is not said.', 'none | echoed'),
  idemBlank: row('Headers: a blank key is not described.', 'as-absent | 400'),
} as const;
