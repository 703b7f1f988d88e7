// Cases that create and edit companies: invalid bodies, documented ones, and what the document leaves open.
import {
  type Context,
  type Credential,
  companyTexts,
  conforms,
  dataOf,
  expectRight,
  expectSuccess,
  identifierOf,
  ifPossible,
  isObject,
  itemsOf,
  type JsonObject,
  judgedIds,
  type Reply,
  usualText,
} from '../../lib/index.ts';
import { answerOf, failUnanswered, wasAccepted } from '../shared/answer.ts';
import { furtherFields, integerId } from '../shared/fields.ts';
import { refusedCompanies } from '../shared/invalid-bodies.ts';
import { otherAccountOf, otherAccountWants } from '../shared/other-account.ts';
import { tryTypes, twiceIfThorough } from '../shared/refusals.ts';
import { find } from '../shared/search.ts';
import { companyInputs, fullRecord, trickyRecord } from '../shared/sent-records.ts';
import { tryUnknown, unknownIds } from '../shared/unknown.ts';
import { repeatAtEnd } from '../shared/waits.ts';
import { type Companies, companiesOf, observedIds, observeEdits } from './requests.ts';

const judged = judgedIds.filter((id) => /^companies-(?!create-forbidden$|read-unknown$)/.test(id));
const ids = [...judged, 'companies-record-fields' as const, ...observedIds];
type CompanyContext = Context<(typeof ids)[number], 'spare'>;

/** More than a run creates. */
const listedMax = 20;

export const records = conforms(
  ids,
  {
    needs: ['spare'],
    wants: otherAccountWants,
    writes: [13, 30, 48],
    reads: [32, 75, 108],
    leaves: { companies: 5 },
    beyondQuick: observedIds,
  },
  async (context) => {
    const { api: primary, spare, random, effort, atEnd, clock } = context;
    const api = primary.as(spare);
    const companies = companiesOf(api, random);
    const look = (id: number) => async () => {
      const isIt = (item: unknown) => identifierOf('company', item) === id;
      await ifPossible(find({ api, clock }, 'GET /companies', isIt, `company ${id}`));
    };
    const older = await sendInvalid(context, companies, otherAccountOf(context)?.credential);
    const made = await sendValid(context, companies);
    for (const { id } of [{ id: older }, ...made]) await look(id)();
    const [{ id }, { id: sparse }] = made;
    const edited = { ...made[0], others: [sparse, older] };
    await sendEdits(context, companies, edited);
    await look(id)();
    repeatAtEnd(context, look(id));
    atEnd(async () => {
      const items = effort === 'quick' ? [] : itemsOf(await api.send('GET /companies', { query: { limit: 200 } }));
      const listed = items.map((item) => Number(identifierOf('company', item))).sort((one, other) => other - one);
      for (const one of new Set([id, sparse, older, ...listed.slice(0, listedMax)])) await companies.read(one);
    });
  },
);

/** Almost valid: refused, or read as the intended type. */
const nearTypes = ['Lender', 'LENDER', ' lender', 'sponsor ', 'Sponsor'] as const;
const otherTypes = ['lenders', 'sponsors', 'borrower', 'lender,sponsor', 'null'] as const;

/**
 * Sends each defect, also with the other credential, then the longest name: a list that shows that company shows the
 * earlier ones, too. Resolves to its identifier.
 */
async function sendInvalid(context: CompanyContext, companies: Companies, otherCaller?: Credential): Promise<number> {
  const { api, spare, random, make, effort } = context;
  const body = (words: string) => {
    const mark = make.name(words);
    return { name: mark, company_type: random.pick(['lender', 'sponsor']), address: mark };
  };
  const callers = [companies, ...(otherCaller ? [companiesOf(api.as(otherCaller), random)] : [])];
  const other = { id: 'companies-type-unknown' as const, change: { company_type: random.pick(otherTypes) } };
  const rows = random.shuffled(
    twiceIfThorough(effort === 'thorough' ? [...refusedCompanies, other] : refusedCompanies, context),
  );
  for (const [place, { id, change }] of rows.entries()) {
    const { tryCreate } = callers[place % callers.length] ?? companies;
    await failUnanswered(context, id, 'POST /companies', tryCreate({ ...body('refused'), ...change }));
  }
  if (effort !== 'quick') await companies.create({ ...body('nearly right'), company_type: random.pick(nearTypes) });
  const start = `${make.name('company')} `;
  const name = start + random.pick(['資', 'Ü', 'é']).repeat(255 - start.length);
  const longest = await companies.create({ name, company_type: 'lender' }, true);
  const made = wasAccepted(longest)
    ? longest
    : await companies.create({ name: start.trim(), company_type: 'lender' }, true);
  expectRight('company', api.as(spare), made);
  expectSuccess(made);
  const id = integerId('company', made);
  await companies.read(id);
  return id;
}

/** A created company and the body that was sent. */
interface Created {
  readonly id: number;
  readonly sent: JsonObject;
}

/** The shortest valid names; some are mistaken for a missing value. Several, as an earlier run may have used some. */
const shortest = ['0', 'Q', 'Ü', '資', ...'123456789abcdxyzABCDXYZéßñøжЩ'] as const;

/** Creates a company with all fields, and one with only the required ones. */
async function sendValid(context: CompanyContext, companies: Companies): Promise<readonly [Created, Created]> {
  const { api, spare, random, make, observe } = context;
  // "null" is an ordinary text.
  const nulls = { company_type: 'sponsor', address: 'null', city: 'null' };
  const full = { ...fullRecord(make.name('company'), 'first'), ...nulls };
  const sent = { name: random.pick(shortest), company_type: 'sponsor' };
  // At once, as a target may give both the same number.
  const [fromFull, short] = await Promise.all([companies.create(full), companies.create(sent, true)]);
  // An ideograph is hardly in use.
  const other = String.fromCodePoint(random.int(0x4e00, 0x9fa5));
  const second = wasAccepted(short) ? short : await companies.create({ ...sent, name: other }, true);
  const fromSparse = wasAccepted(second)
    ? second
    : await companies.create({ ...sent, name: make.name('company') }, true);
  expectRight('company', api.as(spare), fromSparse, fromFull);
  expectSuccess(fromSparse);
  expectSuccess(fromFull);
  const record = dataOf(fromFull);
  if (isObject(record)) observe('companies-record-fields', furtherFields(record, companyInputs, 'company'), fromFull);
  const [id, sparse] = [integerId('company', fromFull), integerId('company', fromSparse)];
  for (const one of [id, sparse]) await companies.read(one);
  return [
    { id, sent: full },
    { id: sparse, sent },
  ];
}

/** Longer addresses than an accepted one may be refused. */
const addressMax = 100;
/** The number of members edited one at a time. */
const singly = { quick: 0, standard: 2, thorough: companyTexts.length } as const;
const otherType = { lender: 'sponsor', sponsor: 'lender' } as const;
const invalidTypes: readonly [unknown, ...unknown[]] = ['broker', 'lenders', null, 1];

interface Edited extends Created {
  /** Companies that no edit names. */
  readonly others: readonly number[];
}

/** Edits a company with full records, beside an equal one, then with invalid bodies and with undocumented ones. */
async function sendEdits(context: CompanyContext, companies: Companies, made: Edited): Promise<void> {
  const { random, make, effort, notOffered } = context;
  const { id, sent } = made;
  const others = [...made.others];
  const equal = effort === 'quick' ? undefined : await companies.create(sent, true);
  if (equal && wasAccepted(equal)) others.push(Number(identifierOf('company', dataOf(equal))));
  const readAll = async () => {
    for (const one of [id, ...others]) await companies.read(one);
  };
  const edit = async (body: JsonObject): Promise<Reply> => {
    const reply = await companies.edit(id, body);
    await readAll();
    return reply;
  };
  const last: JsonObject = {
    ...fullRecord(make.name('edited company'), 'first'),
    company_type: sent.company_type,
    // One text with many character classes, and one that is mistaken for something else.
    address: usualText(random, undefined, Math.max(addressMax, String(sent.address ?? '').length)),
    city: random.pick(['0', '12.50', 'null', 'true', '=1+1', 'x', 'ALL CAPITALS', 'lower case only']),
  };
  const type = sent.company_type === 'lender' ? otherType.lender : otherType.sponsor;
  const tricky = trickyRecord(make.name('edited company'), random);
  // A target may refuse to change the type, or a long text.
  const tries: readonly JsonObject[] = [
    { ...tricky, company_type: type },
    { ...tricky, company_type: sent.company_type },
    { ...fullRecord(make.name('edited company'), 'second'), company_type: sent.company_type },
  ];
  await readAll();
  const acceptedBody = await firstAccepted(tries, edit);
  if (acceptedBody) {
    let current = last;
    const full = wasAccepted(await edit(current)) ? last : acceptedBody;
    const further = fullRecord(make.name('edited company'), 'second');
    for (const name of random.shuffled(companyTexts).slice(0, singly[effort])) {
      current = { ...current, [name]: further[name] };
      await edit(current);
    }
    await tryUnknown(unknownIds(random, [id, ...others]), (unknown) => companies.edit(unknown, full, true));
  } else
    for (const one of ['companies-edit-reply', 'companies-edit-effect', 'companies-edit-unknown'] as const)
      notOffered(one, 'an edit with a full record is refused');
  const name = random.pick(['Ü'.repeat(256), 'Ü'.repeat(256), null]);
  const unlawful: readonly JsonObject[] = [{ name: '' }, { name }, { company_type: random.pick(invalidTypes) }];
  const refused: Reply[] = [];
  for (const defect of effort === 'quick' ? [{ name: '' }, random.pick(unlawful as [JsonObject])] : unlawful) {
    // With other values for all members, none of which may be stored.
    refused.push(await companies.edit(id, { ...fullRecord(make.name('refused edit'), 'second'), ...defect }));
    await companies.read(id);
  }
  if (effort !== 'quick')
    await observeEdits(context, companies, { id, last, isAccepted: acceptedBody !== undefined, unlawful: refused });
}

async function firstAccepted(
  tries: readonly JsonObject[],
  edit: (body: JsonObject) => Promise<Reply>,
): Promise<JsonObject | undefined> {
  for (const one of tries) if (wasAccepted(await edit(one))) return one;
  return undefined;
}

/** A user who may not create companies. */
export const rights = conforms(
  ['companies-create-forbidden', 'companies-create-refused-effect', 'companies-edit-restricted'],
  {
    needs: ['restricted', 'company'],
    perhaps: ['companies-create-refused-effect'],
    ...{ writes: [1, 3, 3], beyondQuick: ['companies-edit-restricted'] },
  },
  async ({ observe, restricted, company, ...tools }) => {
    const user = tools.api.as(restricted);
    const { create } = companiesOf(user, tools.random);
    const more = { website: 'https://northfield.example.com', city: 'Northfield' };
    await tryTypes(['lender', 'sponsor'], tools, [
      (name, company_type) => create({ name, company_type }, true),
      (name, company_type) => create({ name, company_type, ...more }),
    ]);
    if (tools.effort !== 'quick') {
      // The same values: if the edit is allowed, it changes nothing.
      const call = { path: { company_id: company.id }, body: company.sent, exactly: true } as const;
      const edit = await user.send('PATCH /companies/{company_id}', call);
      observe('companies-edit-restricted', answerOf(edit), edit);
    }
    const isIt = (item: JsonObject) => identifierOf('company', item) === company.id;
    repeatAtEnd(tools, () => ifPossible(find(tools, 'GET /companies', isIt, 'a company of this run')));
  },
);

/** Companies that do not exist, and one that does. */
export const absence = conforms('companies-read-unknown', {}, async ({ api, random, effort }) => {
  const { read } = companiesOf(api, random);
  const listed = itemsOf(await api.send('GET /companies', { query: { limit: 100 } }));
  const seen = listed.map((item) => Number(identifierOf('company', item))).filter(Number.isInteger);
  for (const known of seen.slice(0, 1)) await read(known);
  const unknown = unknownIds(random, seen);
  await tryUnknown(unknown, read);
  for (const id of effort === 'quick' ? [unknown[3]] : unknown.slice(3)) await read(id);
});
