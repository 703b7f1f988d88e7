// Key validations exhausted: they are counted by themselves.
import { type Api, anonymous, conforms, NotTested, type Reply } from '../../lib/index.ts';
import { keyPrefix } from '../shared/keys.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, bursts, expectAllowed, expectEnforced, isRefused, type Send } from './burst.ts';
import { accepting, expectLeftAlone } from './reads.ts';
import { judgeWords, wordIds } from './refusals.ts';
import { besideSpent, whileSpent } from './spent.ts';

const validate = 'POST /auth/validate-api-key';
const of = (api: Api, token: string): Send => accepting(api, validate, { body: { api_key: token } });

export const validatesExhausted = conforms(
  [
    'rate-limits-validate-allowed',
    'rate-limits-validate-enforced',
    ...wordIds,
    'rate-limits-validate-apart',
    'rate-limits-validate-charged',
  ],
  { needs: ['exhaustible'], writes: true, exhausts: true },
  async ({ exhaustible, ...context }) => {
    const { clock, limits, random, check, observe } = context;
    const allowance = allowanceOf(limits, exhaustible, 'validate');
    const { token } = exhaustible;
    if (token === undefined) throw new NotTested(`${exhaustible.name} is not a key that could be validated`);
    const api = context.api.as(exhaustible);
    const unauthenticated = context.api.as(anonymous);
    const send = of(api, token);
    const [company, note] = unknownIds(random, []);
    const read = accepting(api, 'GET /me');
    const write = accepting(api, 'DELETE /companies/{company_id}/notes/{note_id}', {
      path: { company_id: company, note_id: note },
    });
    await limits.room(exhaustible, 'read', 2);
    await limits.room(exhaustible, 'write', 2);
    const controls = [await read(), await write()] as const;
    const tried = await bursts(send, allowance, { clock, quiet: () => limits.quiet([exhaustible], 'validate') });
    await check('rate-limits-validate-allowed', () => expectAllowed(tried));
    await check('rate-limits-validate-enforced', () => expectEnforced(tried));
    await judgeWords(tried.last.refused, context);

    const [readBeside, writeBeside] = await besideSpent(send, allowance, [read, write]);
    await check('rate-limits-validate-apart', () => {
      const [reads, writes] = [limits.reported(exhaustible, 'read'), limits.reported(exhaustible, 'write')];
      expectLeftAlone(readBeside, 'a read beside spent validations', controls[0], reads);
      expectLeftAlone(writeBeside, 'a write beside spent validations', controls[1], writes);
    });

    const answers = await whileSpent(send, allowance, [
      of(unauthenticated, token),
      of(unauthenticated, context.api.credential.token ?? ''),
      of(unauthenticated, `${keyPrefix}${random.uuid()}`),
    ]);
    const words = (reply: Reply | undefined) => (reply && isRefused(reply) ? 'refused' : 'served');
    const [same, other, unknown] = answers.map(words);
    observe(
      'rate-limits-validate-charged',
      `while the validations of a key are spent: the same key without credentials is ${same}, another key ${other}, an unknown key ${unknown}`,
      ...answers.filter((reply) => reply !== undefined),
    );
  },
);
