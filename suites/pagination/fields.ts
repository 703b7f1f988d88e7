// The choice of fields on companies and contacts: what is left out, what is kept, on every page.
import {
  type Context,
  conforms,
  expectThat,
  itemsOf,
  type JsonObject,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { expectFields, sameMember } from '../shared/fields.ts';
import { ask, cursorOf, identifierName, identity, type List, nextCursorOf, served } from './lists.ts';

const ids = [
  'pagination-fields-restrict',
  'pagination-fields-kept',
  'pagination-fields-later-pages',
  'pagination-fields-identifier',
  'pagination-fields-unknown',
] as const;
type FieldsContext = Context<(typeof ids)[number], never>;

/** Input fields of the records, which alone are shown by the document. */
const known = {
  'GET /companies': ['name', 'company_type', 'website', 'address', 'city', 'state', 'zip', 'linkedin_url'],
  'GET /contacts': [
    'contact_type',
    'company_id',
    'first_name',
    'last_name',
    'email',
    'title',
    'city',
    'phones',
    'is_primary',
  ],
} as const;
type Chosen = keyof typeof known;
type ChoosingList = List & { readonly operation: Chosen };

/** Members that were not asked for, the identifier aside. */
const surplus = ({ operation }: ChoosingList, record: JsonObject, fields: readonly string[]): string[] =>
  Object.keys(record).filter((name) => !fields.includes(name) && name !== identifierName(operation, record));

function expectRestricted(list: ChoosingList, reply: Reply, fields: readonly string[]): void {
  for (const record of itemsOf(reply)) {
    const more = surplus(list, record, fields);
    expectThat(more.length === 0, 'a record should have only the fields that were asked for', {
      expected: fields,
      actual: `also ${more.join(', ')}`,
      replies: reply,
    });
  }
}

/** Records that looked the same before and after have the same values in between. */
function expectKept(
  list: ChoosingList,
  [before, chosen, after]: readonly [Reply, Reply, Reply],
  fields: readonly string[],
): void {
  const of = (reply: Reply, wanted: JsonObject) =>
    itemsOf(reply).find((record) => identity(list.operation, record) === identity(list.operation, wanted));
  const quiet = itemsOf(before).filter((whole) => {
    const later = of(after, whole);
    return later !== undefined && fields.every((name) => sameMember(whole, later, name));
  });
  const known = quiet.filter((whole) => of(chosen, whole));
  expectThat(
    known.length > 0 || quiet.length === 0,
    'records with fields should keep the identifier that was asked for',
    {
      expected: 'the records of the same list without fields',
      actual: 'none of them',
      replies: [before, chosen],
    },
  );
  for (const whole of known) expectFields(of(chosen, whole), whole, fields, 'a record with fields', [before, chosen]);
}

/** How many records a choice is looked at on. */
const limit = 20;

async function judgeChoice(list: ChoosingList, fields: readonly string[], { check }: FieldsContext): Promise<void> {
  const { operation } = list;
  const before = await served(list, { limit });
  const name = identifierName(operation, itemsOf(before)[0] ?? {});
  if (name === undefined) throw new NotTested(`records of ${operation} have no identifier by which to compare them`);
  const asked = [name, ...fields];
  const chosen = await served(list, { limit, fields: asked.join(',') });
  const after = await served(list, { limit });
  await check('pagination-fields-restrict', () => expectRestricted(list, chosen, asked), operation);
  await check('pagination-fields-kept', () => expectKept(list, [before, chosen, after], fields), operation);
}

const laterPagesMax = 3;

async function judgeLaterPages(list: ChoosingList, fields: readonly string[], { check }: FieldsContext): Promise<void> {
  const query = { limit: 1, fields: fields.join(',') };
  const first = await served(list, query);
  const later: Reply[] = [];
  let cursor = nextCursorOf(first);
  while (cursor !== undefined && later.length < laterPagesMax) {
    const reply = await served(list, { ...query, cursor });
    later.push(reply);
    cursor = nextCursorOf(reply);
  }
  await check(
    'pagination-fields-later-pages',
    () => {
      if (later.length === 0) throw new NotTested(`${list.operation} has one page only`);
      if (itemsOf(first).some((record) => surplus(list, record, fields).length > 0))
        throw new NotTested('the first page is not restricted either');
      for (const reply of later) expectRestricted(list, reply, fields);
    },
    list.operation,
  );
}

async function observeOdd(list: ChoosingList, field: string, { observe }: FieldsContext): Promise<void> {
  const alone = await served(list, { limit: 1, fields: field });
  const [record = {}] = itemsOf(alone);
  observe('pagination-fields-identifier', identifierName(list.operation, record) === undefined ? 'no' : 'yes', alone);
  for (const [kind, fields] of [
    ['unknown', 'covenant_unknown'],
    ['empty', ''],
  ] as const) {
    const reply = await ask(list, { limit: 1, fields }, { undocumented: true });
    const members = Object.keys(itemsOf(reply)[0] ?? {}).filter(
      (name) => name !== identifierName(list.operation, itemsOf(reply)[0] ?? {}),
    );
    const shown = members.length === 0 ? 'no further field' : 'all fields';
    observe('pagination-fields-unknown', `${kind}: ${wasAccepted(reply) ? shown : answerOf(reply)}`, reply);
  }
}

const counts = { quick: 1, standard: 3, thorough: 6 } as const;

export const fields = conforms(ids, { needs: ['spare', 'spareCompany'], writes: true }, async (given) => {
  const { spare, spareCompany, ...context } = given;
  const api = context.api.as(spare);
  const { make, random, effort } = context;
  const more = { 'GET /companies': () => make.company(api), 'GET /contacts': () => make.contact(api, spareCompany.id) };
  for (const operation of ['GET /companies', 'GET /contacts'] as const) {
    const list: ChoosingList = { operation, api };
    await cursorOf(list, more[operation], context.clock);
    const drawn = () => {
      const shuffled = random.shuffled<string>(known[operation]);
      return shuffled.slice(0, random.int(1, shuffled.length - 1));
    };
    for (let choice = 0; choice < counts[effort]; choice += 1) await judgeChoice(list, drawn(), context);
    await judgeLaterPages(list, drawn(), context);
    await observeOdd(list, known[operation][0], context);
  }
});
