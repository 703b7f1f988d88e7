// Operations on companies.
import { readCompanyEdit, readNewCompany } from '../company-input.ts';
import { pickerFor } from '../fields.ts';
import type { Outcome } from '../outcome.ts';
import { LIST_QUERY, listPage } from '../paging.ts';
import type { Company, Row } from '../records.ts';
import { refuse } from '../refusal.ts';
import { companyCollections, dueAt, isVisible, makeCompany, mayWrite, placeIn } from '../store.ts';
import { companyNameable, companyView } from '../views/deals.ts';
import { accountOf, callerOf, type Operation, pathId, type Visit } from '../visit.ts';

const listCompanies: Operation = {
  method: 'GET',
  path: '/companies',
  kind: 'read',
  needsAccount: true,
  query: LIST_QUERY,
  begin: (visit) => ({
    act: () => {
      const account = accountOf(visit);
      const { choices, world } = visit;
      return listPage(visit, {
        name: `companies:${account.slug}`,
        source: choices.sharing === 'platform' ? world.allCompanies : account.companies,
        view: (company) => companyView(company, choices),
        nameable: companyNameable(choices),
        sortable: {
          few: ['name', 'company_type'],
          many: ['name', 'company_type', 'city', 'state', 'id', 'created_at', 'updated_at', 'website', 'org_id'],
          value: companyValue,
        },
      });
    },
  }),
};

const createCompany: Operation = {
  method: 'POST',
  path: '/companies',
  kind: 'write',
  needsAccount: true,
  idempotency: (choices) => choices.idemCompanies,
  begin: (visit) => {
    const input: { given: Row } = { given: {} };
    return {
      permit: () => {
        if (visit.membership?.abilities.createCompanies !== true) {
          refuse(403, 'not_allowed', 'You may not create companies.');
        }
      },
      read: () => {
        input.given = readNewCompany(visit);
      },
      act: () => create(visit, input.given),
    };
  },
};

const getCompany: Operation = {
  method: 'GET',
  path: '/companies/#',
  kind: 'read',
  needsAccount: true,
  query: ['fields'],
  begin: (visit) => {
    const target: { company?: Company } = {};
    return {
      locate: () => {
        target.company = findCompany(visit);
      },
      act: () => {
        const { choices } = visit;
        const row = companyView(target.company ?? findCompany(visit), choices);
        const fields = choices.fieldsSingle === 'honoured' ? visit.query.get('fields') : undefined;
        return { status: 200, data: pickerFor(visit, fields, companyNameable(choices))(row) };
      },
    };
  },
};

const editCompany: Operation = {
  method: 'PATCH',
  path: '/companies/#',
  kind: 'write',
  needsAccount: true,
  idempotency: (choices) => choices.idemCompanyEdit,
  begin: (visit) => {
    const input: { change?: (company: Company) => Row } = {};
    const target: { company?: Company } = {};
    return {
      permit: () => permitEdit(visit),
      locate: () => {
        target.company = findCompany(visit);
        refuseShared(visit, target.company);
      },
      read: () => {
        input.change = readCompanyEdit(visit);
      },
      act: () => {
        const company = target.company ?? findCompany(visit);
        return edit(visit, company, input.change?.(company) ?? company.given);
      },
    };
  },
};

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

function permitEdit(visit: Visit): void {
  const { choices, membership } = visit;
  if (choices.companyEditRight === 'anyone' || membership?.abilities.createCompanies === true) return;
  refuse(403, 'not_allowed', 'You may not edit companies.');
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

function companyValue(company: Company, name: string): unknown {
  if (name === 'id') return company.id;
  if (name === 'created_at') return company.created;
  return name === 'updated_at' ? company.updated : company.given[name];
}
