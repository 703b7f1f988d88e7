// Whose requests are counted together: two keys of one account, and none.
import {
  anonymous,
  at,
  conforms,
  dataOf,
  defaultLimits,
  expectSuccess,
  NotTested,
  type RateClass,
  type Reply,
  readLimits,
} from '../../lib/index.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, isRefused, type Send } from './burst.ts';
import { accepting, expectRefusedWhileSpent } from './reads.ts';
import { whileSpent } from './spent.ts';

export const keysTogether = conforms(
  'rate-limits-keys-together',
  { needs: ['exhaustible', 'sibling'], writes: true, exhausts: true },
  async ({ exhaustible, sibling, api, limits, random, effort, check }) => {
    const [company, note] = unknownIds(random, []);
    const path = { company_id: company, note_id: note };
    const sends = (rate: RateClass): readonly [Send, Send] => {
      const send = (key: typeof exhaustible) =>
        rate === 'read'
          ? accepting(api.as(key), 'GET /me')
          : accepting(api.as(key), 'DELETE /companies/{company_id}/notes/{note_id}', { path });
      return [send(exhaustible), send(sibling)];
    };
    // The writes of an account are the fewer.
    for (const rate of effort === 'quick' ? (['write'] as const) : (['read', 'write'] as const)) {
      const [mine, theirs] = sends(rate);
      const allowance = allowanceOf(limits, exhaustible, rate);
      const [answer] = await whileSpent(mine, allowance, [theirs]);
      await check('rate-limits-keys-together', () => {
        if (!answer) throw new NotTested(`the ${rate} limit could not be reached`);
        expectRefusedWhileSpent(answer);
      });
    }
  },
);

/** Few enough not to look like an attack. */
const anonymousRequests = { quick: 10, standard: 30, thorough: 30 } as const;

export const unauthenticated = conforms(
  'rate-limits-unauthenticated',
  { exhausts: true },
  async ({ api, effort, observe }) => {
    const send = accepting(api.as(anonymous), 'GET /me');
    const length = anonymousRequests[effort];
    const replies = await Promise.all(Array.from({ length }, send));
    const refused = replies.filter(isRefused);
    const answer = refused.length > 0 ? 'yes' : `not among ${length} at once`;
    observe('rate-limits-unauthenticated', answer, ...(refused.length > 0 ? refused : replies).slice(0, 1));
  },
);

const classes = ['read', 'write', 'validate'] as const;

function formOf(limits: unknown): string {
  if (Array.isArray(limits)) return 'an array';
  if (typeof limits !== 'object' || limits === null) return typeof limits;
  const kinds = [...new Set(Object.values(limits).map((value) => (value === null ? 'null' : typeof value)))].sort();
  return `an object of ${kinds.join(' and ')} members`;
}

function valuesAnswer(me: Reply, minuteMs: number): string {
  const limits = at(dataOf(me), 'platform', 'rate_limits');
  if (limits === undefined) return 'none are reported';
  const read = readLimits(limits, minuteMs);
  const numbers = classes.map((rate) => `${rate} ${read[rate] ?? 'not readable'}`).join(', ');
  const usual = classes.every((rate) => read[rate] === defaultLimits[rate]);
  return `${numbers}: ${usual ? 'the defaults' : 'not the defaults'}; in ${formOf(limits)}`;
}

export const values = conforms(
  'rate-limits-values',
  { needs: ['exhaustible'] },
  async ({ api, exhaustible, limits, observe }) => {
    const me = await api.as(exhaustible).send('GET /me');
    expectSuccess(me);
    observe('rate-limits-values', valuesAnswer(me, limits.minuteMs), me);
  },
);
