// The requests on companies, each write under a key of its own or without one.
import {
  type Api,
  type Credential,
  identifierOf,
  itemsOf,
  type JsonObject,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { keyOrNone, perhapsKeyed } from '../shared/optional-headers.ts';

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

/** More than a run makes. */
const listedMax = 20;

/** Each of the latest by its identifier: what it shows then the rules judge. */
export async function readEach({ api, read }: Companies): Promise<void> {
  const items = itemsOf(await api.send('GET /companies', { query: { limit: 200 } }));
  const ids = items.map((item) => identifierOf('company', item)).sort((one, other) => Number(other) - Number(one));
  for (const id of ids.slice(0, listedMax)) if (id !== undefined) await read(id);
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
    create: (body) => api.send('POST /companies', { body, ...keyOrNone(random) }),
    tryCreate: (body) => api.send('POST /companies', { body, ...perhapsKeyed(random) }),
    createExactly: (body) => api.send('POST /companies', { body, ...keyOrNone(random), exactly: true }),
    read: (company_id) => api.send('GET /companies/{company_id}', { path: { company_id } }),
    edit: (company_id, body) =>
      api.send('PATCH /companies/{company_id}', { path: { company_id }, body, ...keyOrNone(random) }),
    editExactly: (company_id, body) =>
      api.send('PATCH /companies/{company_id}', { path: { company_id }, body, ...keyOrNone(random), exactly: true }),
  };
}
