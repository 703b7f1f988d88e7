// Exceeds the limit of key validations, which are counted separately.
import {
  type Api,
  anonymous,
  type Context,
  conforms,
  deleteNote,
  type Fixtures,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { keyPrefix } from '../shared/keys.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, bursts, ensureShown, isRefused, type Send } from './burst.ts';
import { accepting, controlOf, readLooks, sameReads } from './reads.ts';
import { wordIds } from './refusal-rules.ts';
import { judgeDoubtful } from './refusals.ts';
import { besideSpentAgain, whileSpent } from './spent.ts';

const validate = 'POST /auth/validate-api-key';
const of = (api: Api, token: string): Send => accepting(api, validate, { body: { api_key: token } });

const ids = [
  'rate-limits-validate-allowed',
  'rate-limits-validate-enforced',
  ...wordIds,
  'rate-limits-validate-apart',
  'rate-limits-validate-charged',
] as const;
const wants = ['exhaustibleTargets', 'exhaustibleCompany', 'sibling'] as const;
type ValidatesContext = Context<(typeof ids)[number], 'exhaustible'> & Partial<Pick<Fixtures, (typeof wants)[number]>>;

/** Several, as nodes may answer in turn. */
const healthAsked = 3;

/** Share of the account's reads; the rest is left to others. */
const readShare = 0.7;

/** Reads of the key and its sibling, for when validations are spent. */
function besides(api: Api, context: ValidatesContext): readonly Send[] {
  const { exhaustible, exhaustibleCompany: company, exhaustibleTargets: targets, sibling, limits, random } = context;
  if (company === undefined) return [];
  const theirs = sibling ? sameReads([api.as(sibling)], company.id, random, 4).flat() : [];
  const health = Array.from({ length: healthAsked }, () => accepting(api, 'GET /health'));
  const all = random.shuffled([...health, ...readLooks(api, company, random, targets?.slug), ...theirs]);
  return all.slice(0, Math.floor((limits.reported(exhaustible, 'read') ?? 0) * readShare));
}

export const validatesExhausted = conforms(
  ids,
  {
    needs: ['exhaustible'],
    wants,
    writes: 2,
    reads: [2, 60, 60],
    validates: [79, 120, 120],
    exhausts: true,
  },
  async (context) => {
    const { exhaustible, clock, limits, random, effort, check, observe } = context;
    const allowance = allowanceOf(limits, exhaustible, 'validate');
    const { token } = exhaustible;
    if (token === undefined) throw new NotTested(`${exhaustible.name} is not a key that could be validated`);
    const api = context.api.as(exhaustible);
    const unauthenticated = context.api.as(anonymous);
    const send = of(api, token);
    const [company, note] = unknownIds(random, []);
    const read = accepting(api, 'GET /me');
    const write = accepting(api, deleteNote, { path: { company_id: company, note_id: note } });
    await limits.room(exhaustible, 'read', 2);
    await limits.room(exhaustible, 'write', 2);
    // Show that both are accepted before the validations are spent.
    await controlOf(read, context);
    await controlOf(write, context);
    const quiet = () => limits.quiet([exhaustible], 'validate');
    const tried = await bursts(send, allowance, { clock, quiet });
    await ensureShown(check, ['rate-limits-validate-allowed', 'rate-limits-validate-enforced'], tried);
    await judgeDoubtful(tried.last.refused, context);

    const reads = [read, ...(effort === 'quick' ? [] : besides(api, context))];
    const room = async (looks: readonly Send[]) => {
      const count = looks.filter((look) => reads.includes(look)).length;
      await limits.room(exhaustible, 'read', count);
      await limits.room(exhaustible, 'write', looks.length - count);
    };
    await besideSpentAgain(send, allowance, [...reads, write], context, room);

    const validated = await whileSpent(send, allowance, [
      of(unauthenticated, token),
      of(unauthenticated, context.api.credential.token ?? ''),
      of(unauthenticated, `${keyPrefix}${random.uuid()}`),
    ]);
    const words = (reply: Reply | undefined) => (reply && isRefused(reply) ? 'refused' : 'served');
    const [same, other, unknown] = validated.map(words);
    observe(
      'rate-limits-validate-charged',
      `while the validations of a key are spent: the same key without credentials is ${same}, another key ${other}, an unknown key ${unknown}`,
      ...validated.filter((reply) => reply !== undefined),
    );
  },
);
