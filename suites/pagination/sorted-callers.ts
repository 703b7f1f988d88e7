// Sorted lists by other callers, with fields, from the beginning and further on: the same rules, whoever asks and for what.
import { type Context, expectStatus, isByOffset, type Random } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { collections } from '../shared/groups.ts';
import { ask, type List, nextCursorOf } from './lists.ts';

type SortedContext = Pick<Context<'pagination-cursor-with-sort', never>, 'check' | 'random'>;

/** Whoever asks beside the account that sorts were tried on. */
type Caller = Pick<List, 'api' | 'account'>;

const chosen = {
  'GET /companies': ['name', 'company_type', 'website', 'address', 'city', 'state'],
  'GET /contacts': ['contact_type', 'company_id', 'first_name', 'last_name', 'email', 'title'],
} as const;
type Sortable = keyof typeof chosen;

const fieldsOf = (operation: Sortable, random: Random): string =>
  random.shuffled<string>(chosen[operation]).slice(0, random.int(1, 4)).join(',');

/** Pages that the rules hold against all others, and a cursor beside the sort, bare and with fields. */
async function judgeOne(
  list: List & { readonly operation: Sortable },
  sorts: readonly string[],
  context: SortedContext,
) {
  const { check, random } = context;
  const { operation } = list;
  const [sort = '', turned = sort] = sorts;
  const beside = random.shuffled([{ limit: 1 }, { limit: 1, fields: fieldsOf(operation, random) }]);
  const first = await ask(list, beside[0]);
  if (!wasAccepted(first)) return;
  await ask(list, { sort: random.pick([sort, turned]), fields: fieldsOf(operation, random), limit: 5, offset: 0 });
  await ask(list, { sort: turned, fields: fieldsOf(operation, random), limit: random.int(2, 200) });
  await ask(list, { sort, limit: 2, offset: random.int(1, 4) });
  await ask(list, { sort: turned, offset: 0 });
  const cursor = nextCursorOf(first);
  if (cursor === undefined) return;
  await ask(list, { ...beside[0], cursor });
  for (const query of beside) {
    const both = await ask(list, { ...query, cursor, sort });
    await check('pagination-cursor-with-sort', () => expectStatus(both, 400), operation);
  }
}

/** Those of two sorts that lead to offsets; whether there are any is judged elsewhere. */
async function sortsOf(list: List): Promise<readonly string[]> {
  const sorts: string[] = [];
  for (const sort of ['created_at', '-created_at']) {
    const reply = await ask(list, { sort, limit: 2 }, { undocumented: true });
    if (wasAccepted(reply) && isByOffset(reply)) sorts.push(sort);
  }
  return sorts;
}

/** Each list by each caller, the first of whom may ask for any. */
export async function judgeSortedCallers(
  callers: readonly [Caller, ...Caller[]],
  context: SortedContext,
): Promise<void> {
  for (const operation of collections) {
    const sorts = await sortsOf({ operation, ...callers[0] });
    if (sorts.length === 0) continue;
    for (const caller of callers) await judgeOne({ operation, ...caller }, context.random.shuffled(sorts), context);
  }
}
