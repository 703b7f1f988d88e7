// The reads of an account exhausted: what is refused then, and what is not.
import {
  type Api,
  type Call,
  type Credential,
  conforms,
  expectThat,
  NotTested,
  type OperationId,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { allowanceOf, bursts, expectAllowed, expectEnforced, isRefused } from './burst.ts';
import {
  algorithmAnswer,
  countedAnswer,
  headersAnswer,
  judgeRecovery,
  judgeWords,
  retryAfterAnswer,
  wordIds,
} from './refusals.ts';
import { besideSpent, whileSpent } from './spent.ts';

const reads = [
  'GET /me',
  'GET /me/accounts',
  'GET /me/team-accounts',
  'GET /account/team',
  'GET /api-keys',
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /companies',
  'GET /companies/{company_id}',
  'GET /companies/{company_id}/notes',
  'GET /contacts',
] as const satisfies readonly OperationId[];

/** Of another account than the one that is exhausted; undefined where there is none. */
export const otherThan = (exhausted: Credential, others: readonly Credential[]): Credential | undefined =>
  others.find(({ accounts }) => !accounts.some((account) => exhausted.accounts.includes(account)));

/** Served, also where it names a record that is not there; any other answer may have its own reasons. */
const isServed = (reply: Reply): boolean => wasAccepted(reply) || reply.status === 404;
/** The answers that show whether a request was refused for the limit. */
export const decisive = (answers: readonly (Reply | undefined)[]): Reply[] =>
  answers.filter((reply) => reply !== undefined).filter((reply) => isServed(reply) || isRefused(reply));

export function expectRefusedWhileSpent(reply: Reply): void {
  expectThat(isRefused(reply), 'a request of a spent class should be refused', {
    expected: 429,
    actual: `${reply.status} in each of several rounds`,
    replies: reply,
  });
}

/** `control`: the same request before the class was spent. */
export function expectLeftAlone(reply: Reply | undefined, what: string, control?: Reply): void {
  if (!reply) throw new NotTested(`there is no ${what} to try`);
  if (control && isRefused(control))
    throw new NotTested(`${what} was refused already before the other class was spent`);
  expectThat(!isRefused(reply), `${what} should be served`, {
    expected: 'any status but 429',
    actual: 429,
    replies: reply,
  });
}

export const accepting =
  (api: Api, operation: OperationId, call: Call = {}) =>
  (): Promise<Reply> =>
    api.send(operation, { ...call, throttle: 'accept' });

export const readsExhausted = conforms(
  [
    'rate-limits-read-allowed',
    'rate-limits-read-enforced',
    ...wordIds,
    'rate-limits-refused-recovery',
    'rate-limits-read-write-apart',
    'rate-limits-accounts-apart',
    'rate-limits-every-operation',
    'rate-limits-refused-retry-after',
    'rate-limits-headers',
    'rate-limits-algorithm',
    'rate-limits-refused-counted',
    'rate-limits-health',
  ],
  {
    needs: ['exhaustible', 'exhaustibleCompany', 'exhaustibleNote', 'spare'],
    writes: true,
    exhausts: true,
  },
  async ({ exhaustible, exhaustibleCompany, exhaustibleNote, spare, ...context }) => {
    const { clock, limits, make, check, observe } = context;
    const allowance = allowanceOf(limits, exhaustible, 'read');
    const api = context.api.as(exhaustible);
    const path = { company_id: exhaustibleCompany.id };
    const read = accepting(api, 'GET /me');
    const tried = await bursts(read, allowance, { clock, quiet: () => limits.quiet([exhaustible], 'read') });
    await check('rate-limits-read-allowed', () => expectAllowed(tried));
    await check('rate-limits-read-enforced', () => expectEnforced(tried));

    const other = otherThan(exhaustible, [context.api.credential, spare]);
    await limits.room(exhaustible, 'write', 1);
    if (other) await limits.room(other, 'read', 1);
    const edit = accepting(api, 'PATCH /companies/{company_id}/notes/{note_id}', {
      path: { ...path, note_id: exhaustibleNote.id },
      body: { text: make.name('edit while reads are spent') },
    });
    const [health, edited, foreign] = await besideSpent(read, allowance, [
      accepting(api, 'GET /health'),
      edit,
      ...(other ? [accepting(api.as(other), 'GET /me')] : []),
    ]);
    await check('rate-limits-read-write-apart', () => expectLeftAlone(edited, 'a write beside spent reads'));
    await check('rate-limits-accounts-apart', () => expectLeftAlone(foreign, 'key of another account'));
    if (health) observe('rate-limits-health', isRefused(health) ? answerOf(health) : 'served', health);

    const looked = await whileSpent(
      read,
      allowance,
      reads.map((operation) => accepting(api, operation, operation.includes('{') ? { path } : {})),
    );
    const answers = decisive(looked);
    for (const answer of answers) {
      await check('rate-limits-every-operation', () => expectRefusedWhileSpent(answer), answer.operation);
    }
    await judgeWords([...tried.last.refused, ...answers], context);
    const last = await judgeRecovery(read, allowance, context);
    observe('rate-limits-refused-retry-after', retryAfterAnswer(last), last);
    observe('rate-limits-headers', headersAnswer(tried.last), last);
    observe('rate-limits-algorithm', algorithmAnswer(tried.last, allowance), last);
    observe('rate-limits-refused-counted', countedAnswer(tried.last, last), last);
  },
);
