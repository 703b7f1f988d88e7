// Rules for companies, for every caller: Endpoints / Companies; Resources / Company.
import {
  at,
  bodyOf,
  borrowedRule,
  type Change,
  callerOf,
  type DefectOf,
  dataOf,
  either,
  forbiddenRule,
  isNothing,
  isOutage,
  isShown,
  isValidRecord,
  type JudgedId,
  leftNothingRule,
  listedRule,
  type Reply,
  type Rule,
  recordRule,
  recordsIn,
  refusalRule,
  refusals,
  refusedAs,
  rules,
  saysJson,
  tooLong,
  typeRule,
  type World,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { existence } from './existence.ts';

/** Characters. */
const nameMax = 255;

const ofCompany: DefectOf<JudgedId> = (body, isAccepted) => {
  const { name, company_type: type, org_id: organization } = body;
  const { org_id: _, ...texts } = body;
  if (isAccepted || isValidRecord(texts)) {
    // The organization may not exist, and the target may check that first.
    const statuses = organization === undefined ? [422] : [400, 404, 422];
    if (name === undefined) return ['companies-create-missing-name', statuses];
    if (type === undefined) return ['companies-create-missing-type', statuses];
  }
  if ((organization !== undefined && !isAccepted) || name === undefined || type === undefined) return undefined;
  if (typeof name !== 'string' || typeof type !== 'string') return ['companies-required-wrong-type', either];
  if (name === '' || [...name].length > nameMax) return ['companies-name-out-of-bounds', tooLong];
  // Almost valid types may be read as the intended one.
  return type === 'lender_contact' || !/lender|sponsor/i.test(type) ? ['companies-type-unknown', either] : undefined;
};

const create = 'POST /companies';
const edit = 'PATCH /companies/{company_id}';

/** A name of minimum or maximum length, in its normal form. */
const isBound = (name: unknown): name is string =>
  typeof name === 'string' &&
  [1, nameMax].includes([...name].length) &&
  name === name.trim().normalize('NFC') &&
  !/[\p{Cc}\p{Cs}]/u.test(name);

/** The name in a valid body of only the required members. */
function sparseNameOf(reply: Reply): string | undefined {
  const { company_type: type, name, ...more } = bodyOf(reply) ?? {};
  const isSparse = Object.keys(more).length === 0 && isValidRecord({ company_type: type }) && saysJson(reply);
  const isName = typeof name === 'string' && /\S/.test(name) && [...name].length <= nameMax;
  return isSparse && isName && type !== undefined ? name : undefined;
}

/** A name and a type suffice to create a company, also with the shortest and the longest names. */
const sparse: Rule = (world, { expect }) => {
  const { replies, callers } = world;
  const creations = replies.filter((one) => one.operation === create && !one.undocumented && !one.mayReplay);
  const shapeOf = (reply: Reply): string => {
    const { company_type: type, name: _, ...more } = bodyOf(reply) ?? {};
    return JSON.stringify([callerOf(reply), type, Object.keys(more).sort()]);
  };
  const usual = new Set(creations.filter((one) => wasAccepted(one) && !isBound(bodyOf(one)?.name)).map(shapeOf));
  // A server may require unique company names, whatever their letter case.
  const namesInUse = new Set(
    replies.filter(isShown).flatMap((one) => recordsIn(one).map(({ name }) => wordOf(name ?? '').toLowerCase())),
  );
  // A list may not show all that earlier runs have left: one short name that is refused proves nothing.
  const refusedShort = new Set(
    creations.flatMap((one) => {
      const name = sparseNameOf(one)?.toLowerCase() ?? '';
      return [...name].length === 1 && refusals.includes(one.status) ? [name] : [];
    }),
  );
  for (const reply of creations) {
    const name = sparseNameOf(reply);
    if (name === undefined) continue;
    const isKnown = isBound(name) ? usual.has(shapeOf(reply)) : callers.mayCreate(reply);
    const holds = !isOutage(reply) && (!refusals.includes(reply.status) || reply.status === 409);
    const mayBeInUse = namesInUse.has(name.toLowerCase()) || ([...name].length === 1 && refusedShort.size === 1);
    if (!holds && (!isKnown || mayBeInUse)) continue;
    const found = { expected: 201, actual: reply.status };
    const ids: readonly JudgedId[] = [
      ...(isBound(name) ? (['companies-name-lengths'] as const) : []),
      ...(isBound(name) && !holds ? [] : (['companies-create-required-only'] as const)),
    ];
    for (const id of ids) expect(id, reply, holds, 'a name and a company_type should suffice', found);
  }
};

/** The shortest and longest names are stored, and no company has an unknown type. */
const kept: Rule = (world, { expect }) => {
  for (const reply of world.replies.filter(isShown)) {
    const isCreation = reply.operation === create;
    if (reply.mayReplay || !(isCreation || reply.operation?.startsWith('GET /companies'))) continue;
    const type = at(dataOf(reply), 'company_type');
    if (isCreation && !isValidRecord({ company_type: bodyOf(reply)?.company_type }) && type !== undefined) {
      const found = { expected: 'lender or sponsor', actual: type };
      expect('companies-type-unknown', reply, isValidRecord({ company_type: type }), 'a type should be known', found);
    }
    for (const record of recordsIn(reply)) {
      const { created, members } = world.shown('company', reply, record) ?? {};
      const name = created && bodyOf(created)?.name;
      if (!isBound(name) || members?.get('name')?.effects.length !== 1 || typeof record.name !== 'string') continue;
      const found = { expected: name, actual: record.name, because: created ? [created] : [] };
      expect('companies-name-lengths', reply, record.name === name, 'a name should be kept whole', found);
    }
  }
};

/** If a read shows a refused edit, its reply was wrong or it should not have been carried out. */
function causesOf({ stored, name, actual, last, reply }: Change, world: World): readonly JudgedId[] {
  const refused = stored.refusedEdits.filter((one) => one.id > last.by.id && one.after < reply.id);
  const valueIn = (one: Reply): unknown => bodyOf(one)?.[name];
  const isLawful = (one: Reply): boolean => {
    const { name: text, company_type: type } = bodyOf(one) ?? {};
    const length = typeof text === 'string' ? [...text].length : 0;
    return length >= 1 && length <= nameMax && isValidRecord({ company_type: type });
  };
  const lawfulFirst = [...refused.filter(isLawful), ...refused];
  const isRight = actual === last.value;
  const isIts = (one: Reply): boolean => actual !== undefined && valueIn(one) === actual;
  const causes = isRight ? refused : lawfulFirst.filter(isIts).slice(0, 1);
  const isOther = (one: Reply): boolean => one.operation === edit && one.id <= reply.after;
  const mayBeOfAnother = isRight && stored.edits.length === 0 && world.replies.some(isOther);
  return [
    ...causes.map((one) => (isLawful(one) ? ('companies-edit-reply' as const) : ('companies-edit-bounds' as const))),
    ...(mayBeOfAnother ? (['companies-edit-others'] as const) : []),
  ];
}

/** A new company returns its organization as an integer; one that no read has shown may be unknown. */
const organization: Rule<'companies-create-fields'> = ({ replies }, { expect }) => {
  const shown = replies.filter(isShown);
  const reads = shown.filter(
    ({ operation, request }) => /\/companies\b/.test(operation ?? '') && request.method === 'GET',
  );
  const known = new Set(reads.flatMap(recordsIn).map(({ org_id }) => org_id));
  for (const reply of shown) {
    const expected = bodyOf(reply)?.org_id;
    if (reply.operation !== create || reply.mayReplay || !Number.isInteger(expected)) continue;
    const actual = at(dataOf(reply), 'org_id');
    const holds = actual === expected || (isNothing(actual) && !known.has(expected));
    const message = 'the company in the reply of POST /companies should show its org_id';
    expect('companies-create-fields', reply, holds, message, { expected, actual });
  }
};

export const companyRules = rules(
  [
    ...(['envelope-valid-served', 'pagination-list-empty'] as const),
    ...(['notes-delete-lasting', 'notes-deleted-unknown', 'notes-other-company'] as const),
    ...(['notes-others-untouched', 'notes-unknown-company', 'notes-unknown-note'] as const),
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
      [edit]: 'companies-edit-reply',
    },
    outdated: 'companies-edit-effect',
    unlisted: 'companies-list-contains',
    causes: causesOf,
    edited: { bounds: 'companies-edit-bounds', others: 'companies-edit-others' },
  }),
  typeRule('company', {
    'GET /companies/{company_id}': 'companies-read-record',
    'GET /companies': 'companies-list-record',
  }),
  refusalRule({ [create]: ofCompany }),
  borrowedRule(create, 'companies-create-fields'),
  forbiddenRule(create, 'companies-create-forbidden'),
  leftNothingRule(refusedAs(create, () => 'companies-create-refused-effect')),
  listedRule('company', { contains: 'companies-list-contains', once: 'companies-create-once' }),
  organization,
  sparse,
  kept,
  existence,
);
