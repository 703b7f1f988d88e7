// Servers with rules of their own for records: contacts of the company's type alone, emails and names that are in use.
import { apiPath } from '../../lib/catalogue/operations.ts';
import type { Wrap } from '../mutants/mutant.ts';
import {
  altered,
  instead,
  isObject,
  type Json,
  lastSegment,
  refusal,
  repetitionOf,
  type Seen,
  see,
} from '../mutants/wrappers/mutator.ts';
import { createCompany, createContact, editCompany } from '../mutants/wrappers/operations.ts';
import { ask, bodyOf, onRecords } from '../mutants/wrappers/records.ts';
import type { Handler } from '../reference/index.ts';
import { companies, together, variants } from './variant.ts';

/** Why a request is refused. */
type Rule = (seen: Seen, honest: Handler) => Promise<Response | undefined> | Response | undefined;

/** What the honest server refuses in its last check, and with which status. */
interface LastCheck {
  readonly body: Json;
  readonly status: number;
}

/** What breaks a rule is refused where the honest server comes to its last check; a repetition is what it was at first. */
const ruled = (operations: readonly string[], last: LastCheck, rule: Rule): Wrap => {
  const verdicts = new Map<string, Promise<Response | undefined>>();
  return instead(operations, async (seen, honest) => {
    const name = repetitionOf(seen);
    const verdict = verdicts.get(name ?? '') ?? Promise.resolve(rule(seen, honest));
    if (name !== undefined) verdicts.set(name, verdict);
    const broken = await verdict;
    if (broken === undefined) return undefined;
    const body = { ...bodyOf(seen), ...last.body };
    const refused = await honest(await altered(seen, { body, headers: { 'idempotency-key': null } }));
    return refused.status === last.status ? broken.clone() : refused;
  });
};

/** The whole list, as the sender of a request sees it. */
async function listed(honest: Handler, seen: Seen, path: string): Promise<Json[]> {
  const records: Json[] = [];
  for (let cursor = ''; ; ) {
    const page = await ask(honest, seen, 'GET', `${apiPath}${path}?limit=200${cursor}`);
    if (Array.isArray(page.data)) records.push(...page.data);
    if (!isObject(page.pagination) || page.pagination.has_more !== true) return records;
    cursor = `&cursor=${encodeURIComponent(String(page.pagination.next_cursor))}`;
  }
}

/** All else of the contact is right then. */
const ofNoCompany: LastCheck = { body: { company_id: 2_147_483_646 }, status: 404 };
const isIdentifier = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0;

const contactOf: Readonly<Record<string, string>> = { lender: 'lender_contact', sponsor: 'sponsor' };

/** At a lender there are contacts of lenders alone, at a sponsor those of sponsors. */
const ofOneType: Wrap = (honest, clock) => {
  const types = new Map<unknown, unknown>();
  const noted = onRecords(companies, (company, { operation }) => {
    // The reply to a repeated creation may be an old one.
    const isNews = operation !== createCompany || !types.has(company.id);
    if (isNews && 'company_type' in company) types.set(company.id, company.company_type);
    return company;
  })(honest, clock);
  return ruled([createContact], ofNoCompany, (seen) => {
    const { company_id, contact_type } = bodyOf(seen);
    const fits = contactOf[String(types.get(company_id))] ?? contact_type;
    const isKnown = Object.values(contactOf).includes(String(contact_type));
    return isKnown && fits !== contact_type
      ? refusal(422, 'WRONG_TYPE', 'contact_type does not fit the type of the company')
      : undefined;
  })(noted, clock);
};

const uniqueEmails = (status: number): Wrap =>
  ruled([createContact], ofNoCompany, async (seen, honest) => {
    const { email, company_id } = bodyOf(seen);
    if (typeof email !== 'string' || !isIdentifier(company_id)) return undefined;
    const isTaken = (await listed(honest, seen, '/contacts')).some((contact) => contact.email === email);
    return isTaken ? refusal(status, 'EMAIL_TAKEN', 'There is a contact with this email') : undefined;
  });

const uniqueNames: Wrap = ruled(
  [createCompany, editCompany],
  { body: { name: 0 }, status: 422 },
  async (seen, honest) => {
    const { name } = bodyOf(seen);
    if (typeof name !== 'string') return undefined;
    const own = seen.operation === editCompany ? lastSegment(seen) : undefined;
    const isTaken = (await listed(honest, seen, '/companies')).some(
      (one) => String(one.name).toLowerCase() === name.toLowerCase() && String(one.id) !== own,
    );
    return isTaken ? refusal(422, 'NAME_TAKEN', 'There is a company of this name') : undefined;
  },
);

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

/** In an account of many companies each has another name, the last that its list shows those of one letter. */
const namedByEarlierRuns: Wrap = (honest) => {
  const known = new Set<string>();
  let isDone = false;
  let named = Promise.resolve();
  const name = async (request: Request): Promise<void> => {
    const authorization = request.headers.get('authorization') ?? '';
    if (isDone || known.has(authorization)) return;
    known.add(authorization);
    const seen = await see(request);
    const all = await listed(honest, seen, '/companies');
    if (all.length <= letters.length) return;
    isDone = true;
    for (const [place, { id, name: old }] of all.reverse().entries())
      await ask(honest, seen, 'PATCH', `${apiPath}/companies/${id}`, { name: letters[place] ?? `${old} ${id}` });
  };
  return async (request) => {
    const before = request.clone();
    named = named.then(() => name(before));
    await named;
    return honest(request);
  };
};

const emails = 'No sentence says that two contacts may have one email, nor how a second one is refused.';

export default variants({
  'rules-contacts-of-one-type': {
    why: 'Whether the type of a contact must be that of its company is not said, and 422 is a validation failure.',
    wrap: ofOneType,
  },
  'rules-emails-unique-with-422': { why: emails, wrap: uniqueEmails(422) },
  'rules-emails-unique-with-409': { why: emails, wrap: uniqueEmails(409) },
  'rules-names-unique-in-any-case-and-short-ones-taken': {
    why: 'No sentence says that two companies may have one name, and earlier runs may have left those of one letter.',
    reference: { companies: 300, tiers: { business: { read: 3000, write: 3000 } } },
    wrap: together([namedByEarlierRuns, uniqueNames]),
  },
});
