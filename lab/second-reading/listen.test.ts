// Over node:http: the same server on a socket.
import { describe, expect, test } from 'vitest';
import { createSecondReading } from './index.ts';
import type { Json } from './trial.test-data.ts';

describe.each([1, 2, 3, 4, 5, 6])('seed %i', (seed) => {
  test('serves and closes', async () => {
    const server = await createSecondReading({ seed });
    const { url, close } = await server.listen();
    try {
      const headers = {
        Authorization: `Bearer ${server.env.COVENANT_API_KEY}`,
        'X-Origin-App': 'trial',
        'Content-Type': 'application/json',
      };
      const base = `${url}/api/external/v2`;
      const health = await fetch(`${base}/health`, { headers });
      expect([health.status, typeof ((await health.json()) as Json).data]).toEqual([200, 'object']);
      const body = JSON.stringify({ name: 'Søcket', company_type: 'lender' });
      const made = await fetch(`${base}/companies`, { method: 'POST', headers, body });
      const answer = (await made.json()) as { data: Json };
      expect([made.status, answer.data.name]).toEqual([201, 'Søcket']);
      expect((await fetch(`${base}/me`)).status).not.toBe(200);
      const head = await fetch(`${base}/me`, { method: 'HEAD', headers });
      expect([200, 404, 405]).toContain(head.status);
    } finally {
      await close();
    }
  });
});
