// Edits of a company, and companies that do not exist.
import {
  conforms,
  dataOf,
  eventually,
  expectEqual,
  expectSuccess,
  identifierOf,
  itemsOf,
  type JsonObject,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt, attemptRequest } from '../shared/attempt.ts';
import { expectFields, sameMember } from '../shared/fields.ts';
import { find } from '../shared/search.ts';
import { expectUnknown, unknownIds } from '../shared/unknown.ts';
import { fullRecord, given, inputs } from './record.ts';

const edits = conforms(
  [
    'companies-edit-reply',
    'companies-edit-effect',
    'companies-edit-others',
    'companies-list-record',
    'companies-edit-unknown',
    'companies-edit-partial',
    'companies-edit-invalid',
  ],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ spare, spareCompany: other, clock, random, make, effort, check, observe, ...tools }) => {
    const api = tools.api.as(spare);
    const { id } = await make.company(api, fullRecord(make.name('company'), 'first'));
    const read = (of: number) => api.send('GET /companies/{company_id}', { path: { company_id: of } });
    const change = (body: JsonObject) =>
      api.send('PATCH /companies/{company_id}', { path: { company_id: id }, body, key: random.uuid() });
    const otherBefore = await read(other.id);
    expectSuccess(otherBefore);

    const edited = fullRecord(make.name('edited company'), 'second');
    const edit = await attemptRequest(change(edited));
    await check('companies-edit-reply', () => {
      const reply = edit.judged();
      expectFields(dataOf(reply), edited, given, 'the reply to the edit', reply);
      expectEqual(identifierOf('company', dataOf(reply)), id, 'the identifier', reply);
    });
    const after = await read(id);
    const effect = await attempt(
      (async () => expectFields(dataOf(after), edited, given, 'the company after the edit', [edit.value(), after]))(),
    );
    await check('companies-edit-effect', () => effect.judged());
    const otherAfter = await read(other.id);
    await check('companies-edit-others', () => {
      const seen = [otherBefore, edit.value(), otherAfter];
      expectFields(dataOf(otherAfter), dataOf(otherBefore), inputs, 'another company after the edit', seen);
    });

    const isIt = (item: unknown) => identifierOf('company', item) === id;
    const look = () => find({ api, clock }, 'GET /companies', isIt, `company ${id}`);
    const search = await attempt(look());
    await check('companies-list-record', async () => {
      effect.value();
      search.value();
      await eventually(clock, async () => {
        const { records, replies } = await look();
        expectFields(records.find(isIt), dataOf(after), inputs, 'the company in the list', [after, ...replies]);
      });
    });

    await check('companies-edit-unknown', () => {
      edit.value();
      return expectUnknown(unknownIds(random, [id, other.id]), effort, (company_id) =>
        api.send('PATCH /companies/{company_id}', { path: { company_id }, body: edited, key: random.uuid() }),
      );
    });

    const partial = await change({ city: 'Sacramento' });
    const kept = dataOf(await read(id));
    observe('companies-edit-partial', wasAccepted(partial) ? keeping(dataOf(after), kept) : answerOf(partial), partial);
    const invalid = await change({ ...edited, name: '' });
    const empty = await change({});
    observe(
      'companies-edit-invalid',
      `an empty name: ${answerOf(invalid)}; an empty body: ${answerOf(empty)}`,
      invalid,
      empty,
    );
  },
);

/** What an edit of the city alone did to the other fields. */
function keeping(before: unknown, after: unknown): string {
  const lost = given.filter((name) => name !== 'city' && !sameMember(before, after, name));
  return lost.length === 0 ? 'the other fields are kept' : `these change too: ${lost.join(', ')}`;
}

const unknown = conforms('companies-read-unknown', {}, async ({ api, random, effort, check }) => {
  const listed = await api.send('GET /companies', { query: { limit: 100 } });
  const seen = itemsOf(listed).map((item) => Number(identifierOf('company', item)));
  const [known] = seen;
  const read = (company_id: number) => api.send('GET /companies/{company_id}', { path: { company_id } });
  if (known !== undefined) expectSuccess(await read(known));
  await check('companies-read-unknown', () =>
    expectUnknown(unknownIds(random, seen.filter(Number.isInteger)), effort, read),
  );
});

export const editing = [edits, unknown];
