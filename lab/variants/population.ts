// Unusual populations: no records before the run, thousands of them, or other people who add or edit some during it.
import type { Wrap } from '../mutants/mutant.ts';
import { sortedBy } from '../mutants/wrappers/listing.ts';
import type { Json } from '../mutants/wrappers/mutator.ts';
import type { Handler } from '../reference/index.ts';
import { together, variants } from './variant.ts';

/** Requests of the suite between two requests of somebody else. */
const pause = 9;

export interface Colleague {
  readonly honest: Handler;
  readonly origin: string;
  readonly authorization: string;
}

/** Sends a request of the colleague's; returns the body of the reply. */
export async function work(
  { honest, origin, authorization }: Colleague,
  method: string,
  path: string,
  body?: Json,
): Promise<Json> {
  const headers = { authorization, 'x-origin-app': 'colleague', 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  return (await (await honest(new Request(`${origin}/api/external/v2${path}`, init))).json()) as Json;
}

/** Creates a company with a contact and a note, and creates and revokes a key. */
async function day(colleague: Colleague, number: number): Promise<void> {
  const name = `Someone else’s company ${number}`;
  const company = (await work(colleague, 'POST', '/companies', { name, company_type: 'sponsor' })).data as
    | Json
    | undefined;
  if (company === undefined) return;
  const contact = { contact_type: 'sponsor', company_id: company.id, last_name: 'Else', is_primary: true };
  await work(colleague, 'POST', '/contacts', contact);
  await work(colleague, 'POST', `/companies/${company.id}/notes`, { text: 'Called back.' });
  const key = (await work(colleague, 'POST', '/api-keys', { label: `Someone else’s key ${number}` })).data as
    | Json
    | undefined;
  if (key !== undefined && number % 2 === 0) await work(colleague, 'DELETE', `/api-keys/${key.id}`);
}

/** A colleague in the primary account works during the run, on records of their own. */
const othersAtWork: Wrap = (honest) => {
  let authorization: string | undefined;
  let requests = 0;
  return async (request) => {
    const response = await honest(request);
    authorization ??= request.headers.get('authorization') ?? undefined;
    requests += 1;
    if (authorization !== undefined && requests % pause === 0) {
      await day({ honest, origin: new URL(request.url).origin, authorization }, requests / pause);
    }
    return response;
  };
};

/** Requests of the suite between two edits of somebody else. */
const pauseOfEditor = 2;

/** A colleague in the primary account edits the companies that were there before the run, one after the other. */
const othersEdit: Wrap = (honest) => {
  let colleague: Colleague | undefined;
  let companies: Json[] = [];
  let requests = 0;
  return async (request) => {
    const authorization = request.headers.get('authorization');
    if (colleague === undefined && authorization !== null) {
      colleague = { honest, origin: new URL(request.url).origin, authorization };
      const { data } = await work(colleague, 'GET', '/companies?limit=200');
      if (Array.isArray(data)) companies = data;
    }
    requests += 1;
    const company = companies[(requests / pauseOfEditor) % companies.length];
    if (colleague && company && requests % pauseOfEditor === 0)
      await work(colleague, 'PATCH', `/companies/${company.id}`, { name: `${requests % 17} Else` });
    return honest(request);
  };
};

const untested = {
  'api-keys-list-has-more': 'no exchange could have failed it, because others use what it takes',
};
const generous = { business: { read: 600, write: 600, validate: 60 } };

export default variants({
  'population-none': { why: 'An account may be empty.', reference: { companies: 0 } },
  'population-none-short-lists': {
    why: 'An account may be empty, and the order of its records is open.',
    reference: {
      companies: 0,
      choices: { absent: 'omitted', listOrder: 'oldest', firstPageCursor: 'absent', lastPageCursor: 'absent' },
    },
  },
  'population-one-user': {
    why: 'The session may be of the user who owns the primary key, with the key’s account stored.',
    reference: { oneUser: true },
  },
  'population-few-places-for-keys': {
    why: 'An account may have room for four more keys, and the session may share it.',
    reference: { oneUser: true, choices: { maxKeys: 6 } },
  },
  'population-huge': { why: 'An account may hold thousands of records.', reference: { companies: 2_000 } },
  'population-huge-oldest-first': {
    why: 'An account may hold thousands of records, in any order.',
    reference: { companies: 2_000, choices: { listOrder: 'oldest' } },
  },
  'population-others-at-work': {
    why: 'Other people may add records during a run.',
    reference: { tiers: generous, choices: { maxKeys: 1_000 } },
    wrap: othersAtWork,
    untested,
  },
  'population-others-at-work-oldest-first': {
    why: 'Other people may add records during a run.',
    reference: { tiers: generous, choices: { maxKeys: 1_000, listOrder: 'oldest', keysListed: 'account' } },
    wrap: othersAtWork,
    untested,
  },
  'population-others-edit': {
    why: 'Other people may edit companies during a run; a list sorted by name or by the time of the last edit is in another order then.',
    reference: { companies: 20, tiers: { business: { read: 600, write: 1_200 } } },
    wrap: together([sortedBy('GET /companies', 'updated_at'), othersEdit]),
  },
});
