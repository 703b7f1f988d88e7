// What is marked is what differs, and what is equal stays unmarked.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { difference, jsonLines, type Part } from './difference.ts';

const marked = (parts: readonly Part[]): string[] =>
  parts.filter((part) => part.differs).map((part) => part.text.trim());
const text = (parts: readonly Part[]): string => parts.map((part) => part.text).join('');

test('members of structures that differ, are missing or too many are marked on their side', () => {
  const { expected, received } = difference(
    { name: 'Acme', city: 'Bonn', tags: ['a'] },
    { name: 'Acme', city: 'Köln', extra: null },
  );
  expect(marked(expected)).toEqual(['"city": "Bonn",', '"tags": [', '"a"', ']']);
  expect(marked(received)).toEqual(['"city": "Köln",', '"extra": null']);
});

test('the order of members is no difference', () => {
  const { expected, received } = difference({ a: 1, b: 2 }, { b: 2, a: 1 });
  expect([...marked(expected), ...marked(received)]).toEqual([]);
});

test('in two texts only the part that differs is marked, and long equal parts are counted', () => {
  const { expected, received } = difference(
    `${'x'.repeat(300)}A${'y'.repeat(300)}`,
    `${'x'.repeat(300)}B${'y'.repeat(300)}`,
  );
  expect(marked(expected)).toEqual(['A']);
  expect(marked(received)).toEqual(['B']);
  expect(text(expected)).toContain('[180 equal characters] … x');
});

test('whole words are marked, not the letters that two words happen not to share', () => {
  const { expected, received } = difference(['/data/created_at: a date-time'], ['/data/created_at: absent']);
  expect(marked(expected)).toEqual(['a date-time']);
  expect(marked(received)).toEqual(['absent']);
  expect(marked(difference('the name is Bonn today', 'the name is Berlin today').received)).toEqual(['Berlin']);
});

test('equal texts have no mark', () => {
  const { expected, received } = difference('the same text', 'the same text');
  expect([...marked(expected), ...marked(received)].filter((part) => part !== '')).toEqual([]);
});

test('texts that share little are not picked apart', () => {
  const { expected, received } = difference('a text that is not empty', '42');
  expect(marked(expected)).toEqual([]);
  expect(marked(received)).toEqual(['42']);
});

test('sentences about members are compared one by one', () => {
  const { expected, received } = difference(['/data/id: an integer'], ['/data/id: "17"', '/data/x: absent']);
  expect(marked(expected)).toContain('an integer');
  expect(marked(received)).toEqual(['"17"', '/data/x: absent']);
});

test.each([422, '400 or 422'])('where %s was expected the status that came is marked', (status) => {
  const { expected, received } = difference(status, '201 {"request_id":"r"}');
  expect(marked(expected)).toEqual([]);
  expect(marked(received)).toEqual(['201']);
});

test('equal structures have no mark; different ones have at least one', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
      const parts = (left: unknown, right: unknown) => {
        const { expected, received } = difference({ value: left }, { value: right });
        return marked([...expected, ...received]).length;
      };
      expect(parts(one, one)).toBe(0);
      if (JSON.stringify(one) !== JSON.stringify(two) && !sameButOrder(one, two))
        expect(parts(one, two)).toBeGreaterThan(0);
    }),
  );
});

function sameButOrder(one: unknown, two: unknown): boolean {
  try {
    expect(one).toEqual(two);
    return true;
  } catch {
    return false;
  }
}

test('any JSON text keeps its value, and its lines are those of indented JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const laidOut =
        jsonLines(text)
          ?.map((line) => line.text)
          .join('\n') ?? '';
      expect(JSON.parse(laidOut)).toEqual(JSON.parse(text));
      expect(jsonLines(laidOut)).toEqual(jsonLines(text));
    }),
  );
});

test('numbers, escapes and repeated members stay as they were sent', () => {
  const text = '{"id":12345678901234567890,"id":1.0e2,"text":"\\u00e9"}';
  expect(jsonLines(text)?.map((line) => line.text.trim())).toEqual([
    '{',
    '"id": 12345678901234567890,',
    '"id": 1.0e2,',
    '"text": "\\u00e9"',
    '}',
  ]);
});

test('every line knows the pointer of its value', () => {
  const text = '{"data":{"items":[{"id":1},2],"a/b":{}},"x":[]}';
  expect(jsonLines(text)?.map((line) => [line.text.trim(), line.pointer])).toEqual([
    ['{', ''],
    ['"data": {', '/data'],
    ['"items": [', '/data/items'],
    ['{', '/data/items/0'],
    ['"id": 1', '/data/items/0/id'],
    ['},', '/data/items/0'],
    ['2', '/data/items/1'],
    ['],', '/data/items'],
    ['"a/b": {}', '/data/a~1b'],
    ['},', '/data'],
    ['"x": []', '/x'],
    ['}', ''],
  ]);
});

test('what is no JSON is not laid out', () => {
  expect(jsonLines('<html>')).toBeUndefined();
});
