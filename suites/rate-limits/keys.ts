// Which requests are counted together: those of two keys of one account, and those without a key.
import {
  type Api,
  anonymous,
  at,
  conforms,
  createNote,
  dataOf,
  defaultLimits,
  editNote,
  expectSuccess,
  type Note,
  type Reply,
  readLimits,
  type Tools,
} from '../../lib/index.ts';
import { allowanceOf, isRefused, type Send } from './burst.ts';
import { accepting, sameReads } from './reads.ts';
import { whileSpent } from './spent.ts';

/** Writes of another key that nothing but the limit should refuse, as far as its user may write. */
function writesOf(
  other: Api,
  { company: company_id, id: note_id }: Note,
  { make }: Pick<Tools, 'make'>,
): readonly Send[] {
  const company = { name: make.name('company beside a spent limit'), company_type: 'lender' };
  const contact = { contact_type: 'sponsor', company_id, last_name: make.name('contact beside a spent limit') };
  const text = make.name('note of another key');
  return [
    accepting(other, editNote, { path: { company_id, note_id }, body: { text } }),
    accepting(other, createNote, { path: { company_id }, body: { text } }),
    accepting(other, 'POST /companies', { body: company }),
    accepting(other, 'POST /contacts', { body: contact }),
  ];
}

/** The number of reads sent by each other key right after the exhausted key. */
const readsTogether = 4;

export const keysTogether = conforms(
  'rate-limits-keys-together',
  {
    needs: ['exhaustible', 'exhaustibleNote', 'sibling'],
    wants: ['exhaustibleTargets'],
    writes: [36, 48, 48],
    reads: [0, 223, 223],
    exhausts: true,
  },
  async ({ exhaustible, exhaustibleNote: note, exhaustibleTargets: targets, sibling, api, ...context }) => {
    const { limits, make, random, effort } = context;
    const own = api.as(exhaustible);
    const edit = accepting(own, editNote, {
      path: { company_id: note.company, note_id: note.id },
      body: { text: make.name('edit') },
    });
    const theirs = api.as(sibling);
    const others = [theirs, ...(targets?.keys ?? []).slice(0, 1).map(({ credential }) => api.as(credential))];
    const inPairs = others.flatMap((other) => sameReads([own, other], note.company, random, readsTogether).flat());
    const writers = effort === 'quick' ? [theirs] : others;
    const ways = {
      write: [edit, writers.flatMap((other) => writesOf(other, note, context))],
      read: [accepting(own, 'GET /me'), [accepting(theirs, 'GET /me'), ...inPairs]],
    } as const;
    // Writes have the lower limit.
    for (const rate of effort === 'quick' ? (['write'] as const) : (['write', 'read'] as const)) {
      const [mine, all] = ways[rate];
      await whileSpent(mine, allowanceOf(limits, exhaustible, rate), all);
    }
  },
);

/** Few enough not to look like an attack. */
const anonymousRequests = { quick: 10, standard: 30, thorough: 30 } as const;

export const unauthenticated = conforms(
  'rate-limits-unauthenticated',
  { exhausts: true, reads: 0, refused: [10, 30, 30] },
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
