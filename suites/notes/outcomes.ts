// The outcomes of writes that a run asks seldom, by the keys of two accounts: what is answered the look back judges.
import { type Company, conforms, isObject } from '../../lib/index.ts';
import { tryOutcomes } from '../shared/outcomes.ts';
import { type Kept, seldom, steps } from '../shared/steps.ts';

/** With every member that it was made with: an edit with fewer may take the others away. */
function wholly({ id, sent, reply }: Company): Kept {
  const body: unknown = JSON.parse(reply.request.body ?? '{}');
  return { id, sent: isObject(body) ? body : sent };
}

const ids = ['notes-unknown-company', 'notes-unknown-note'] as const;

export const outcomes = conforms(
  ids,
  { needs: ['company'], wants: ['secondary', 'foreignCompany'], perhaps: ids, writes: true, beyondQuick: true },
  async ({ api, company, secondary, foreignCompany, clock, effort, make, random }) => {
    const foreign = secondary && foreignCompany ? [{ api: api.as(secondary), company: foreignCompany }] : [];
    const seats = random.shuffled([{ api, company }, ...foreign]);
    await tryOutcomes(
      seats.map((one) => ({ caller: { api: one.api }, company: wholly(one.company), isShared: true })),
      { clock, effort, make, random },
      effort === 'thorough' ? steps : seldom,
    );
  },
);
