// What a token of one account may never reach in another: companies and notes by identifier, to read and to write.
import {
  type Api,
  type Call,
  type Company,
  type Context,
  conforms,
  type Note,
  NotTested,
  type OperationId,
  type Reply,
  wasAccepted,
} from '../../lib/index.ts';
import { apartFrom } from './apart.ts';

const ids = ['authentication-foreign-read', 'authentication-foreign-write', 'authentication-foreign-status'] as const;
type IsolationContext = Pick<Context<(typeof ids)[number], never>, 'observe' | 'make' | 'atEnd'>;
type Attempt = readonly [operation: OperationId, call: Call];

/** Whose records. */
interface TargetRecords {
  readonly owner: Api;
  readonly company: Company;
  readonly note: Note;
}

/** Its own records, because what a leak lets happen to them must not disturb other cases. */
async function targetOf(owner: Api, { make }: IsolationContext): Promise<TargetRecords> {
  const company = await make.company(owner);
  return { owner, company, note: await make.note(owner, company.id) };
}

function attemptsOn({ company, note }: TargetRecords, mark: string): readonly Attempt[] {
  const path = { company_id: company.id };
  const onNote = { ...path, note_id: note.id };
  return [
    ['GET /companies/{company_id}', { path }],
    ['GET /companies/{company_id}/notes', { path }],
    ['PATCH /companies/{company_id}', { path, body: { ...company.sent, name: mark } }],
    ['POST /companies/{company_id}/notes', { path, body: { text: mark } }],
    ['PATCH /companies/{company_id}/notes/{note_id}', { path: onNote, body: { text: mark } }],
    ['DELETE /companies/{company_id}/notes/{note_id}', { path: onNote }],
    ['POST /contacts', { body: { contact_type: 'lender_contact', ...path, last_name: mark } }],
  ];
}

/** Each account may number its companies itself: nobody writes to what the outsider has of its own under that number. */
function expectNoNamesake(reply: Reply, { company, note }: TargetRecords): void {
  const isShown = [String(company.sent.name), note.text].some((text) => reply.text.includes(text));
  if (wasAccepted(reply) && !isShown)
    throw new NotTested(`the other account has a company of its own under the number ${company.id}`, reply);
}

async function tryAll(outsider: Api, target: TargetRecords, { make, observe, atEnd }: IsolationContext): Promise<void> {
  const { owner, company } = target;
  const path = { company_id: company.id };
  const look = async () => {
    await owner.send('GET /companies/{company_id}', { path });
    await owner.send('GET /companies/{company_id}/notes', { path });
    await owner.send('GET /contacts', { query: { limit: 150 } });
  };
  await look();
  const answers: string[] = [];
  for (const [operation, call] of attemptsOn(target, make.name('foreign'))) {
    const reply = await outsider.send(operation, call);
    if (operation === 'GET /companies/{company_id}') expectNoNamesake(reply, target);
    answers.push(`${operation}: ${reply.status}`);
  }
  observe('authentication-foreign-status', answers.join(', '));
  await look();
  // What was written may reach the lists late.
  atEnd(look);
}

export const isolation = [
  conforms(
    ids,
    { needs: ['secondary', 'otherCompany', 'otherNote'], writes: [5, 5, 13], leaves: { companies: [0, 0, 1] } },
    async ({ secondary, otherCompany: company, otherNote: note, effort, ...context }) => {
      const { api } = context;
      await tryAll(api.as(secondary), { owner: api, company, note }, context);
      if (effort === 'thorough') await tryAll(api, await targetOf(api.as(secondary), context), context);
    },
  ),

  conforms(
    ids,
    { needs: ['session', 'memberships', 'secondary', 'otherCompany', 'otherNote'], writes: 5 },
    async ({ session, memberships, secondary, otherCompany: company, otherNote: note, ...context }) => {
      const { api } = context;
      const owner = await apartFrom(memberships, [api, api.as(secondary)]);
      const target = owner === api ? { owner, company, note } : await targetOf(owner, context);
      await tryAll(api.as(session), target, context);
    },
  ),
];
