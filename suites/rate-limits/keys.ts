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
import { underOneKey } from './writes.ts';

/** Creations, which the key's user may lack the permission for. */
function creationsOf(api: Api, company_id: number, { make, random }: Pick<Tools, 'make' | 'random'>): readonly Send[] {
  const company = { name: make.name('company beside a spent limit'), company_type: 'lender' };
  const contact = { contact_type: 'sponsor', company_id, last_name: make.name('contact beside a spent limit') };
  return [
    underOneKey(api, random, 'POST /companies', { body: company }),
    accepting(api, 'POST /contacts', { body: contact }),
  ];
}

/** What the exhausted key has surely spent, and what it is asked for right before. */
interface Others {
  readonly sure: readonly Send[];
  readonly inPairs: readonly Send[];
}

/** Writes of another key that nothing but the limit should refuse, as far as its user may write. */
function writesOf([own, other]: readonly [Api, Api], note: Note, tools: Pick<Tools, 'make' | 'random'>): Others {
  const path = { company_id: note.company };
  const text = tools.make.name('edit by another key');
  const edit = accepting(other, editNote, { path: { ...path, note_id: note.id }, body: { text } });
  const create = accepting(other, createNote, { path, body: { text: tools.make.name('note of another key') } });
  const both = [own, other].map((one) => creationsOf(one, note.company, tools));
  return { sure: [edit, create], inPairs: [0, 1].flatMap((place) => both.flatMap((one) => one[place] ?? [])) };
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
    const writes = writers.map((other) => writesOf([own, other], note, { make, random }));
    const ways = {
      write: [edit, writes.flatMap(({ sure }) => sure), writes.flatMap((one) => one.inPairs)],
      read: [accepting(own, 'GET /me'), [accepting(theirs, 'GET /me')], inPairs],
    } as const;
    // Writes have the lower limit.
    for (const rate of effort === 'quick' ? (['write'] as const) : (['write', 'read'] as const)) {
      const [mine, ...parts] = ways[rate];
      const allowance = allowanceOf(limits, exhaustible, rate);
      // In two parts: if others are not counted, all requests together could use up their own limit.
      for (const part of parts) if (part.length > 0) await whileSpent(mine, allowance, part);
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
