// The requests on companies, each write under a key of its own.
import type { Api, Credential, JsonObject, Reply, Tools } from '../../lib/index.ts';
import { perhapsKeyed } from '../shared/surroundings.ts';

export interface Companies {
  readonly api: Api;
  create(body: JsonObject): Promise<Reply>;
  /** For what is to be refused, under a key or without one. */
  tryCreate(body: JsonObject): Promise<Reply>;
  /** With nothing but what is in the body. */
  createExactly(body: JsonObject): Promise<Reply>;
  read(id: number | string): Promise<Reply>;
  edit(id: number, body: JsonObject): Promise<Reply>;
  editExactly(id: number, body: JsonObject): Promise<Reply>;
}

/** As the spare account. */
export function companiesOf({
  api: primary,
  spare,
  random,
}: Pick<Tools, 'api' | 'random'> & { readonly spare: Credential }): Companies {
  const api = primary.as(spare);
  return {
    api,
    create: (body) => api.send('POST /companies', { body, key: random.uuid() }),
    tryCreate: (body) => api.send('POST /companies', { body, ...perhapsKeyed(random) }),
    createExactly: (body) => api.send('POST /companies', { body, key: random.uuid(), exactly: true }),
    read: (company_id) => api.send('GET /companies/{company_id}', { path: { company_id } }),
    edit: (company_id, body) =>
      api.send('PATCH /companies/{company_id}', { path: { company_id }, body, key: random.uuid() }),
    editExactly: (company_id, body) =>
      api.send('PATCH /companies/{company_id}', { path: { company_id }, body, key: random.uuid(), exactly: true }),
  };
}
