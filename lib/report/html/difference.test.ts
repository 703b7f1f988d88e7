// What is marked is what differs, and what is equal stays unmarked.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { difference, jsonLines, type Part } from './difference.ts';

const marked = (parts: readonly Part[]): string[] =>
  parts.filter((part) => part.differs).map((part) => part.text.trim());

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

test('equal texts have no mark', () => {
  const { expected, received } = difference('the same text', 'the same text');
  expect([...marked(expected), ...marked(received)].filter((part) => part !== '')).toEqual([]);
});

test('sentences about members and other texts are marked as a whole', () => {
  const { expected, received } = difference(['/data/id: an integer', 'b'], ['/data/id: "17"', 'b']);
  expect([marked(expected), marked(received)]).toEqual([['/data/id: an integer'], ['/data/id: "17"']]);
  expect(marked(difference(422, '201 {"request_id":"r"}').received)).toEqual(['201 {"request_id":"r"}']);
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
