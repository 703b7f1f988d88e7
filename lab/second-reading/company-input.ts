// Reading what is given for a company, new or edited.
import { readObject } from './bodies.ts';
import {
  checkValue,
  type FieldRules,
  isMissing,
  lengthOf,
  readGiven,
  refuseMissing,
  refuseUnknownMembers,
} from './checks.ts';
import type { Company, Row } from './records.ts';
import { refuse } from './refusal.ts';
import { COMPANY_FIELDS } from './views/deals.ts';
import type { Visit } from './visit.ts';

const REQUIRED = ['name', 'company_type'] as const;

export function readNewCompany(visit: Visit): Row {
  const body = readObject(visit);
  for (const name of REQUIRED) if (isMissing(body, name)) refuseMissing('422', name);
  refuseUnknownMembers(visit, body, COMPANY_FIELDS);
  const given = readGiven(visit, body, COMPANY_FIELDS, rulesOf(visit));
  checkContents(visit, given);
  return given;
}

/** Reads an edit; what comes back makes the new contents out of the old company. */
export function readCompanyEdit(visit: Visit): (company: Company) => Row {
  const { choices } = visit;
  const body = readObject(visit);
  const full = choices.companyEditBody !== 'partial';
  if (full) {
    for (const name of REQUIRED) if (isMissing(body, name)) refuseMissing(choices.companyEditMissing, name);
  } else if (Object.keys(body).length === 0 && choices.companyEditEmpty !== 'unchanged') {
    refuse(choices.companyEditEmpty, 'bad_request', 'There is nothing to change.');
  }
  refuseUnknownMembers(visit, body, COMPANY_FIELDS);
  const changes = readChanges(visit, body);
  checkContents(visit, changes);
  const base = (company: Company): Row => (choices.companyEditBody === 'full-replaces' ? {} : company.given);
  return (company) => {
    refuseTypeChange(visit, company, changes);
    return inTableOrder({ ...base(company), ...changes });
  };
}

/** The changes of an edit; a member that is undefined is to be cleared. */
function readChanges(visit: Visit, body: Row): Row {
  const { companyEditNull } = visit.choices;
  const rules = rulesOf(visit);
  const changes: Row = {};
  for (const [name, kind] of Object.entries(COMPANY_FIELDS)) {
    const value = body[name];
    if (value === undefined || (value === null && companyEditNull === 'ignored')) continue;
    if (value === null) {
      const needed = name === 'name' || name === 'company_type';
      if (needed || companyEditNull === 'refused') {
        refuse(rules.wrongType, 'invalid_field', `${name} must not be null.`, name);
      }
      changes[name] = undefined;
      continue;
    }
    checkValue(name, value, kind, rules);
    changes[name] = value;
  }
  return changes;
}

function checkContents(visit: Visit, given: Row): void {
  const { choices, world } = visit;
  const { name, company_type: type, org_id: organization } = given;
  if (typeof name === 'string') checkName(visit, name);
  if (type !== undefined && type !== 'lender' && type !== 'sponsor') {
    refuse(choices.companyTypeInvalid, 'invalid_field', 'company_type must be lender or sponsor.', 'company_type');
  }
  if (typeof organization !== 'number' || choices.companyOrgUnknown === 'accepted') return;
  if (!world.organizations.has(organization)) {
    refuse(choices.companyOrgUnknown, 'organization_not_found', 'There is no such organization.', 'org_id');
  }
}

function checkName(visit: Visit, name: string): void {
  const { choices } = visit;
  if (name === '' || lengthOf(name, choices.lengthUnit) > 255) {
    refuse(choices.companyNameLength, 'invalid_field', 'name must have 1 to 255 characters.', 'name');
  }
  if (choices.companyNameBlank !== 'accepted' && name.trim() === '') {
    refuse(choices.companyNameBlank, 'invalid_field', 'name must not be blank.', 'name');
  }
}

function refuseTypeChange(visit: Visit, company: Company, changes: Row): void {
  const { companyEditType } = visit.choices;
  const type = changes.company_type;
  if (companyEditType === 'allowed' || type === undefined || type === company.given.company_type) return;
  refuse(companyEditType, 'invalid_field', 'company_type cannot be changed.', 'company_type');
}

function inTableOrder(given: Row): Row {
  const ordered: Row = {};
  for (const name of Object.keys(COMPANY_FIELDS)) if (given[name] !== undefined) ordered[name] = given[name];
  return ordered;
}

function rulesOf(visit: Visit): FieldRules {
  const { companyWrongType, companyUrls } = visit.choices;
  return { wrongType: companyWrongType, urls: companyUrls, emails: 'any-text' };
}
