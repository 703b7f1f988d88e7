// Cases: what shares the allowance of a key, and what does not; requests without a key; and the limits in GET /me.
import {
  type Api,
  anonymous,
  at,
  conforms,
  createNote,
  dataOf,
  defaultLimits,
  deleteNote,
  editNote,
  expectSuccess,
  type Reply,
  readLimits,
} from '../../lib/index.ts';
import { shapeOf } from '../shared/answer.ts';
import { wholeText } from '../shared/tricky-texts.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, isRefused, type Send } from './burst.ts';
import { rates } from './counted.ts';
import { accepting, othersThan, readWays, sameReads } from './reads.ts';
import { besideSpent, whileSpent } from './spent.ts';
import { underOneKey, writerOf } from './writes.ts';

export const besideWrites = conforms(
  ['rate-limits-read-write-apart', 'rate-limits-accounts-apart'],
  {
    // Shares these records with the next cases: they cannot be created while the writes are spent.
    needs: ['exhaustible', 'exhaustibleTargets', 'exhaustibleCompany', 'exhaustibleNote', 'spare'],
    wants: ['session'],
    writes: [70, 97, 97],
    reads: 34,
    exhausts: true,
  },
  async ({ exhaustible, exhaustibleCompany: company, exhaustibleNote: note, spare, session, ...context }) => {
    const { exhaustibleTargets: targets, limits, make, random, effort } = context;
    const isQuick = effort === 'quick';
    const allowance = allowanceOf(limits, exhaustible, 'write');
    const api = context.api.as(exhaustible);
    const ways = readWays(api, company, random, targets.slug);
    const oneOfEach = ways.flatMap((some) => random.shuffled(some).slice(0, 1));
    const all = [accepting(api, 'GET /health'), ...ways.flat()];
    // Where other cases have left room for few of them: to wait for more would take another minute.
    const taken = isQuick || limits.free(exhaustible, 'read') < all.length ? oneOfEach : all;
    const few = Math.max(1, Math.floor((limits.reported(exhaustible, 'read') ?? 0) / (isQuick ? 4 : 2)));
    const reads = random.shuffled(taken).slice(0, few);
    await limits.room(exhaustible, 'read', reads.length);
    // Company edits may be refused, as the document does not show their body. This case counts no requests.
    // Other cases look for the company by its name.
    const { takeBack } = writerOf(api, context, { company, note, targets });
    const editCompany = (): Promise<Reply> => {
      const body = { ...company.sent, address: make.name('edit'), city: wholeText(random) };
      return accepting(api, 'PATCH /companies/{company_id}', { path: { company_id: company.id }, body })();
    };
    let turn = 0;
    const send: Send = () => (++turn % 4 > 0 ? takeBack : editCompany)();
    // At the start of a run the other account has requests left; so has a session.
    const [other] = othersThan(exhaustible, [context.api.credential, spare]);
    const writers = othersThan(exhaustible, [other, isQuick ? undefined : session]);
    const [company_id, note_id] = unknownIds(random, [company.id, note.id]);
    // Twice, as two nodes may answer in turn.
    const senders = writers.flatMap((one) => (one === session ? [one, one] : [one]));
    const foreign = senders.map((one) => accepting(context.api.as(one), deleteNote, { path: { company_id, note_id } }));
    await besideSpent(send, allowance, [...foreign, ...reads], context, writers);
  },
);

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
    const theirs = api.as(sibling);
    const others = [theirs, ...(targets?.keys ?? []).slice(0, 1).map(({ credential }) => api.as(credential))];
    const path = { company_id: note.company };
    const editBy = (one: Api, text: string): Send =>
      accepting(one, editNote, { path: { ...path, note_id: note.id }, body: { text: make.name(text) } });
    const createBy = (one: Api): Send =>
      accepting(one, createNote, { path, body: { text: make.name('note of another key') } });
    // The key's user may lack the permission for these: the exhausted key sends each right before.
    const company = () => ({ name: make.name('company beside a spent limit'), company_type: 'lender' });
    const contact = () => ({ contact_type: 'sponsor', ...path, last_name: make.name('contact beside a spent limit') });
    const bothCreate = (other: Api): readonly Send[] => [
      ...[own, other].map((one) => underOneKey(one, random, 'POST /companies', { body: company() })),
      ...[own, other].map((one) => accepting(one, 'POST /contacts', { body: contact() })),
    ];
    const writers = effort === 'quick' ? [theirs] : others;
    // In two parts: if others are not counted, all requests together could use up their own limit.
    const ways = {
      write: [
        editBy(own, 'edit'),
        writers.flatMap((other) => [editBy(other, 'edit by another key'), createBy(other)]),
        writers.flatMap(bothCreate),
      ],
      read: [
        accepting(own, 'GET /me'),
        [accepting(theirs, 'GET /me')],
        others.flatMap((other) => sameReads([own, other], note.company, random)),
      ],
    } as const;
    // Writes have the lower limit.
    for (const rate of effort === 'quick' ? (['write'] as const) : (['write', 'read'] as const)) {
      const [mine, ...parts] = ways[rate];
      const allowance = allowanceOf(limits, exhaustible, rate);
      for (const part of parts) await whileSpent(mine, allowance, part);
    }
  },
);

export const unauthenticated = conforms(
  'rate-limits-unauthenticated',
  { exhausts: true, reads: 0, refused: [10, 30, 30] },
  async ({ api, effort, observe }) => {
    const send = accepting(api.as(anonymous), 'GET /me');
    // Few enough not to look like an attack.
    const length = effort === 'quick' ? 10 : 30;
    const replies = await Promise.all(Array.from({ length }, send));
    const refused = replies.filter(isRefused);
    const answer = refused.length > 0 ? 'yes' : `not among ${length} at once`;
    observe('rate-limits-unauthenticated', answer, ...(refused.length > 0 ? refused : replies).slice(0, 1));
  },
);

export const values = conforms(
  'rate-limits-values',
  { needs: ['exhaustible'] },
  async ({ api, exhaustible, limits, observe }) => {
    const me = await api.as(exhaustible).send('GET /me');
    expectSuccess(me);
    const reported = at(dataOf(me), 'platform', 'rate_limits');
    const read = readLimits(reported, limits.minuteMs);
    const numbers = rates.map((rate) => `${rate} ${read[rate] ?? 'not readable'}`).join(', ');
    const are = rates.every((rate) => read[rate] === defaultLimits[rate]) ? 'the defaults' : 'not the defaults';
    const answer =
      reported === undefined ? 'none are reported' : `${numbers}: ${are}; reported as ${shapeOf(reported)}`;
    observe('rate-limits-values', answer, me);
  },
);
