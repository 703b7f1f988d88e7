// Sorted lists by other callers, with fields, from the beginning and further on: the same rules, whoever asks and for what.
import { type Context, expectStatus, type Random } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { ask, type List, nextCursorOf } from './lists.ts';

type SortedContext = Pick<Context<'pagination-cursor-with-sort', never>, 'check' | 'random'>;

/** Whoever asks beside the account that sorts were tried on. */
export type Caller = Pick<List, 'api' | 'account'>;

const chosen = {
  'GET /companies': ['name', 'company_type', 'website', 'address', 'city', 'state'],
  'GET /contacts': ['contact_type', 'company_id', 'first_name', 'last_name', 'email', 'title'],
} as const;
export type Sortable = keyof typeof chosen;

const fieldsOf = (operation: Sortable, random: Random): string =>
  random.shuffled<string>(chosen[operation]).slice(0, random.int(1, 4)).join(',');

/** Pages that the look back holds against all others, and a cursor beside the sort, bare and with fields. */
async function judgeOne(
  list: List & { readonly operation: Sortable },
  sorts: readonly string[],
  context: SortedContext,
) {
  const { check, random } = context;
  const { operation } = list;
  const [sort = '', turned = sort] = sorts;
  const first = await ask(list, { limit: 1 });
  if (!wasAccepted(first)) return;
  await ask(list, { sort: random.pick([sort, turned]), fields: fieldsOf(operation, random), limit: 5, offset: 0 });
  await ask(list, { sort: turned, fields: fieldsOf(operation, random), limit: random.int(2, 200) });
  await ask(list, { sort, limit: 2, offset: random.int(1, 4) });
  await ask(list, { sort: turned, offset: 0 });
  const cursor = nextCursorOf(first);
  if (cursor === undefined) return;
  await ask(list, { limit: 1, cursor, fields: fieldsOf(operation, random) });
  for (const beside of [{ limit: 1 }, { fields: fieldsOf(operation, random) }]) {
    const both = await ask(list, { cursor, sort, ...beside });
    await check('pagination-cursor-with-sort', () => expectStatus(both, 400), operation);
  }
}

/** With the sorts that the list was seen to serve. */
export async function judgeSortedCallers(
  operation: Sortable,
  sorts: readonly string[],
  callers: readonly Caller[],
  context: SortedContext,
): Promise<void> {
  if (sorts.length === 0) return;
  for (const caller of callers) await judgeOne({ operation, ...caller }, sorts, context);
}
