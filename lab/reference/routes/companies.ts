// Endpoints, Companies.
import { activeAccount, type Call, creation, type Operation, type Result } from '../operation.ts';
import { page, sortsBy } from '../paging.ts';
import { notFound, refuse } from '../refusal.ts';
import type { Company, Fields } from '../store.ts';
import { checked, companyRules } from '../validation.ts';

/** The path's company, if the active account has it; otherwise 404. */
export function companyOf(call: Call): Company {
  const company = call.service.store.company(activeAccount(call), call.ids.company_id);
  if (company === undefined) throw notFound('company');
  return company;
}

const isKnownOrganization = (id: unknown) => typeof id === 'number' && id >= 1_001 && id <= 1_099;

function fieldsOf(call: Call, whole: boolean): Fields {
  const { refusal, unknownOrganization } = call.service.choices;
  const fields = checked(call.body, companyRules, { required: whole ? ['name', 'company_type'] : [], refusal });
  if (fields.name === null || fields.company_type === null)
    throw refuse(refusal, 'name and company_type cannot be null');
  const { org_id = null } = fields;
  if (unknownOrganization === 'refuse' && org_id !== null && !isKnownOrganization(org_id)) {
    throw refuse(422, 'org_id names no known organization');
  }
  return fields;
}

function create(call: Call): Result {
  const { service, now } = call;
  const account = activeAccount(call);
  const fields = fieldsOf(call, true);
  const id = service.store.admit('company');
  const company = service.store.addCompany({ id, account, fields, notes: [], createdAt: now, updatedAt: now });
  return { data: service.wire.company(company) };
}

function edit(call: Call): Result {
  const early = call.service.choices.checkOrder === 'body-first' ? fieldsOf(call, false) : undefined;
  const company = companyOf(call);
  company.fields = { ...company.fields, ...(early ?? fieldsOf(call, false)) };
  company.updatedAt = call.now;
  return { data: call.service.wire.company(company) };
}

function list(call: Call): Result {
  const { wire, choices } = call.service;
  return page(call, {
    name: 'companies',
    items: activeAccount(call).companies,
    render: (company) => wire.company(company),
    sorts: sortsBy((company: Company) => String(company.fields.name)),
    identifier: choices.companyIdentifier,
  });
}

export const companyOperations: readonly Operation[] = [
  { method: 'GET', path: '/companies', access: 'user', run: list },
  { method: 'POST', path: '/companies', access: 'user', ...creation, run: create },
  {
    method: 'GET',
    path: '/companies/:company_id',
    access: 'user',
    run: (call) => ({ data: call.service.wire.company(companyOf(call)) }),
  },
  { method: 'PATCH', path: '/companies/:company_id', access: 'user', run: edit },
];
