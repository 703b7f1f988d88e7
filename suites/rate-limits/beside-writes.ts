// Spent writes of an account: its reads and the requests of other accounts are still accepted.
import { conforms, type Reply } from '../../lib/index.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, leaveOpen } from './burst.ts';
import { accepting, keepRoom, noOther, othersThan, otherThan, readLooks } from './reads.ts';
import { besideSpentAgain } from './spent.ts';
import { editCompany, editNote } from './writes.ts';

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
  async ({
    exhaustible,
    exhaustibleCompany: company,
    exhaustibleNote: note,
    exhaustibleTargets: targets,
    spare,
    session,
    ...context
  }) => {
    const { limits, make, random, effort, check } = context;
    const allowance = allowanceOf(limits, exhaustible, 'write');
    const api = context.api.as(exhaustible);
    const looks = readLooks(api, company, random, targets.slug);
    // readLooks gives each read twice, plain and varied: take them alternately, or both.
    const start = random.int(0, 1);
    const isTaken = (_: unknown, place: number): boolean => place % 2 === (Math.floor(place / 2) + start) % 2;
    const isQuick = effort === 'quick';
    const again = readLooks(api, company, random, targets.slug).filter((_, place) => place % 2 === 1);
    const taken = isQuick ? looks.filter(isTaken) : [accepting(api, 'GET /health'), ...looks, ...again];
    const few = Math.max(1, Math.floor((limits.reported(exhaustible, 'read') ?? 0) / (isQuick ? 4 : 2)));
    const reads = random.shuffled(taken).slice(0, few);
    await limits.room(exhaustible, 'read', reads.length);
    let turn = 0;
    // Company edits may be refused, as the document does not show their body. This case counts no requests.
    const edit = (): Promise<Reply> => {
      turn += 1;
      const text = make.name('edit');
      return turn % 2 === 0 ? editCompany(api, company, text, random) : editNote(api, company, note, text, random);
    };
    const other = otherThan(exhaustible, [context.api.credential, spare]);
    // At the start of a run the other account has requests left; so has a session.
    const writers = othersThan(exhaustible, [other, isQuick ? undefined : session]);
    const leave = await keepRoom(limits, writers, 'write');
    const [unknownCompany, unknownNote] = unknownIds(random, [company.id, note.id]);
    const foreignWrite = (sender: typeof exhaustible) =>
      accepting(api.as(sender), 'DELETE /companies/{company_id}/notes/{note_id}', {
        path: { company_id: unknownCompany, note_id: unknownNote },
      });
    // Twice, as two nodes may answer in turn.
    const foreign = writers.flatMap((one) => (one === session ? [one, one] : [one])).map(foreignWrite);
    await besideSpentAgain(edit, allowance, [...foreign, ...reads], context).finally(leave);
    if (foreign.length === 0) await leaveOpen(check, 'rate-limits-accounts-apart', noOther);
  },
);
