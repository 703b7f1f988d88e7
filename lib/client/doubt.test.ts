// Which replies are the target's own word, and which repetitions say nothing of the first request.
import { describe, expect, test } from 'vitest';
import { doubtOf, endOfObject, mayDifferFromFirst, shapeOf } from './doubt.ts';

const received = (status: number, text: string) => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status, text, json };
};
const envelope = '{"request_id":"r","error":{"code":"C","message":"m"}}';

describe('the target’s own word', () => {
  test.each([
    [200, '{"request_id":"r","data":{}}'],
    [404, '{"detail":"not in the envelope"}'],
    [500, envelope],
    [503, envelope],
    [408, envelope],
    [429, envelope],
    [204, ''],
    [302, '<html>moved</html>'],
    [200, `)]}'\n${envelope}`],
    [200, `${envelope}\n${envelope}`],
    [200, `${envelope}</html>`],
  ])('%d %s', (status, text) => {
    expect(doubtOf(received(status, text))).toBeUndefined();
  });
});

describe('suspect', () => {
  test.each([
    [502, '<html>Bad Gateway</html>', '502 without the error envelope'],
    [503, '{"message":"Service Unavailable"}', '503 without the error envelope'],
    [503, '{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}', '503 without the error envelope'],
    [504, '{"error":{"code":"BackendConnectionFailure","message":"m"}}', '504 without the error envelope'],
    [523, '', '523 without the error envelope'],
    [408, '<html>', '408 without the error envelope'],
    [429, '<html>', '429 without the error envelope'],
    [200, '{"request_id":"r","da', '200 with a body that is not JSON'],
    [404, '<html>', '404 with a body that is not JSON'],
    [403, '', '403 with an empty body'],
  ])('%d %s', (status, text, why) => {
    expect(doubtOf(received(status, text))).toBe(why);
  });
});

describe('sent again after its reply was lost', () => {
  const notes = 'POST /companies/{company_id}/notes';
  test.each<[string, string, boolean, boolean, number, boolean]>([
    ['GET', 'GET /me', false, true, 404, false],
    ['DELETE', 'DELETE /api-keys/{key_id}', true, true, 200, false],
    ['DELETE', 'DELETE /api-keys/{key_id}', true, true, 404, true],
    ['DELETE', 'DELETE /api-keys/{key_id}', true, true, 401, true],
    ['DELETE', 'DELETE /api-keys/{key_id}', true, false, 401, false],
    ['PATCH', 'PATCH /me/active-account', false, true, 200, false],
    ['POST', 'POST /auth/validate-api-key', false, true, 200, false],
    ['POST', notes, true, true, 201, false],
    ['POST', notes, true, true, 409, true],
    ['POST', notes, false, true, 201, true],
    ['POST', 'POST /companies', true, true, 201, true],
    ['POST', 'POST /api-keys', false, true, 422, false],
  ])('%s: %s, keyed %s, authorised %s, %d', (method, operation, keyed, authorised, status, differs) => {
    expect(mayDifferFromFirst({ method, operation, keyed, authorised }, status)).toBe(differs);
  });
});

test.each([
  ['1', 0, 1],
  ['[]', 1, 2],
  ['[1,2,[3]]', 2, 5],
  ['{"a":{"b":[]},"c":"[{,\\"]"}', 3, 5],
  ['"\\\\",[', 1, 3],
  ['"never ended [', 0, 1],
])('%s has %i levels, %i values', (text, levels, values) => {
  expect(shapeOf(text)).toEqual({ levels, values });
});

test.each([
  ['{}', 2],
  ['{"a":{"b":"}\\""}} more', 17],
  ['{"a":[{}', undefined],
  [' {}', undefined],
  ['[]', undefined],
])('the object with which %s begins ends at %s', (text, end) => {
  expect(endOfObject(text)).toBe(end);
});
