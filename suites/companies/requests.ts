// Requests on companies with one credential; each write has a new Idempotency-Key or none.
import type { Api, JsonObject, Random } from '../../lib/index.ts';
import { keyOrNone, perhapsKeyed } from '../shared/optional-headers.ts';

export const companiesOf = (api: Api, random: Random) => ({
  api,
  /** `exactly`: the client sends the request unchanged. */
  create: (body: JsonObject, exactly = false) => api.send('POST /companies', { body, ...keyOrNone(random), exactly }),
  /** For creations that must be refused, with or without an Idempotency-Key. */
  tryCreate: (body: JsonObject) => api.send('POST /companies', { body, ...perhapsKeyed(random) }),
  read: (company_id: number | string) => api.send('GET /companies/{company_id}', { path: { company_id } }),
  edit: (company_id: number, body: JsonObject, exactly = false) =>
    api.send('PATCH /companies/{company_id}', { path: { company_id }, body, ...keyOrNone(random), exactly }),
});
export type Companies = ReturnType<typeof companiesOf>;
