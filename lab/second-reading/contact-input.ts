// Reading what is given for a new contact.
import { readObject } from './bodies.ts';
import { type FieldRules, isMissing, readGiven, refuseMissing, refuseUnknownMembers } from './checks.ts';
import { readPhones } from './phones.ts';
import type { Company } from './records.ts';
import { refuse } from './refusal.ts';
import { type ContactInput, isVisible, placeIn } from './store.ts';
import { CONTACT_FIELDS } from './views/deals.ts';
import { accountOf, type Visit } from './visit.ts';

export function readNewContact(visit: Visit): ContactInput {
  const { choices } = visit;
  const body = readObject(visit);
  if (isMissing(body, 'contact_type')) refuseMissing('422', 'contact_type');
  if (isMissing(body, 'company_id')) refuseMissing(choices.contactCompanyMissing, 'company_id');
  refuseUnknownMembers(visit, body, CONTACT_FIELDS);
  const given = readGiven(visit, body, CONTACT_FIELDS, rulesOf(visit));
  checkType(visit, given.contact_type);
  const phones = Array.isArray(given.phones) ? readPhones(visit, given.phones) : null;
  const isPrimary = typeof given.is_primary === 'boolean' ? given.is_primary : null;
  return { given, phones, isPrimary, company: companyFor(visit, Number(given.company_id)) };
}

function checkType(visit: Visit, type: unknown): void {
  if (type === 'lender_contact' || type === 'sponsor') return;
  const message = 'contact_type must be lender_contact or sponsor.';
  refuse(visit.choices.contactTypeInvalid, 'invalid_field', message, 'contact_type');
}

function companyFor(visit: Visit, id: number): Company | null {
  const { world, choices } = visit;
  const company = world.companies.get(placeIn(world, 'company', accountOf(visit), id));
  if (company === undefined || !isVisible(world, accountOf(visit), company.account)) {
    if (choices.contactCompanyUnknown === 'accepted') return null;
    return refuse(choices.contactCompanyUnknown, 'company_not_found', 'There is no such company.', 'company_id');
  }
  if (choices.contactSharedCompany === '403' && company.account !== visit.account) {
    refuse(403, 'not_allowed', 'This company is shared with you for reading.', 'company_id');
  }
  return company;
}

function rulesOf(visit: Visit): FieldRules {
  const { contactWrongType, contactUrls, contactEmail } = visit.choices;
  return { wrongType: contactWrongType, urls: contactUrls, emails: contactEmail };
}
