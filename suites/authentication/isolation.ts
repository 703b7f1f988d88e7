// What a token of one account may never reach in another: companies and notes by identifier, to read and to write.
import {
  type Api,
  type Call,
  type Company,
  type Context,
  conforms,
  dataOf,
  eventually,
  expectSuccess,
  expectThat,
  itemsOf,
  type Note,
  NotTested,
  type OperationId,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { expectFields } from '../shared/fields.ts';
import { expectClientError } from '../shared/refusals.ts';
import { carries } from '../shared/search.ts';
import { apartFrom } from './apart.ts';

const ids = ['authentication-foreign-read', 'authentication-foreign-write', 'authentication-foreign-status'] as const;
type IsolationContext = Pick<Context<(typeof ids)[number], never>, 'check' | 'observe' | 'make' | 'clock' | 'atEnd'>;
type ForeignWrite = readonly [operation: OperationId, call: Call];

/** Whose records, and what they are called. */
interface TargetRecords {
  readonly owner: Api;
  readonly company: Company;
  readonly note: Note;
}

const shownIn = (reply: Reply, { company, note }: TargetRecords): readonly string[] =>
  [String(company.sent.name), note.text].filter((text) => reply.text.includes(text));

/** Each account may number its companies itself: to what the outsider has of its own under that number nobody writes. */
function expectNoNamesake(reply: Reply, target: TargetRecords): void {
  if (wasAccepted(reply) && shownIn(reply, target).length === 0)
    throw new NotTested(`the other account has a company of its own under the number ${target.company.id}`, reply);
}

function expectHidden(reply: Reply, target: TargetRecords): void {
  expectClientError(reply, 'a record of another account');
  const shown = shownIn(reply, target);
  expectThat(shown.length === 0, 'a refusal should show nothing of the record', {
    expected: 'no text of the record of another account',
    actual: shown,
    replies: reply,
  });
}

/** As soon as the list shows the note. */
async function shown(target: TargetRecords, { clock }: Pick<Tools, 'clock'>): Promise<TargetRecords> {
  await eventually(clock, () => expectNotes(target, ''));
  return target;
}

/** Its own records, because what a leak lets happen to them must not disturb other cases. */
async function targetOf(owner: Api, tools: Pick<Tools, 'make' | 'clock'>): Promise<TargetRecords> {
  const company = await tools.make.company(owner);
  return shown({ owner, company, note: await tools.make.note(owner, company.id) }, tools);
}

async function expectNotes({ owner, company, note }: TargetRecords, mark: string): Promise<void> {
  const notes = await owner.send('GET /companies/{company_id}/notes', { path: { company_id: company.id } });
  const texts = itemsOf(notes).map(({ text }) => text);
  expectThat(texts.includes(note.text) && !texts.includes(mark), 'the notes should be as before', {
    expected: `"${note.text}"${mark === '' ? '' : ` and not "${mark}"`}`,
    actual: texts,
    replies: notes,
  });
}

async function tryReads(outsider: Api, target: TargetRecords, { check }: IsolationContext): Promise<readonly Reply[]> {
  const path = { company_id: target.company.id };
  const replies: Reply[] = [];
  for (const operation of ['GET /companies/{company_id}', 'GET /companies/{company_id}/notes'] as const) {
    expectSuccess(await target.owner.send(operation, { path }));
    const reply = await outsider.send(operation, { path });
    if (operation === 'GET /companies/{company_id}') expectNoNamesake(reply, target);
    await check('authentication-foreign-read', () => expectHidden(reply, target), operation);
    replies.push(reply);
  }
  return replies;
}

function writes({ company, note }: TargetRecords, mark: string): readonly ForeignWrite[] {
  const onCompany = { company_id: company.id };
  const onNote = { ...onCompany, note_id: note.id };
  return [
    ['PATCH /companies/{company_id}', { path: onCompany, body: { ...company.sent, name: mark } }],
    ['POST /companies/{company_id}/notes', { path: onCompany, body: { text: mark } }],
    ['PATCH /companies/{company_id}/notes/{note_id}', { path: onNote, body: { text: mark } }],
    ['DELETE /companies/{company_id}/notes/{note_id}', { path: onNote }],
    ['POST /contacts', { body: { contact_type: 'lender_contact', ...onCompany, last_name: mark } }],
  ];
}

/** Neither the owner's records changed, nor was a contact put into its account. */
async function expectAsBefore(target: TargetRecords, mark: string): Promise<void> {
  const { owner, company } = target;
  const path = { company_id: company.id };
  const read = await owner.send('GET /companies/{company_id}', { path });
  expectFields(dataOf(read), company.sent, Object.keys(company.sent), 'the company', read);
  await expectNotes(target, mark);
  const contacts = await owner.send('GET /contacts', { query: { limit: 150 } });
  expectThat(!itemsOf(contacts).some((one) => carries(one, mark)), 'no contact should have been made', {
    expected: `no contact named "${mark}"`,
    actual: 'one',
    replies: contacts,
  });
}

/** Judged when lists have had their time, and at the end because what was written may reach them late. */
async function tryWrites(
  outsider: Api,
  target: TargetRecords,
  { check, clock, make, atEnd }: IsolationContext,
): Promise<readonly Reply[]> {
  const mark = make.name('foreign');
  const replies: Reply[] = [];
  for (const [operation, call] of writes(target, mark)) {
    const reply = await outsider.send(operation, call);
    // Nothing says that the company of a contact must be one of its account: one that is made in the outsider's is its own.
    if (operation !== 'POST /contacts')
      await check(
        'authentication-foreign-write',
        () => expectClientError(reply, 'a write to another account'),
        operation,
      );
    replies.push(reply);
  }
  const judge = () =>
    check('authentication-foreign-write', () => eventually(clock, () => expectAsBefore(target, mark)));
  await judge();
  atEnd(judge);
  return replies;
}

async function tryAll(outsider: Api, target: TargetRecords, context: IsolationContext): Promise<void> {
  const replies = [...(await tryReads(outsider, target, context)), ...(await tryWrites(outsider, target, context))];
  const answers = replies.map(({ operation, status }) => `${operation}: ${status}`);
  context.observe('authentication-foreign-status', answers.join(', '), ...replies.slice(0, 5));
}

export const isolation = [
  conforms(
    ids,
    { needs: ['secondary', 'otherCompany', 'otherNote'], writes: [5, 5, 13], leaves: { companies: [0, 0, 1] } },
    async ({ secondary, otherCompany: company, otherNote: note, effort, ...context }) => {
      const { api } = context;
      await tryAll(api.as(secondary), await shown({ owner: api, company, note }, context), context);
      if (effort === 'thorough') await tryAll(api, await targetOf(api.as(secondary), context), context);
    },
  ),

  conforms(
    ids,
    { needs: ['session', 'memberships', 'secondary', 'otherCompany', 'otherNote'], writes: 5 },
    async ({ session, memberships, secondary, otherCompany: company, otherNote: note, ...context }) => {
      const { api } = context;
      const owner = await apartFrom(memberships, [api, api.as(secondary)]);
      const target = owner === api ? await shown({ owner, company, note }, context) : await targetOf(owner, context);
      await tryAll(api.as(session), target, context);
    },
  ),
];
