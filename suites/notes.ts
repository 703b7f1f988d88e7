// Endpoints / Companies: the notes of a company.
import { anonymous, conforms, suite } from '../lib/index.ts';
import { lifecycle, restricted } from './notes/lifecycle.ts';
import { noteRules } from './notes/rules.ts';
import { texts } from './notes/texts.ts';
import { randomWalk, stepsEach } from './walk/random-walk.ts';
import { wholly } from './walk/record-generators.ts';

const unknownIds = ['notes-unknown-company', 'notes-unknown-note'] as const;

/** The outcomes of writes that a run asks seldom, by the keys of two accounts. */
const outcomes = conforms(
  unknownIds,
  {
    needs: ['company'],
    wants: ['secondary', 'foreignCompany'],
    perhaps: unknownIds,
    writes: [0, 13, 37],
    reads: [0, 34, 78],
    refused: [0, 11, 46],
    leaves: { companies: 1, contacts: 2 },
    beyondQuick: true,
  },
  async ({ company, secondary, foreignCompany, effort, ...tools }) => {
    const { api } = tools;
    const foreign = secondary && foreignCompany ? [{ api: api.as(secondary), company: foreignCompany }] : [];
    const roles = [{ api, company }, ...foreign].map((one, place) => ({
      name: `caller ${place}`,
      caller: { api: one.api },
      site: { company: wholly(one.company), isShared: true } as const,
    }));
    const budget = { steps: stepsEach[effort] * roles.length, records: 3, brief: true } as const;
    await randomWalk(roles, budget, { anonymous: [anonymous] }, tools);
  },
);

export default suite('notes', [lifecycle, ...texts, restricted, outcomes], noteRules);
