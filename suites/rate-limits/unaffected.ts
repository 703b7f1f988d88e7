// Cases: what does not share the allowance of a key; requests without a key; and the limits in GET /me.
import {
  anonymous,
  at,
  conforms,
  dataOf,
  defaultLimits,
  deleteNote,
  expectSuccess,
  type Reply,
  readLimits,
} from '../../lib/index.ts';
import { shapeOf } from '../shared/answer.ts';
import { wholeText } from '../shared/tricky-texts.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, isThrottled, type Send } from './burst.ts';
import { rates } from './counted.ts';
import { accepting, othersThan, readWays } from './reads.ts';
import { sendUnaffected, whileSpent } from './spent.ts';
import { writerOf } from './writes.ts';

/** So many reads that spent writes leave alone are enough. */
const fewReads = 5;

export const unaffectedByWrites = conforms(
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
    const free = limits.free(exhaustible, 'read');
    const sent = isQuick || free < all.length ? oneOfEach : all;
    // The primary account is exhausted when nothing else goes on: what is left of its minute will do.
    const isEnough = exhaustible.name === context.api.credential.name && free >= fewReads;
    const share = Math.floor((limits.reported(exhaustible, 'read') ?? 0) / (isQuick ? 4 : 2));
    const reads = random.shuffled(sent).slice(0, Math.max(1, isEnough ? Math.min(share, free) : share));
    await limits.room(exhaustible, 'read', reads.length);
    // Company edits may be refused, as the document does not show their body. This case counts no requests.
    // Other cases look for the company by its name.
    const writer = writerOf(api, context, { company, note, targets });
    const editCompany = (): Promise<Reply> => {
      const body = { ...company.sent, address: make.name('edit'), city: wholeText(random) };
      return accepting(api, 'PATCH /companies/{company_id}', { path: { company_id: company.id }, body })();
    };
    let turn = 0;
    const send: Send = () => (++turn % 4 > 0 ? writer.deleteOrEdit : editCompany)();
    // At the start of a run the other account has requests left; so has a session.
    const [other] = othersThan(exhaustible, [context.api.credential, spare]);
    const writers = othersThan(exhaustible, [other, isQuick ? undefined : session]);
    const [company_id, note_id] = unknownIds(random, [company.id, note.id]);
    // Twice, as two nodes may answer in turn.
    const senders = writers.flatMap((one) => (one === session ? [one, one] : [one]));
    const foreign = senders.map((one) => accepting(context.api.as(one), deleteNote, { path: { company_id, note_id } }));
    await sendUnaffected(send, allowance, [...foreign, ...reads], context, writers);
    // Here, where reads are left: a write that is charged to them would be refused as well where both are spent.
    await whileSpent(send, allowance, writer.looks());
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
    const refused = replies.filter(isThrottled);
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
