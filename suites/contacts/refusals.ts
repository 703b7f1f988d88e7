// Contacts that must be refused, each for one reason.
import {
  type Api,
  at,
  type Company,
  type Context,
  conforms,
  dataOf,
  expectRefused,
  expectStatus,
  expectThat,
  identifierOf,
  lagMsMax,
  type Random,
  type Reply,
  traverse,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { refusedContacts } from '../shared/invalid-bodies.ts';
import {
  defects,
  expectNothingLeft,
  expectTriedRefused,
  rounds,
  type Tried,
  tryDefects,
  tryTypes,
} from '../shared/refusals.ts';
import { findMarked } from '../shared/search.ts';
import { unknownIds } from '../shared/unknown.ts';
import { type Contacts, contactsOf, triedBy } from './contact.ts';

/** One of them a run. */
const wrongTypes = [
  { contact_type: ['lender_contact'] },
  { contact_type: {} },
  { contact_type: false },
  { company_id: {} },
  { company_id: [] },
  { company_id: '' },
  { company_id: 'Covenant' },
  { company_id: 1.5 },
] as const;

/** Nearly lawful: refused, or read as the type that is meant, and never kept as they are. */
const nearTypes = ['Sponsor', 'SPONSOR', 'lender_contact ', ' sponsor', 'Lender_Contact', 'lender-contact'] as const;

/** At a sponsor nothing takes the place of the type either. */
const moreRows = (random: Random, sponsor: number) =>
  defects(
    { id: 'contacts-required-wrong-type', change: random.pick(wrongTypes) },
    {
      id: 'contacts-create-missing-type',
      change: { contact_type: undefined, company_id: sponsor },
      statuses: [422],
    },
  );

export const inputIds = [
  'contacts-create-missing-type',
  'contacts-create-missing-company',
  'contacts-type-unknown',
  'contacts-required-wrong-type',
  'contacts-create-unknown-company',
] as const;
type InputContext = Context<(typeof inputIds)[number], never>;

export interface TriedInput {
  /** What may have been left behind. */
  readonly tried: readonly Pick<Tried, 'mark' | 'reply'>[];
  /** To be called once a valid contact was accepted. */
  judge(): Promise<void>;
}

function expectNear(reply: Reply): void {
  if (!wasAccepted(reply)) {
    expectRefused(reply);
    return;
  }
  const type = at(dataOf(reply), 'contact_type');
  expectThat(type === 'lender_contact' || type === 'sponsor', 'no contact should have an unknown type', {
    expected: 'a refusal, or lender_contact or sponsor',
    actual: type ?? 'absent',
    replies: reply,
  });
}

/** Tries each defect, and a company that does not exist. */
export async function tryInput(
  context: InputContext,
  contacts: Contacts,
  { company, sponsor }: { readonly company: number; readonly sponsor: number },
): Promise<TriedInput> {
  const { check, observe, random, make, effort } = context;
  const all = effort === 'quick' ? refusedContacts : [...refusedContacts, ...moreRows(random, sponsor)];
  const tried = await tryDefects(random.shuffled(rounds(all, context)), triedBy([contacts]), context);
  const mark = make.name('nearly right');
  const sendNear = () => contacts.send({ ...contacts.body(mark), contact_type: random.pick(nearTypes) });
  const near = effort === 'quick' ? undefined : await sendNear();
  const [company_id] = unknownIds(random, [company, sponsor]);
  const atNone = () => contacts.send({ ...contacts.body(make.name('contact')), company_id });
  const nowhere = effort === 'quick' ? undefined : await atNone();
  return {
    tried: [...tried, ...(near ? [{ mark, reply: near }] : [])],
    judge: async () => {
      for (const one of tried) await check(one.defect.id, () => expectTriedRefused(one));
      if (near) await check('contacts-type-unknown', () => expectNear(near));
      if (nowhere) observe('contacts-create-unknown-company', answerOf(nowhere), nowhere);
    },
  };
}

/** Pages may be short and empty. */
const pagesMax = 10;
const numberOf = (one: unknown): number | undefined => {
  const id = identifierOf('company', one);
  return typeof id === 'number' ? id : undefined;
};
const enough = (items: readonly unknown[]): boolean => items.some((one) => numberOf(one) !== undefined);

/** What the restricted user sees, which need not be the company of the run: what it does not see may be refused as unknown. */
async function seenBy(api: Api, company: Company): Promise<number> {
  const read = await api.send('GET /companies/{company_id}', { path: { company_id: company.id } });
  if (wasAccepted(read)) return company.id;
  const { items } = await traverse(api, { operation: 'GET /companies', mode: 'cursor', pagesMax, enough });
  return items.map(numberOf).find((id) => id !== undefined) ?? company.id;
}

export const rights = conforms(
  ['contacts-create-forbidden', 'contacts-create-refused-effect'],
  { needs: ['restricted', 'company', 'contact'], writes: 2 },
  async ({ check, restricted, company, contact, effort, atEnd, ...tools }) => {
    const { clock } = tools;
    const { body, send, sendExactly } = contactsOf(tools, restricted, await seenBy(tools.api.as(restricted), company));
    const tried = await tryTypes(['lender_contact', 'sponsor'], { ...tools, effort }, [
      (mark, contact_type) => sendExactly({ ...body(mark), contact_type }),
      (mark, contact_type) => send({ ...body(mark), contact_type, is_primary: true }),
    ]);
    for (const { reply } of tried) await check('contacts-create-forbidden', () => expectStatus(reply, 403));
    atEnd(async () => {
      const last = tried.at(-1)?.reply.receivedAt ?? clock.now();
      await clock.sleep(Math.max(0, last + lagMsMax + 1 - clock.now()));
      const name = String(contact.sent.last_name);
      const search = await attempt(findMarked(tools, 'GET /contacts', name, 'a contact of this run'));
      await check('contacts-create-refused-effect', () =>
        expectNothingLeft(search.value(), tried, 'a contact that was refused'),
      );
    });
  },
);
