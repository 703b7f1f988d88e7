// Edits of a company beside others: what must come of them, and what no edit may leave.
import {
  companyTexts,
  dataOf,
  expectThat,
  identifierOf,
  type JsonObject,
  knownOrganization,
  NotTested,
  type Reply,
  usualText,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { fullRecord, given, trickyRecord } from '../shared/company-record.ts';
import { expectFields, sameMember } from '../shared/fields.ts';
import { expectUnknown, unknownIds } from '../shared/unknown.ts';
import { type Companies, companiesOf } from './company.ts';
import type { Created } from './creation.ts';
import {
  type EditContext,
  type EditedCompany,
  judgeEdit,
  judgeList,
  judgeOthers,
  type Outcome,
  snapshot,
} from './edit.ts';

/** All of the usual texts, as far as they fit. */
const usualTextsMax = 100;
/** No bound is shown of an address: what is longer than one that was accepted may be refused. */
const addressMax = 100;

/** What an edit may not leave. */
const invalid: readonly [JsonObject, ...JsonObject[]] = [
  { company_type: 'broker' },
  { company_type: 'lenders' },
  { company_type: null },
  { company_type: 1 },
];

function expectLawful(record: unknown, former: unknown, edit: Reply, after: Reply): void {
  const names = wasAccepted(edit) ? [] : given;
  expectFields(record, former, names, 'the company after a refused edit', [edit, after]);
  const { name, company_type: type } = (record ?? {}) as JsonObject;
  const length = typeof name === 'string' ? [...name].length : 0;
  const lawful = length >= 1 && length <= 255 && (type === 'lender' || type === 'sponsor');
  expectThat(lawful, 'no edit should leave a name outside 1 to 255 characters or an unknown type', {
    expected: 'a name of 1 to 255 characters; lender or sponsor',
    actual: { name, company_type: type },
    replies: [edit, after],
  });
}

/** Each beside other values for all members, of which none may stay; resolves to the replies to these edits. */
async function judgeBounds({ companies, id, context }: EditedCompany, firm: boolean): Promise<readonly Reply[]> {
  const { random, effort, make, check } = context;
  const replies: Reply[] = [];
  const name = { name: random.pick(['Ü'.repeat(256), 'Ü'.repeat(256), null]) };
  const further = effort === 'quick' ? [random.pick([name, ...invalid])] : [name, random.pick(invalid)];
  for (const defect of [{ name: '' }, ...further]) {
    const before = await companies.read(id);
    const others = fullRecord(make.name('refused edit'), 'second');
    const edit = await companies.edit(id, { ...others, ...defect });
    const after = await companies.read(id);
    replies.push(edit);
    await check('companies-edit-bounds', () => {
      if (!firm) throw new NotTested('the edits before did not show');
      expectLawful(dataOf(after), dataOf(before), edit, after);
    });
  }
  return replies;
}

/** What an edit of the city alone did to the other fields. */
function keeping(before: unknown, after: unknown): string {
  const lost = given.filter((name) => name !== 'city' && !sameMember(before, after, name));
  return lost.length === 0 ? 'the other fields are kept' : `these change too: ${lost.join(', ')}`;
}

async function observePartial({ companies, id, context: { observe } }: EditedCompany): Promise<void> {
  const before = await companies.read(id);
  const partial = await companies.editExactly(id, { city: 'Sacramento' });
  const kept = dataOf(await companies.read(id));
  observe('companies-edit-partial', wasAccepted(partial) ? keeping(dataOf(before), kept) : answerOf(partial), partial);
}

/**
 * What the document does not say of a company's fields: asked by edits, because what is created stays for ever.
 * `unlawful`: the replies to edits that should not be kept, an empty name first.
 */
async function observeSilent(
  target: EditedCompany,
  current: JsonObject,
  { outcome, unlawful }: { readonly outcome: Outcome; readonly unlawful: readonly Reply[] },
): Promise<void> {
  const { companies, id, context } = target;
  const { make, observe } = context;
  const empty = await companies.editExactly(id, {});
  const [first] = unlawful;
  const answers = `an empty name: ${first ? answerOf(first) : 'not sent'}; an empty body: ${answerOf(empty)}`;
  observe('companies-edit-invalid', answers, ...unlawful, empty);
  const write = (change: JsonObject) =>
    outcome !== 'refused'
      ? companies.edit(id, { ...current, ...change })
      : companies.create({ name: make.name('company'), company_type: 'lender', ...change });
  const website = await write({ website: 'no address at all' });
  observe('companies-website-invalid', answerOf(website), website);
  const blank = await write({ name: '   ' });
  observe('companies-name-blank', answerOf(blank), blank);
  // It stays so: what comes later meets a company of an organization.
  const org_id = await knownOrganization(companies.api);
  const linked = await write({ org_id });
  const comesBack = sameMember(dataOf(linked), { org_id }, 'org_id');
  const back = comesBack ? 'and comes back' : 'and does not come back';
  observe('companies-org-id', wasAccepted(linked) ? `accepted ${back}` : answerOf(linked), linked);
  if (outcome === 'done' && wasAccepted(linked) && comesBack) await judgeList(target);
}

/** So many members are edited singly; a thorough run edits each. */
const singly = { quick: 0, standard: 2, thorough: companyTexts.length } as const;

/** Full records in which nothing but one member is new. */
async function judgeSmallEdits(target: EditedCompany, last: JsonObject): Promise<void> {
  const { make, random, effort } = target.context;
  const others = fullRecord(make.name('edited company'), 'second');
  let current = last;
  for (const name of random.shuffled(companyTexts).slice(0, singly[effort])) {
    current = { ...current, [name]: others[name] };
    if ((await judgeEdit(target, current)) !== 'done') return;
  }
}

const otherType = ({ company_type: type }: JsonObject): string => (type === 'lender' ? 'sponsor' : 'lender');

/** Edits the full company there and back again, its type included, beside others; resolves to whether an edit was refused as such. */
async function judgeFullEdits(target: EditedCompany, last: JsonObject): Promise<Outcome> {
  const { companies, id, neighbours, context } = target;
  const { make, random, check, notOffered } = context;
  const tricky = trickyRecord(make.name('edited company'), random);
  // It may be the other type that is refused, or how long a text is.
  const tries: readonly JsonObject[] = [
    { ...tricky, company_type: otherType(last) },
    { ...tricky, company_type: last.company_type },
    { ...fullRecord(make.name('edited company'), 'second'), company_type: last.company_type },
  ];
  let outcome: Outcome = 'refused';
  for (const one of tries) if (outcome === 'refused') outcome = await judgeEdit(target, one);
  if (outcome === 'refused') {
    notOffered('companies-edit-unknown', 'an edit with a full record is refused');
    return outcome;
  }
  const back = await judgeEdit(target, last);
  const held = outcome === 'done' && back === 'done';
  if (held && context.effort !== 'quick') await judgeSmallEdits(target, last);
  if (held) await judgeList(target);
  await check('companies-edit-unknown', () => {
    if (!held) throw new NotTested('the edit of a company that exists did not hold');
    return expectUnknown(unknownIds(random, [id, ...neighbours]), (company_id) => companies.edit(company_id, last));
  });
  return held ? 'done' : 'lost';
}

/** An equal of the company, where names need not differ. */
async function equalOf(companies: Companies, { id, sent }: Created): Promise<readonly number[]> {
  const reply = await companies.createExactly(sent);
  const other = wasAccepted(reply) ? identifierOf('company', dataOf(reply)) : id;
  return typeof other === 'number' && other !== id ? [other] : [];
}

export async function judgeEdits(
  context: EditContext,
  [full, sparse]: readonly [Created, Created],
  neighbours: readonly number[],
): Promise<void> {
  const { make, random, effort } = context;
  const companies = companiesOf(context);
  const equal = effort === 'quick' ? [] : await equalOf(companies, full);
  const target: EditedCompany = { companies, id: full.id, neighbours: [sparse.id, ...equal, ...neighbours], context };
  const last = {
    ...fullRecord(make.name('edited company'), 'first'),
    company_type: full.sent.company_type,
    // Many classes of text in one, and in another a text that is taken for something else.
    address: usualText(random, usualTextsMax, Math.max(addressMax, String(full.sent.address ?? '').length)),
    city: random.pick(['0', '12.50', 'null', 'true', '=1+1', 'x', 'ALL CAPITALS', 'lower case only']),
  };
  const outcome = await judgeFullEdits(target, last);
  if (effort !== 'quick') await observePartial(target);
  const unlawful = await judgeBounds(target, outcome !== 'lost');
  if (effort !== 'quick') await observeSilent(target, last, { outcome, unlawful });
  const all = outcome === 'lost' ? target : { ...target, neighbours: [full.id, ...target.neighbours] };
  const left = await snapshot(all);
  // What is not edited any more is as it was to the end of the run.
  context.atEnd(() => judgeOthers(all, left));
}
