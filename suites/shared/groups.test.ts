// Tests that the duties listed for cases are those judged on every reply.
import { expect, test } from 'vitest';
import { duties as ofSuccesses } from '../envelope/duties.ts';
import { duties as ofErrors } from '../errors/cases.ts';
import { errorDuties, successDuties } from './groups.ts';

test('every duty of a success or an error is listed', () => {
  expect(ofSuccesses.map(({ id }) => id)).toEqual(successDuties);
  expect(ofErrors.map(({ id }) => id)).toEqual(errorDuties);
});
