// What must hold of companies, whoever asks: Endpoints / Companies; Resources / Company.
import {
  borrowedRule,
  type DefectOf,
  either,
  forbiddenRule,
  isValidRecord,
  listedRule,
  recordRule,
  refusalRule,
  refusedRule,
  rules,
  together,
  tooLong,
  typeRule,
} from '../../lib/index.ts';
import { existence, existenceIds } from './existence.ts';

type DefectId =
  | 'companies-create-missing-name'
  | 'companies-create-missing-type'
  | 'companies-name-out-of-bounds'
  | 'companies-type-unknown'
  | 'companies-required-wrong-type';

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

export const companyRules = together(
  rules(
    [
      'companies-create-fields',
      'companies-create-forbidden',
      'companies-create-id',
      'companies-create-missing-name',
      'companies-create-missing-type',
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
      'companies-name-out-of-bounds',
      'companies-read-record',
      'companies-required-wrong-type',
      'companies-type-unknown',
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
  ),
  rules(existenceIds, existence),
);
