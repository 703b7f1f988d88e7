// Gives the lean Request, Response and Headers to the tests of a file that runs whole suites against handlers in its process.
import { afterAll, beforeAll } from 'vitest';
import { installLeanFetch } from './lean-fetch.ts';

/** To be called once, above the tests. */
export function withLeanFetch(): void {
  let restore = () => {};
  beforeAll(() => {
    restore = installLeanFetch();
  });
  afterAll(() => restore());
}
