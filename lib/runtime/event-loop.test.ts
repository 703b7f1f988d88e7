// An event loop that runs empty is noticed by whoever listens, each time, and by nobody else.
import { expect, test } from 'vitest';
import { onEmptyLoop } from './event-loop.ts';

test('the end of all work is heard until nobody listens any more', () => {
  let heard = 0;
  const release = onEmptyLoop(() => {
    heard += 1;
  });
  process.emit('beforeExit', 0);
  process.emit('beforeExit', 0);
  release();
  process.emit('beforeExit', 0);
  expect(heard).toBe(2);
});
