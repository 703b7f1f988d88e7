// Companies that must be refused, each for one reason; the longest lawful name beside them; and that nothing refused stays.
import {
  at,
  type Context,
  type Credential,
  conforms,
  dataOf,
  expectRefused,
  expectRight,
  expectStatus,
  expectSuccess,
  expectThat,
  identifierOf,
  lagMsMax,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { expectFields } from '../shared/fields.ts';
import { refusedCompanies } from '../shared/invalid-bodies.ts';
import {
  type Creation,
  expectNothingLeft,
  expectTriedRefused,
  rounds,
  tryDefects,
  tryTypes,
} from '../shared/refusals.ts';
import { findMarked } from '../shared/search.ts';
import { type Companies, companiesOf } from './company.ts';

/** Nearly lawful: refused, or read as the type that is meant, and never kept as they are. */
const nearTypes = ['Lender', 'LENDER', ' lender', 'sponsor ', 'Sponsor'] as const;
const otherTypes = ['lenders', 'sponsors', 'borrower', 'lender,sponsor', 'null'] as const;

function expectNear(reply: Reply): void {
  if (!wasAccepted(reply)) {
    expectRefused(reply);
    return;
  }
  const type = at(dataOf(reply), 'company_type');
  expectThat(type === 'lender' || type === 'sponsor', 'no company should have an unknown type', {
    expected: 'a refusal, or lender or sponsor',
    actual: type ?? 'absent',
    replies: reply,
  });
}

/** A company with the longest lawful name; where that is refused, one with a name of usual length. */
async function makeLongest(companies: Companies, start: string, filling: string): Promise<readonly [Reply, Reply]> {
  const body = { name: start + filling.repeat(255 - start.length), company_type: 'lender' };
  const longest = await companies.create(body);
  return [longest, wasAccepted(longest) ? longest : await companies.create({ ...body, name: start.trim() })];
}

export const inputIds = [
  'companies-create-missing-name',
  'companies-create-missing-type',
  'companies-name-lengths',
  'companies-name-out-of-bounds',
  'companies-type-unknown',
  'companies-required-wrong-type',
  'companies-create-refused-effect',
] as const;

/**
 * Tries each defect, also by the other credential, and the longest name last: a list that shows it shows the earlier ones
 * too. Resolves to its reply.
 */
export async function judgeInput(
  context: Context<(typeof inputIds)[number], 'spare'>,
  beside?: Credential,
): Promise<Reply> {
  const { random, make, clock, effort, check } = context;
  const companies = companiesOf(context);
  const body = (mark: string) => ({ name: mark, company_type: random.pick(['lender', 'sponsor']), address: mark });
  const way = ({ tryCreate: send }: Companies): Creation => ({ body, send });
  const others = beside ? [way(companiesOf({ ...context, spare: beside }))] : [];
  const other = { id: 'companies-type-unknown' as const, change: { company_type: random.pick(otherTypes) } };
  const all = effort === 'thorough' ? [...refusedCompanies, other] : refusedCompanies;
  const tried = await tryDefects(random.shuffled(rounds(all, context)), [way(companies), ...others], context);
  const mark = make.name('nearly right');
  const createNear = () => companies.create({ ...body(mark), company_type: random.pick(nearTypes) });
  const near = effort === 'quick' ? undefined : await createNear();
  const start = `${make.name('company')} `;
  const filling = random.pick(['資', 'Ü', 'é']);
  const [longest, control] = await makeLongest(companies, start, filling);
  expectRight('company', companies.api, control);
  await check('companies-name-lengths', async () => {
    if (!wasAccepted(control)) throw new NotTested('a company with a name of usual length is refused, too');
    expectSuccess(longest);
    // Under whatever identifier: that it is an integer is judged elsewhere.
    const id = identifierOf('company', dataOf(longest));
    if (id === undefined) throw new NotTested('the new company has no identifier to read it by');
    const wanted = { name: start + filling.repeat(255 - start.length) };
    for (const reply of [longest, await companies.read(id)])
      expectFields(dataOf(reply), wanted, ['name'], 'the company', reply);
  });
  for (const one of tried) await check(one.defect.id, () => expectTriedRefused(one));
  if (near) await check('companies-type-unknown', () => expectNear(near));
  const own = { api: companies.api, clock };
  const search = await attempt(findMarked(own, 'GET /companies', start.trim(), 'a company made last'));
  await check('companies-create-refused-effect', () => {
    expectSuccess(control);
    expectNothingLeft(
      search.value(),
      [...tried, ...(near ? [{ mark, reply: near }] : [])],
      'a company that was refused',
    );
  });
  return control;
}

export const rights = conforms(
  ['companies-create-forbidden', 'companies-create-refused-effect', 'companies-edit-restricted'],
  { needs: ['restricted', 'company'], writes: [1, 3, 3], beyondQuick: ['companies-edit-restricted'] },
  async ({ check, observe, restricted, company, effort, atEnd, ...tools }) => {
    const { api, random, clock } = tools;
    const companies = companiesOf({ api, random, spare: restricted });
    const more = { website: 'https://northfield.example.com', city: 'Northfield' };
    const tried = await tryTypes(['lender', 'sponsor'], { ...tools, effort }, [
      (name, company_type) => companies.createExactly({ name, company_type }),
      (name, company_type) => companies.create({ name, company_type, ...more }),
    ]);
    for (const { reply } of tried) await check('companies-create-forbidden', () => expectStatus(reply, 403));
    if (effort !== 'quick') {
      // The same values again: whoever may edit changes nothing.
      const edit = await api.as(restricted).send('PATCH /companies/{company_id}', {
        path: { company_id: company.id },
        body: company.sent,
        exactly: true,
      });
      observe('companies-edit-restricted', answerOf(edit), edit);
    }
    atEnd(async () => {
      const last = tried.at(-1)?.reply.receivedAt ?? clock.now();
      await clock.sleep(Math.max(0, last + lagMsMax + 1 - clock.now()));
      const name = String(company.sent.name);
      const search = await attempt(findMarked(tools, 'GET /companies', name, 'a company of this run'));
      await check('companies-create-refused-effect', () =>
        expectNothingLeft(search.value(), tried, 'a company that was refused'),
      );
    });
  },
);
