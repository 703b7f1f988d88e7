// One edit of a company, judged where it is accepted: the reply, the record, the list, and those that stand beside it.
import {
  at,
  type Context,
  dataOf,
  eventually,
  expectEqual,
  expectSuccess,
  identifierOf,
  type JsonObject,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { given, inputs } from '../shared/company-record.ts';
import { expectFields, sameMember } from '../shared/fields.ts';
import { find } from '../shared/search.ts';
import type { Companies } from './company.ts';

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
export type EditContext = Context<(typeof editIds)[number], 'spare'>;

/** Whether an edit took effect. */
export type Outcome = 'done' | 'lost' | 'refused';

/** The edited company, what it should hold, and its neighbours. */
export interface EditedCompany {
  readonly companies: Companies;
  readonly id: number;
  readonly neighbours: readonly number[];
  readonly context: EditContext;
}

/** The type may be fixed at creation: which of both it is the rules judge, where any edit of the run has changed one. */
function expectEdited(record: unknown, edited: JsonObject, what: string, replies: readonly Reply[]): void {
  const hasType = ['lender', 'sponsor'].includes(String(at(record, 'company_type')));
  const names = given.filter((name) => name !== 'company_type' || !hasType);
  expectFields(record, edited, names, what, replies);
}

/** A body that is not shown may be refused as such; an edit refused and carried out is a contradiction. */
const refusals = [400, 403, 405, 409, 415, 422];

export async function snapshot({ companies, neighbours }: EditedCompany): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (const id of neighbours) replies.push(await companies.read(id));
  return replies;
}

export async function judgeOthers(target: EditedCompany, before: readonly Reply[]): Promise<void> {
  const after = await snapshot(target);
  await target.context.check('companies-edit-others', () => {
    for (const [index, former] of before.entries()) {
      const later = after[index];
      if (former.status !== 200 || later === undefined) continue;
      expectFields(dataOf(later), dataOf(former), inputs, 'another company after the edit', [former, later]);
    }
  });
}

/** An edit with a full record, judged where it is accepted; returns whether it took effect. */
export async function judgeEdit(target: EditedCompany, edited: JsonObject): Promise<Outcome> {
  const { companies, id, context } = target;
  const { check, notOffered } = context;
  const [others, before] = [await snapshot(target), await companies.read(id)];
  const edit = await companies.edit(id, edited);
  const after = await companies.read(id);
  await judgeOthers(target, others);
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

export async function judgeList({ companies, id, context }: EditedCompany): Promise<void> {
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
