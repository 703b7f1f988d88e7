// Expected and received side by side: each member beside its counterpart, and a gap where there is none.
import { expect, test } from 'vitest';
import { aligned } from './aligned.ts';

test('members stand beside each other, and what is on one side only has a gap beside it', () => {
  const rows = aligned({ id: 1, name: 'a', kept: true }, { id: 1, extra: null, name: 'b', kept: true });
  expect(rows).toEqual([
    { expected: '{', received: '{', differs: false },
    { expected: '  "id": 1,', received: '  "id": 1,', differs: false },
    { received: '  "extra": null,', differs: true },
    { expected: '  "name": "a",', received: '  "name": "b",', differs: true },
    { expected: '  "kept": true', received: '  "kept": true', differs: false },
    { expected: '}', received: '}', differs: false },
  ]);
});

test('what is no structure on both sides is not aligned', () => {
  expect(aligned('text', { id: 1 })).toBeUndefined();
  expect(aligned([1], 3)).toBeUndefined();
});
