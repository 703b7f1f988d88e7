// The requests on companies of one credential, each write under a key of its own or without one.
import type { Api, JsonObject, Random } from '../../lib/index.ts';
import { keyOrNone, perhapsKeyed } from '../shared/optional-headers.ts';

export const companiesOf = (api: Api, random: Random) => ({
  api,
  /** With nothing but what is in the body, where it is so. */
  create: (body: JsonObject, exactly = false) =>
    api.send('POST /companies', { body, ...keyOrNone(random), ...(exactly ? { exactly } : {}) }),
  /** For what is to be refused, under a key or without one. */
  tryCreate: (body: JsonObject) => api.send('POST /companies', { body, ...perhapsKeyed(random) }),
  read: (company_id: number | string) => api.send('GET /companies/{company_id}', { path: { company_id } }),
  edit: (company_id: number, body: JsonObject, exactly = false) =>
    api.send('PATCH /companies/{company_id}', {
      ...{ path: { company_id }, body, ...keyOrNone(random) },
      ...(exactly ? { exactly } : {}),
    }),
});
export type Companies = ReturnType<typeof companiesOf>;
