// The outcomes of writes that a run asks seldom, by the keys of two accounts: what is answered the rules judge.
import { conforms } from '../../lib/index.ts';
import { tryScriptedWrites } from '../walk/scripted-writes.ts';
import { ofTexts, rareActions, wholly, writeActions } from '../walk/write-actions.ts';

const ids = ['notes-unknown-company', 'notes-unknown-note'] as const;

export const outcomes = conforms(
  ids,
  {
    needs: ['company'],
    wants: ['secondary', 'foreignCompany'],
    perhaps: ids,
    writes: [0, 24, 56],
    reads: [0, 21, 53],
    leaves: { companies: 1, contacts: 2 },
    beyondQuick: true,
  },
  async ({ api, company, secondary, foreignCompany, clock, effort, make, random }) => {
    const foreign = secondary && foreignCompany ? [{ api: api.as(secondary), company: foreignCompany }] : [];
    const sites = random.shuffled([{ api, company }, ...foreign]);
    await tryScriptedWrites(
      sites.map((one) => ({ caller: { api: one.api }, company: wholly(one.company), isShared: true })),
      { clock, effort, make, random },
      effort === 'thorough' ? writeActions : [...ofTexts, ...rareActions],
    );
  },
);
