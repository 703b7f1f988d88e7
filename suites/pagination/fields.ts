// Case for `fields` on companies and contacts: with and without the identifier, at any limit, on every page.
import {
  type Context,
  conforms,
  expectSuccess,
  fieldNames,
  identifierNames,
  identifierOf,
  itemsOf,
  wasAccepted,
} from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { cursorOf } from '../shared/cursor.ts';
import { collections } from '../shared/groups.ts';
import { ask, follow, kinds, type List, pagesFor, readWhole } from './lists.ts';

type Chosen = List & { readonly operation: (typeof collections)[number] };
type Work = Context<'pagination-fields-identifier' | 'pagination-fields-unknown', never>;

export const fields = conforms(
  [
    'pagination-fields-restrict',
    'pagination-fields-kept',
    'pagination-fields-later-pages',
    'pagination-fields-identifier',
    'pagination-fields-unknown',
  ],
  { needs: ['spare', 'spareCompany'], writes: 0, reads: [23, 36, 49] },
  async ({ spare, spareCompany, ...context }) => {
    const api = context.api.as(spare);
    for (const operation of collections) {
      const list = { operation, api };
      await cursorOf(list, spareCompany, context);
      await choose(list, context);
      await observeOdd(list, context);
    }
  },
);

const turns = { quick: 2, standard: 4, thorough: 8 } as const;

async function choose(list: Chosen, { random, effort }: Work): Promise<void> {
  const { operation } = list;
  const look = async () => (await readWhole(list)) ?? (await follow(list, { limit: 200, pagesMax: 1 }));
  const before = await look();
  const count = before?.items.length ?? 0;
  const [first] = before?.items ?? [];
  const id = first && identifierOf(kinds[operation], first);
  const named = Object.keys(first ?? {}).find((name) => id !== undefined && first?.[name] === id);
  const several = pagesFor(count, random);
  const limits = random.shuffled([{}, several, { limit: Math.min(Math.max(1, count), 200) }]);
  const names = fieldNames[operation] ?? [];
  const withName = random.int(0, 1);
  for (let turn = 0; turn < turns[effort]; turn += 1) {
    const drawn = random.shuffled(names).slice(0, random.int(1, names.length - 1));
    const asked = named !== undefined && turn % 2 === withName ? [named, ...drawn] : drawn;
    // The target may refuse the identifier's name; then it is left out.
    const isAccepted = asked === drawn || wasAccepted(await ask(list, { limit: 1, fields: asked.join(',') }));
    await follow(list, {
      // The first turn reads several pages.
      ...(turn === 0 ? several : limits[turn % limits.length]),
      query: { fields: (isAccepted ? asked : drawn).join(',') },
      pagesMax: before?.complete ? 60 : 3,
    });
  }
  await look();
}

async function observeOdd(list: Chosen, { observe }: Work): Promise<void> {
  const kind = kinds[list.operation];
  const alone = await ask(list, { limit: 1, fields: fieldNames[list.operation]?.[0] });
  expectSuccess(alone);
  const [record = {}] = itemsOf(alone);
  observe('pagination-fields-identifier', identifierOf(kind, record) === undefined ? 'no' : 'yes', alone);
  for (const [name, fields] of [
    ['unknown', 'covenant_unknown'],
    ['empty', ''],
  ] as const) {
    const reply = await ask(list, { limit: 1, fields }, { undocumented: true });
    const [odd = {}] = itemsOf(reply);
    const carrying = identifierNames(kind, odd);
    const kept = Object.keys(odd).some((one) => !carrying.includes(one)) ? 'all fields' : 'no further field';
    observe('pagination-fields-unknown', `${name}: ${wasAccepted(reply) ? kept : answerOf(reply)}`, reply);
  }
}
