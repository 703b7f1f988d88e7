// The writes of an account spent in the minute that passes before its limits are tried: reads and other accounts are served.
import { conforms } from '../../lib/index.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf } from './burst.ts';
import { accepting, expectLeftAlone, otherThan } from './reads.ts';
import { besideSpent, looksKept } from './spent.ts';

export const besideWrites = conforms(
  ['rate-limits-read-write-apart', 'rate-limits-accounts-apart'],
  {
    // The targets are those of the cases that follow: while the writes are spent they cannot be made.
    needs: ['exhaustible', 'exhaustibleTargets', 'exhaustibleCompany', 'exhaustibleNote', 'spare'],
    writes: true,
    exhausts: true,
  },
  async ({ exhaustible, exhaustibleCompany: company, exhaustibleNote: note, spare, ...context }) => {
    const { limits, make, random, check } = context;
    const allowance = allowanceOf(limits, exhaustible, 'write');
    const api = context.api.as(exhaustible);
    const look = accepting(api, 'GET /companies/{company_id}', { path: { company_id: company.id } });
    const edit = accepting(api, 'PATCH /companies/{company_id}/notes/{note_id}', {
      path: { company_id: company.id, note_id: note.id },
      body: { text: make.name('edit') },
    });
    const other = otherThan(exhaustible, [context.api.credential, spare]);
    // At the start of a run there still is room.
    const leave = other && (await limits.reserve(other, 'write', looksKept));
    const [unknownCompany, unknownNote] = unknownIds(random, [company.id, note.id]);
    const foreignWrite = (sender: typeof exhaustible) =>
      accepting(api.as(sender), 'DELETE /companies/{company_id}/notes/{note_id}', {
        path: { company_id: unknownCompany, note_id: unknownNote },
      });
    const looks = [look, ...(other ? [foreignWrite(other)] : [])];
    const [read, foreign] = await besideSpent(edit, allowance, looks).finally(leave);
    await check('rate-limits-read-write-apart', () => expectLeftAlone(read, 'a read beside spent writes'));
    await check('rate-limits-accounts-apart', () => expectLeftAlone(foreign, 'key of another account'));
  },
);
