// Requests on companies with one credential, and what edits show of fields that the document leaves open.
import {
  type Api,
  type Context,
  dataOf,
  type JsonObject,
  knownOrganization,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { sameMember } from '../shared/fields.ts';
import { keyOrNone, perhapsKeyed } from '../shared/optional-headers.ts';
import { companyMembers } from '../shared/sent-records.ts';

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

export const observedIds = [
  'companies-edit-partial',
  'companies-edit-invalid',
  'companies-name-blank',
  'companies-website-invalid',
  'companies-org-id',
] as const;

interface Edited {
  readonly id: number;
  /** A body for edits, if the target accepts any. */
  readonly last: JsonObject;
  readonly isAccepted: boolean;
  /** The replies to invalid edits, an empty name first. */
  readonly unlawful: readonly Reply[];
}

export async function observeEdits(
  { make, observe }: Context<(typeof observedIds)[number], never>,
  companies: Companies,
  { id, last, isAccepted, unlawful }: Edited,
): Promise<void> {
  const before = await companies.read(id);
  const partial = await companies.edit(id, { city: 'Sacramento' }, true);
  const after = await companies.read(id);
  const lost = companyMembers.filter((name) => name !== 'city' && !sameMember(dataOf(before), dataOf(after), name));
  const kept = lost.length === 0 ? 'the other fields are kept' : `these change too: ${lost.join(', ')}`;
  observe('companies-edit-partial', wasAccepted(partial) ? kept : answerOf(partial), partial);

  const empty = await companies.edit(id, {}, true);
  const [first] = unlawful;
  const answers = `an empty name: ${first ? answerOf(first) : 'not sent'}; an empty body: ${answerOf(empty)}`;
  observe('companies-edit-invalid', answers, ...unlawful, empty);
  const write = (change: JsonObject) =>
    isAccepted
      ? companies.edit(id, { ...last, ...change })
      : companies.create({ name: make.name('company'), company_type: 'lender', ...change });
  const website = await write({ website: 'no address at all' });
  observe('companies-website-invalid', answerOf(website), website);
  const blank = await write({ name: '   ' });
  observe('companies-name-blank', answerOf(blank), blank);
  // Last, as the company keeps its organization.
  const org_id = await knownOrganization(companies.api);
  const linked = await write({ org_id });
  const back = sameMember(dataOf(linked), { org_id }, 'org_id') ? 'and comes back' : 'and does not come back';
  observe('companies-org-id', wasAccepted(linked) ? `accepted ${back}` : answerOf(linked), linked);
}
