// Operations on companies.
import {
  checkValue,
  type FieldRules,
  isMissing,
  lengthOf,
  readGiven,
  readObject,
  refuseMissing,
  refuseUnknownMembers,
} from '../checks.ts';
import { LIST_QUERY, listPage, pickerFor } from '../paging.ts';
import type { Company, Row } from '../records.ts';
import { type Outcome, refuse } from '../refusal.ts';
import { recordValue } from '../sorting.ts';
import { companyCollections, dueAt, isVisible, makeCompany, mayWrite, placeIn } from '../store.ts';
import { COMPANY_FIELDS, companyNameable, companyView } from '../views/deals.ts';
import { able, accountOf, callerOf, type Operation, operation, pathId, type Visit } from '../visit.ts';

const listCompanies = operation('GET /companies', {
  query: LIST_QUERY,
  act: (visit) => {
    const account = accountOf(visit);
    const { choices, world } = visit;
    return listPage<Company>(visit, {
      name: `companies:${account.slug}`,
      source: choices.sharing === 'platform' ? world.allCompanies : account.companies,
      view: (company) => companyView(company, choices),
      nameable: companyNameable(choices),
      sortable: {
        few: ['name', 'company_type'],
        many: ['name', 'company_type', 'city', 'state', 'id', 'created_at', 'updated_at', 'website', 'org_id'],
        value: recordValue,
      },
    });
  },
});

const createCompany = operation('POST /companies', {
  idempotency: (choices) => choices.idemCompanies,
  permit: able('createCompanies', 'create companies'),
  read: readNewCompany,
  act: (visit, _, given) => create(visit, given),
});

const getCompany = operation('GET /companies/#', {
  query: ['fields'],
  locate: findCompany,
  act: (visit, company) => {
    const { choices } = visit;
    const fields = choices.fieldsSingle === 'honoured' ? visit.query.get('fields') : undefined;
    return { status: 200, data: pickerFor(visit, fields, companyNameable(choices))(companyView(company, choices)) };
  },
});

const editCompany = operation('PATCH /companies/#', {
  idempotency: (choices) => choices.idemCompanyEdit,
  permit: (visit) => {
    if (visit.choices.companyEditRight !== 'anyone') able('createCompanies', 'edit companies')(visit);
  },
  locate: findWritable,
  read: readCompanyEdit,
  act: (visit, company, change) => edit(visit, company, change(company)),
});

export const companyOperations: readonly Operation[] = [listCompanies, createCompany, getCompany, editCompany];

/** The company in the path, if the active account can see it. */
export function findCompany(visit: Visit): Company {
  const { world, choices } = visit;
  const company = world.companies.get(placeIn(world, 'company', accountOf(visit), pathId(visit, 0)));
  if (company === undefined) return refuse(404, 'company_not_found', 'There is no such company.');
  if (isVisible(world, accountOf(visit), company.account)) return company;
  const cause = choices.foreignCompany === '404' ? 'company_not_found' : 'not_allowed';
  return refuse(choices.foreignCompany, cause, 'There is no such company for this account.');
}

export function refuseShared(visit: Visit, company: Company): void {
  if (mayWrite(visit.choices, visit.membership, company.account)) return;
  refuse(403, 'not_allowed', 'This company is shared with you for reading.');
}

/** The same, if the active account may write to it. */
export function findWritable(visit: Visit): Company {
  const company = findCompany(visit);
  refuseShared(visit, company);
  return company;
}

function create(visit: Visit, given: Row): Outcome {
  const { world, choices, now } = visit;
  const account = accountOf(visit);
  const company = makeCompany(world, account, callerOf(visit).user, given, now);
  company.due = dueAt(world, now, 'others');
  for (const collection of companyCollections(world, account)) collection.add(company, now);
  const view = (): Row => companyView(company, choices);
  return { status: 201, data: view(), headers: location(visit, `companies/${company.id}`), again: view };
}

function edit(visit: Visit, company: Company, given: Row): Outcome {
  const { choices, now } = visit;
  const same = JSON.stringify(given) === JSON.stringify(company.given);
  if (!same || choices.companyEditTouch === 'touches') company.updated = now;
  company.given = given;
  company.view = undefined;
  const view = (): Row => companyView(company, choices);
  return { status: 200, data: view(), again: view };
}

export function location(visit: Visit, path: string): Record<string, string> {
  const { locationHeader } = visit.choices;
  if (locationHeader === 'none') return {};
  return { Location: locationHeader === 'relative' ? path : `/api/external/v2/${path}` };
}

const REQUIRED = ['name', 'company_type'] as const;

function readNewCompany(visit: Visit): Row {
  const body = readObject(visit);
  for (const name of REQUIRED) if (isMissing(body, name)) refuseMissing('422', name);
  refuseUnknownMembers(visit, body, COMPANY_FIELDS);
  const given = readGiven(visit, body, COMPANY_FIELDS, rulesOf(visit));
  checkContents(visit, given);
  return given;
}

/** Reads an edit; what comes back makes the new contents out of the old company. */
function readCompanyEdit(visit: Visit): (company: Company) => Row {
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
