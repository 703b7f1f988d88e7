// Laying out JSON changes white space only, and knows where every value stands.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLines } from './json.ts';

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
