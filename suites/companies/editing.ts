// Edits of a company beside others: the reply, the record, the list, and what no edit may leave.
import {
  at,
  type Context,
  dataOf,
  eventually,
  expectEqual,
  expectSuccess,
  expectThat,
  identifierOf,
  itemsOf,
  type JsonObject,
  NotTested,
  type Reply,
  usualText,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { expectFields, sameMember } from '../shared/fields.ts';
import { find } from '../shared/search.ts';
import { expectUnknown, unknownIds } from '../shared/unknown.ts';
import { type Companies, companiesOf } from './company.ts';
import type { Created } from './creation.ts';
import { fullRecord, given, hostileRecord, inputs } from './record.ts';

/** What the document does not say, each asked by an edit of its own. */
export const silentIds = [
  'companies-edit-partial',
  'companies-edit-invalid',
  'companies-name-blank',
  'companies-website-invalid',
  'companies-org-id',
] as const;
export const editIds = [
  'companies-edit-reply',
  'companies-edit-effect',
  'companies-edit-others',
  'companies-list-record',
  'companies-edit-unknown',
  'companies-edit-bounds',
  ...silentIds,
] as const;
type EditContext = Context<(typeof editIds)[number], 'spare'>;

/** Whether an edit took effect. */
type Outcome = 'done' | 'lost' | 'refused';

/** The edited company, what it should hold, and its neighbours. */
interface Bench {
  readonly companies: Companies;
  readonly id: number;
  readonly neighbours: readonly number[];
  readonly context: EditContext;
}

/** All of the usual texts, as far as they fit. */
const usualTextsMax = 100;
/** No bound is shown of an address: what is longer than one that was accepted may be refused. */
const addressMax = 100;

/** The type may be fixed at creation: which of both it is the look back judges, where any edit of the run has changed one. */
function expectEdited(record: unknown, edited: JsonObject, what: string, replies: readonly Reply[]): void {
  const hasType = ['lender', 'sponsor'].includes(String(at(record, 'company_type')));
  const names = given.filter((name) => name !== 'company_type' || !hasType);
  expectFields(record, edited, names, what, replies);
}

/** A body that is not shown may be refused as such; an edit refused and carried out is a contradiction. */
const refusals = [400, 403, 405, 409, 415, 422];

async function snapshot({ companies, neighbours }: Bench): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (const id of neighbours) replies.push(await companies.read(id));
  return replies;
}

async function judgeOthers(bench: Bench, before: readonly Reply[]): Promise<void> {
  const after = await snapshot(bench);
  await bench.context.check('companies-edit-others', () => {
    for (const [index, former] of before.entries()) {
      const later = after[index];
      if (former.status !== 200 || later === undefined) continue;
      expectFields(dataOf(later), dataOf(former), inputs, 'another company after the edit', [former, later]);
    }
  });
}

/** An edit with a full record, judged where it is accepted; returns whether it took effect. */
async function judgeEdit(bench: Bench, edited: JsonObject): Promise<Outcome> {
  const { companies, id, context } = bench;
  const { check, notOffered } = context;
  const [others, before] = [await snapshot(bench), await companies.read(id)];
  const edit = await companies.edit(id, edited);
  const after = await companies.read(id);
  await judgeOthers(bench, others);
  if (refusals.includes(edit.status)) {
    const kept = given.every((name) => sameMember(dataOf(before), dataOf(after), name));
    if (kept)
      for (const one of ['companies-edit-reply', 'companies-edit-effect'] as const)
        notOffered(one, `the edit is ${answerOf(edit)}`, edit);
    else {
      await check('companies-edit-reply', () => expectSuccess(edit));
      await check('companies-edit-effect', () => {
        throw new NotTested('the edit was refused, and carried out');
      });
    }
    return 'refused';
  }
  await check('companies-edit-reply', () => {
    expectSuccess(edit);
    expectEdited(dataOf(edit), edited, 'the reply to the edit', [edit]);
    expectEqual(identifierOf('company', dataOf(edit)), id, 'the identifier', edit);
  });
  const effect = await attempt(
    (async () => expectEdited(dataOf(after), edited, 'the company after the edit', [edit, after]))(),
  );
  await check('companies-edit-effect', () => {
    if (!wasAccepted(edit)) throw new NotTested(`the edit is ${answerOf(edit)}`);
    effect.judged();
  });
  return effect.held ? 'done' : 'lost';
}

async function judgeList({ companies, id, context }: Bench): Promise<void> {
  const { clock, check } = context;
  const isIt = (item: unknown) => identifierOf('company', item) === id;
  const look = () => find({ api: companies.api, clock }, 'GET /companies', isIt, `company ${id}`);
  const search = await attempt(look());
  const read = await companies.read(id);
  await check('companies-list-record', async () => {
    search.value();
    await eventually(clock, async () => {
      const { records, replies } = await look();
      expectFields(records.find(isIt), dataOf(read), inputs, 'the company in the list', [read, ...replies]);
    });
  });
}

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
async function judgeBounds({ companies, id, context }: Bench, firm: boolean): Promise<readonly Reply[]> {
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

async function observePartial({ companies, id, context: { observe } }: Bench): Promise<void> {
  const before = await companies.read(id);
  const partial = await companies.editExactly(id, { city: 'Sacramento' });
  const kept = dataOf(await companies.read(id));
  observe('companies-edit-partial', wasAccepted(partial) ? keeping(dataOf(before), kept) : answerOf(partial), partial);
}

/** One that a company shows, because another may be unknown. */
async function knownOrganization({ api }: Companies): Promise<number> {
  const shown = itemsOf(await api.send('GET /companies', { query: { limit: 200 } })).map((item) => item.org_id);
  return shown.find((one): one is number => Number.isInteger(one)) ?? 1;
}

/**
 * What the document does not say of a company's fields: asked by edits, because what is created stays for ever.
 * `unlawful`: the replies to edits that should not be kept, an empty name first.
 */
async function observeSilent(
  bench: Bench,
  current: JsonObject,
  { outcome, unlawful }: { readonly outcome: Outcome; readonly unlawful: readonly Reply[] },
): Promise<void> {
  const { companies, id, context } = bench;
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
  const org_id = await knownOrganization(companies);
  const linked = await write({ org_id });
  const comesBack = sameMember(dataOf(linked), { org_id }, 'org_id');
  const back = comesBack ? 'and comes back' : 'and does not come back';
  observe('companies-org-id', wasAccepted(linked) ? `accepted ${back}` : answerOf(linked), linked);
  if (outcome === 'done' && wasAccepted(linked) && comesBack) await judgeList(bench);
  const blank = await write({ name: '   ' });
  observe('companies-name-blank', answerOf(blank), blank);
}

const otherType = ({ company_type: type }: JsonObject): string => (type === 'lender' ? 'sponsor' : 'lender');

/** Edits the full company there and back again, its type included, beside others; resolves to whether an edit was refused as such. */
async function judgeFullEdits(bench: Bench, last: JsonObject): Promise<Outcome> {
  const { companies, id, neighbours, context } = bench;
  const { make, random, check, notOffered } = context;
  const hostile = hostileRecord(make.name('edited company'), random);
  // It may be the other type that is refused, or how long a text is.
  const tries: readonly JsonObject[] = [
    { ...hostile, company_type: otherType(last) },
    { ...hostile, company_type: last.company_type },
    { ...fullRecord(make.name('edited company'), 'second'), company_type: last.company_type },
  ];
  let outcome: Outcome = 'refused';
  for (const one of tries) if (outcome === 'refused') outcome = await judgeEdit(bench, one);
  if (outcome === 'refused') {
    notOffered('companies-edit-unknown', 'an edit with a full record is refused');
    return outcome;
  }
  const back = await judgeEdit(bench, last);
  const held = outcome === 'done' && back === 'done';
  if (held) await judgeList(bench);
  await check('companies-edit-unknown', () => {
    if (!held) throw new NotTested('the edit of a company that exists did not hold');
    return expectUnknown(unknownIds(random, [id, ...neighbours]), (company_id) => companies.edit(company_id, last));
  });
  return held ? 'done' : 'lost';
}

export async function judgeEdits(
  context: EditContext,
  [full, sparse]: readonly [Created, Created],
  neighbours: readonly number[],
): Promise<void> {
  const { make, random, effort } = context;
  const companies = companiesOf(context);
  const bench: Bench = { companies, id: full.id, neighbours: [sparse.id, ...neighbours], context };
  const last = {
    ...fullRecord(make.name('edited company'), 'first'),
    company_type: full.sent.company_type,
    // Many classes of text in one, and in another a text that is taken for something else.
    address: usualText(random, usualTextsMax, Math.max(addressMax, String(full.sent.address ?? '').length)),
    city: random.pick(['0', '12.50', 'null', 'true', '=1+1', 'x', 'ALL CAPITALS', 'lower case only']),
  };
  const outcome = await judgeFullEdits(bench, last);
  if (effort !== 'quick') await observePartial(bench);
  const unlawful = await judgeBounds(bench, outcome !== 'lost');
  if (effort !== 'quick') await observeSilent(bench, last, { outcome, unlawful });
  const all = outcome === 'lost' ? bench : { ...bench, neighbours: [full.id, ...bench.neighbours] };
  const left = await snapshot(all);
  // What is not edited any more is as it was to the end of the run.
  context.atEnd(() => judgeOthers(all, left));
}
