// What a new company is: in the reply to its creation, read by id, and in the list.
import {
  at,
  type Context,
  companyTexts,
  dataOf,
  expectEqual,
  expectRight,
  expectSuccess,
  identifierOf,
  isObject,
  type JsonObject,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { type Attempt, attempt } from '../shared/attempt.ts';
import { fullRecord, inputs } from '../shared/company-record.ts';
import { expectFields, furtherFields } from '../shared/fields.ts';
import { expectApart, integerId } from '../shared/identifiers.ts';
import { expectOne, type Found, find } from '../shared/search.ts';
import { type Companies, companiesOf } from './company.ts';

export const creationIds = [
  'companies-create-id',
  'companies-create-name',
  'companies-create-type',
  'companies-create-fields',
  'companies-create-required-only',
  'companies-create-once',
  'companies-read-record',
  'companies-list-contains',
  'companies-list-record',
  'companies-record-fields',
  'companies-name-lengths',
] as const;
type CreationContext = Context<(typeof creationIds)[number], 'spare'>;

/** A company that was created, and what was sent for it. */
export interface Created {
  readonly id: number;
  readonly sent: JsonObject;
  readonly reply: Reply;
}

/** Read by id it is what the reply to its creation showed. */
function expectSame(read: Reply, created: Reply): Reply {
  expectSuccess(read);
  expectFields(dataOf(read), dataOf(created), inputs, 'the company read by id', [created, read]);
  expectEqual(identifierOf('company', dataOf(read)), integerId('company', created), 'the identifier', [created, read]);
  return read;
}

/** The shortest lawful names; some are taken for nothing, and an earlier run may have given any of a few. */
const shortest = ['0', 'Q', 'Ü', '資', ...'123456789abcdxyzABCDXYZéßñøжЩ'] as const;

/** A company of required fields alone, its name the shortest; where that is refused, one with a longer name. */
async function createSparse(
  companies: Companies,
  { random, make, check }: CreationContext,
): Promise<{ readonly sent: JsonObject; readonly reply: Reply }> {
  const short = { name: random.pick(shortest), company_type: 'sponsor' };
  const sent = { ...short, name: make.name('company') };
  const first = await companies.createExactly(short);
  const reply = wasAccepted(first) ? first : await companies.createExactly(sent);
  await check('companies-name-lengths', () => {
    if (!wasAccepted(reply)) throw new NotTested('a company with a name of usual length is refused, too');
    expectSuccess(first);
    if (at(dataOf(first), 'name') === undefined) throw new NotTested('the reply shows no name at all', first);
    expectFields(dataOf(first), short, ['name'], 'the new company', first);
  });
  return { sent: wasAccepted(first) ? short : sent, reply };
}

/** The list shows each of the companies once, as it is when read by id. */
async function judgeListed(
  context: CreationContext,
  companies: Companies,
  mark: string,
  made: readonly { readonly id: number; readonly read: Attempt<Reply> }[],
): Promise<void> {
  const { check, clock } = context;
  const isOne = (id: number) => (item: unknown) => identifierOf('company', item) === id;
  for (const [index, { id, read }] of made.entries()) {
    const search = await attempt<Found>(
      find({ api: companies.api, clock }, 'GET /companies', isOne(id), `company ${id}`),
    );
    await check('companies-list-contains', () => void search.judged());
    if (index === 0)
      await check('companies-create-once', () => void expectOne(search.value(), mark, 'the new company'));
    await check('companies-list-record', () => {
      const byId = read.value();
      const { records, replies } = search.value();
      expectFields(records.find(isOne(id)), dataOf(byId), inputs, 'the company in the list', [byId, ...replies]);
    });
  }
}

/** Makes a full and a sparse company and judges what they are. */
export async function judgeCreation(context: CreationContext): Promise<readonly [Created, Created]> {
  const { make, check, observe } = context;
  const companies = companiesOf(context);
  const mark = make.name('company');
  // A word that many languages take for no text is one.
  const full = { ...fullRecord(mark, 'first'), company_type: 'sponsor', address: 'null', city: 'null' };
  const fromFull = await companies.create(full);
  const { sent: sparse, reply: fromSparse } = await createSparse(companies, context);
  expectRight('company', companies.api, fromSparse, fromFull);
  await check('companies-create-required-only', () => expectSuccess(fromSparse));
  await check('companies-create-fields', () => expectSuccess(fromFull));
  expectSuccess(fromSparse);
  expectSuccess(fromFull);

  const made = [
    { sent: full, reply: fromFull },
    { sent: sparse, reply: fromSparse },
  ];
  const expectGiven = (names: readonly string[]) => {
    for (const { sent, reply } of made) expectFields(dataOf(reply), sent, names, 'the new company', reply);
  };
  await check('companies-create-name', () => expectGiven(['name']));
  await check('companies-create-type', () => expectGiven(['company_type']));
  // What a server puts where nothing was given is its own affair.
  await check('companies-create-fields', () =>
    expectFields(dataOf(fromFull), full, companyTexts, 'the new company', fromFull),
  );
  await check('companies-create-id', async () => {
    expectApart('company', fromFull, fromSparse);
    expectSuccess(await companies.read(integerId('company', fromFull)));
  });
  const [id, sparseId] = [integerId('company', fromFull), integerId('company', fromSparse)];
  const same = async (of: number, created: Reply) => expectSame(await companies.read(of), created);
  const readFull = await attempt(same(id, fromFull));
  const readSparse = await attempt(same(sparseId, fromSparse));
  for (const read of [readFull, readSparse]) await check('companies-read-record', () => void read.judged());
  const record = dataOf(fromFull);
  if (isObject(record)) observe('companies-record-fields', furtherFields(record, inputs, 'company'), fromFull);
  await judgeListed(context, companies, mark, [
    { id, read: readFull },
    { id: sparseId, read: readSparse },
  ]);
  return [
    { id, sent: full, reply: fromFull },
    { id: sparseId, sent: sparse, reply: fromSparse },
  ];
}
