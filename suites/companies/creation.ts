// What a new company is: in the reply to its creation, read by id, and in the list.
import {
  conforms,
  dataOf,
  expectEqual,
  expectRight,
  expectSuccess,
  identifierOf,
  isObject,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { attempt } from '../shared/attempt.ts';
import { expectFields, furtherFields } from '../shared/fields.ts';
import { expectApart, integerId } from '../shared/identifiers.ts';
import { expectOne, find } from '../shared/search.ts';
import { fullRecord, inputs, texts } from './record.ts';

function expectSame(read: Reply, created: Reply): void {
  expectSuccess(read);
  expectFields(dataOf(read), dataOf(created), inputs, 'the company read by id', [created, read]);
  expectEqual(identifierOf('company', dataOf(read)), integerId('company', created), 'the identifier', [created, read]);
}

const records = conforms(
  [
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
  ],
  { writes: true },
  async ({ api, clock, random, make, check, observe }) => {
    const create = (body: unknown) => api.send('POST /companies', { body, key: random.uuid() });
    const read = (id: number) => api.send('GET /companies/{company_id}', { path: { company_id: id } });
    const sparse = { name: make.name('company'), company_type: 'sponsor' };
    const mark = make.name('company');
    const full = fullRecord(mark, 'first');
    const fromSparse = await create(sparse);
    const fromFull = await create(full);
    expectRight('company', fromSparse, fromFull);
    await check('companies-create-required-only', () => expectSuccess(fromSparse));
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
    await check('companies-create-fields', () => expectGiven(texts));
    await check('companies-create-id', async () => {
      expectApart('company', fromFull, fromSparse);
      expectSuccess(await read(integerId('company', fromFull)));
    });
    const [id, sparseId] = [integerId('company', fromFull), integerId('company', fromSparse)];
    const readFull = await read(id);
    const readSparse = await read(sparseId);
    const same = await attempt((async () => expectSame(readFull, fromFull))());
    await check('companies-read-record', () => {
      same.judged();
      expectSame(readSparse, fromSparse);
    });
    const record = dataOf(fromFull);
    if (isObject(record)) observe('companies-record-fields', furtherFields(record, inputs, 'company'), fromFull);

    const isIt = (item: unknown) => identifierOf('company', item) === id;
    const look = () => find({ api, clock }, 'GET /companies', isIt, `company ${id}`);
    const search = await attempt(look());
    await check('companies-list-contains', () => void search.judged());
    await check('companies-create-once', () => void expectOne(search.value(), mark, 'the new company'));
    await check('companies-list-record', () => {
      same.value();
      const { records: listed, replies } = search.value();
      expectFields(listed.find(isIt), dataOf(readFull), inputs, 'the company in the list', [readFull, ...replies]);
    });
  },
);

const lengths = conforms(
  'companies-name-lengths',
  { needs: ['spare'], writes: true },
  async ({ api, spare, random, make, effort, check }) => {
    const whole = (filling: string) => {
      const start = `${make.name('company')} `;
      return start + filling.repeat(255 - start.length);
    };
    // Of 255 characters first: also a quick run meets characters of several bytes, and the shortest name.
    const names = [whole('資'), 'Q', ...(effort === 'quick' ? [] : [whole('x'), 'Ü'])];
    const replies: Reply[] = [];
    for (const name of names) {
      const body = { name, company_type: 'lender' };
      replies.push(await api.as(spare).send('POST /companies', { body, key: random.uuid() }));
    }
    expectRight('company', ...replies);
    for (const [index, created] of replies.entries())
      await check('companies-name-lengths', async () => {
        const name = names[index];
        expectSuccess(created);
        // Under whatever identifier: that it is an integer is judged elsewhere.
        const id = identifierOf('company', dataOf(created));
        if (id === undefined) throw new NotTested('the new company has no identifier to read it by');
        const read = await api.as(spare).send('GET /companies/{company_id}', { path: { company_id: id } });
        for (const reply of [created, read]) expectFields(dataOf(reply), { name }, ['name'], 'the company', reply);
      });
  },
);

export const creation = [records, lengths];
