// Tests of a validation that gets 429 despite its reservation: the case must not wait for its own reservation.
import { expect, test } from 'vitest';
import type { Handler } from '../../lib/client/transports/handler.ts';
import { conforms, expectStatus } from '../../lib/index.ts';
import { of, only, trial } from '../../lib/run/run.test-data.ts';
import { validateNow } from './validate.ts';

test('a request refused despite its reservation is sent again once that is released', async () => {
  let refuses = false;
  const refusing =
    (honest: Handler): Handler =>
    async (request) => {
      if (!refuses || !request.url.endsWith('/validate-api-key')) return honest(request);
      refuses = false;
      return new Response('Too many requests', { status: 429 });
    };
  const validating = conforms('public-validate-valid', {}, async ({ api, limits, check }) => {
    const leave = await limits.reserve(api.credential, 'validate', 2);
    refuses = true;
    const reply = await validateNow(api, api.credential.token, leave);
    await check('public-validate-valid', () => expectStatus(reply, 200));
  });
  const { report } = await trial({ cases: [validating], settings: only('public-validate-valid'), wrap: refusing });
  expect(of(report, 'public-validate-valid')?.verdict).toBe('passed');
});
