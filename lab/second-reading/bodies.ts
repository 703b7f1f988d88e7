// Reading the body of a request: its media type and its JSON.
import type { Choices } from './choices.ts';
import type { Row } from './records.ts';
import { refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

const MAXIMUM = 256 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

export function checkMedia(visit: Visit): void {
  const { choices, call } = visit;
  if (call.body === '') return;
  const header = call.header('content-type');
  if (header === undefined || header === '') {
    if (choices.contentTypeMissing === 'accepted') return;
    refuse(choices.contentTypeMissing, 'unsupported_media_type', 'Content-Type: application/json is required.');
  }
  if (header === 'application/json') return;
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isJson = type === 'application/json' || (choices.jsonSuffix === 'as-json' && type.endsWith('+json'));
  if (!isJson && choices.contentTypeOther !== 'accepted') {
    refuse(choices.contentTypeOther, 'unsupported_media_type', 'Content-Type must be application/json.');
  }
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && choices.charsetOther === '415') {
    refuse(415, 'unsupported_media_type', 'Bodies must be UTF-8.');
  }
}

/** The body as an object; whatever else it is, is refused. No body may count as an empty object. */
export function readObject(visit: Visit, empty: Choices['bodyEmpty'] = visit.choices.bodyEmpty): Row {
  const { choices, call } = visit;
  if (choices.bodyMaximum === '256k' && call.body.length > MAXIMUM) {
    refuse(413, 'body_too_large', 'The body is too large.');
  }
  if (call.body.trim() === '') {
    return empty === 'as-object' ? {} : refuse(choices.jsonBroken, 'broken_json', 'A JSON body is required.');
  }
  const value = parse(visit);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(choices.bodyNotObject, 'bad_request', 'The body must be a JSON object.');
  }
  return value as Row;
}

function parse(visit: Visit): unknown {
  const { choices, call } = visit;
  const marked = call.body.startsWith(BYTE_ORDER_MARK) && choices.bodyMark === 'skipped';
  try {
    return JSON.parse(marked ? call.body.slice(1) : call.body);
  } catch {
    return refuse(choices.jsonBroken, 'broken_json', 'The body is not valid JSON.');
  }
}
