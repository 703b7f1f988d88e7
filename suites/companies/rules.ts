// What must hold of companies, whoever asks: Endpoints / Companies; Resources / Company.
import {
  at,
  bodyOf,
  borrowedRule,
  type DefectOf,
  dataOf,
  either,
  forbiddenRule,
  isNothing,
  isShown,
  isValidRecord,
  listedRule,
  type Rule,
  recordRule,
  recordsIn,
  refusalRule,
  refusedRule,
  rules,
  together,
  tooLong,
  typeRule,
} from '../../lib/index.ts';
import { existence, existenceIds } from './existence.ts';

const defectIds = [
  'companies-create-missing-name',
  'companies-create-missing-type',
  'companies-name-out-of-bounds',
  'companies-type-unknown',
  'companies-required-wrong-type',
] as const;
type DefectId = (typeof defectIds)[number];

/** Characters. */
const nameMax = 255;

const ofCompany: DefectOf<DefectId> = (body, isTaken) => {
  const { name, company_type: type, org_id: organization } = body;
  if (isTaken || isValidRecord(body)) {
    if (name === undefined) return ['companies-create-missing-name', [422]];
    if (type === undefined) return ['companies-create-missing-type', [422]];
  }
  // There need not be such an organization, which may be said first.
  if ((organization !== undefined && !isTaken) || name === undefined || type === undefined) return undefined;
  if (typeof name !== 'string' || typeof type !== 'string') return ['companies-required-wrong-type', either];
  if (name === '' || [...name].length > nameMax) return ['companies-name-out-of-bounds', tooLong];
  // Nearly lawful types may be read as what is meant.
  return type === 'lender_contact' || !/lender|sponsor/i.test(type) ? ['companies-type-unknown', either] : undefined;
};

/** The organization of a new company comes back as the number that it is; one that no read has shown need not be known. */
const organization: Rule<'companies-create-fields'> = ({ replies }, { expect }) => {
  const shown = replies.filter(isShown);
  const reads = shown.filter(
    ({ operation, request }) => /\/companies\b/.test(operation ?? '') && request.method === 'GET',
  );
  const known = new Set(reads.flatMap(recordsIn).map(({ org_id }) => org_id));
  for (const reply of shown) {
    const expected = bodyOf(reply)?.org_id;
    if (reply.operation !== 'POST /companies' || reply.mayReplay || !Number.isInteger(expected)) continue;
    const actual = at(dataOf(reply), 'org_id');
    const holds = actual === expected || (isNothing(actual) && !known.has(expected));
    const message = 'the company in the reply of POST /companies should show its org_id';
    expect('companies-create-fields', reply, holds, message, { expected, actual });
  }
};

export const companyRules = together(
  rules(
    [
      ...defectIds,
      'companies-create-fields',
      'companies-create-forbidden',
      'companies-create-id',
      'companies-create-name',
      'companies-create-once',
      'companies-create-refused-effect',
      'companies-create-type',
      'companies-edit-bounds',
      'companies-edit-effect',
      'companies-edit-others',
      'companies-edit-reply',
      'companies-list-contains',
      'companies-list-record',
      'companies-read-record',
    ],
    recordRule({
      kind: 'company',
      created: {
        identifier: 'companies-create-id',
        name: 'companies-create-name',
        company_type: 'companies-create-type',
        others: 'companies-create-fields',
      },
      shown: {
        'GET /companies/{company_id}': 'companies-read-record',
        'GET /companies': 'companies-list-record',
        'PATCH /companies/{company_id}': 'companies-edit-reply',
      },
      outdated: 'companies-edit-effect',
      unlisted: 'companies-list-contains',
      edited: { bounds: 'companies-edit-bounds', others: 'companies-edit-others' },
    }),
    typeRule('company', {
      'GET /companies/{company_id}': 'companies-read-record',
      'GET /companies': 'companies-list-record',
    }),
    refusalRule({ 'POST /companies': ofCompany }),
    borrowedRule('POST /companies', 'companies-create-fields'),
    forbiddenRule('POST /companies', 'companies-create-forbidden'),
    refusedRule('POST /companies', () => 'companies-create-refused-effect'),
    listedRule('company', { contains: 'companies-list-contains', once: 'companies-create-once' }),
    organization,
  ),
  rules(existenceIds, existence),
);
