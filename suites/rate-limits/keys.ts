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
  NotTested,
  type Reply,
  readLimits,
  type Tools,
} from '../../lib/index.ts';
import { type Allowance, allowanceOf, isRefused, type Send } from './burst.ts';
import { accepting, decisive, expectRefusedWhileSpent, sameReads } from './reads.ts';
import { whileSpent } from './spent.ts';
import { underOneKey } from './writes.ts';

interface Together {
  /** The same request by the exhausted key; absent where it surely counts. */
  readonly own?: Send;
  readonly theirs: Send;
}

/** Pairs each request of the others with the same request of the exhausted key. */
const paired = (mine: readonly Send[], theirs: readonly Send[]): readonly Together[] =>
  theirs.flatMap((look, place): Together[] => (mine[place] ? [{ own: mine[place], theirs: look }] : []));

/** Creations, which the key's user may lack the permission for. */
function creationsOf(api: Api, company_id: number, { make, random }: Pick<Tools, 'make' | 'random'>): readonly Send[] {
  const company = { name: make.name('company beside a spent limit'), company_type: 'lender' };
  const contact = { contact_type: 'sponsor', company_id, last_name: make.name('contact beside a spent limit') };
  return [
    underOneKey(api, random, 'POST /companies', { body: company }),
    accepting(api, 'POST /contacts', { body: contact }),
  ];
}

/** Writes of another key that nothing but the limit should refuse, as far as its user may write. */
function writesTogether(
  [own, other]: readonly [Api, Api],
  note: Note,
  tools: Pick<Tools, 'make' | 'random'>,
): readonly Together[] {
  const path = { company_id: note.company };
  const text = tools.make.name('edit by another key');
  const edit = accepting(other, editNote, { path: { ...path, note_id: note.id }, body: { text } });
  const create = accepting(other, createNote, { path, body: { text: tools.make.name('note of another key') } });
  const [mine = [], theirs = []] = [own, other].map((one) => creationsOf(one, note.company, tools));
  return [{ theirs: edit }, { theirs: create }, ...paired(mine, theirs)];
}

/** The number of reads sent by each other key right after the exhausted key. */
const readsTogether = 4;

/** The replies to others while the class is spent, where the exhausted key gets 429 for the same request. */
async function othersWhileSpent(spend: Send, allowance: Allowance, pairs: readonly Together[]): Promise<Reply[]> {
  const looks = pairs.flatMap(({ own, theirs }) => (own ? [own, theirs] : [theirs]));
  const answers = await whileSpent(spend, allowance, looks);
  let place = 0;
  const next = () => answers[place++];
  return pairs.flatMap(({ own }) => {
    const control = own && next();
    const answer = next();
    return answer && (!own || isRefused(control)) ? decisive([answer]) : [];
  });
}

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
    const { limits, make, random, effort, check } = context;
    const own = api.as(exhaustible);
    const edit = accepting(own, editNote, {
      path: { company_id: note.company, note_id: note.id },
      body: { text: make.name('edit') },
    });
    const theirs = api.as(sibling);
    const others = [theirs, ...(targets?.keys ?? []).slice(0, 1).map(({ credential }) => api.as(credential))];
    const together = others.flatMap((other) =>
      sameReads([own, other], note.company, random, readsTogether).flatMap((both) =>
        paired(both.slice(0, 1), both.slice(1)),
      ),
    );
    const writers = effort === 'quick' ? [theirs] : others;
    const ways = {
      write: [edit, writers.flatMap((other) => writesTogether([own, other], note, { make, random }))],
      read: [accepting(own, 'GET /me'), [{ theirs: accepting(theirs, 'GET /me') }, ...together]],
    } as const;
    // Writes have the lower limit.
    for (const rate of effort === 'quick' ? (['write'] as const) : (['write', 'read'] as const)) {
      const [mine, looks] = ways[rate];
      const allowance = allowanceOf(limits, exhaustible, rate);
      // In two parts: if others are not counted, all requests together could use up their own limit.
      const isSure = (one: Together): boolean => one.own === undefined;
      const parts = [looks.filter(isSure), looks.filter((one) => !isSure(one))];
      const answers: Reply[] = [];
      for (const part of parts.filter(({ length }) => length > 0))
        answers.push(...(await othersWhileSpent(mine, allowance, part)));
      await check('rate-limits-keys-together', () => {
        if (answers.length === 0)
          throw new NotTested(`no answer to the sibling shows whether its ${rate}s are counted`);
        for (const answer of answers) expectRefusedWhileSpent(answer);
      });
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
