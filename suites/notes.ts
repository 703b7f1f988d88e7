// Endpoints / Companies: the notes of a company.
import { anonymous, conforms, suite } from '../lib/index.ts';
import { lifecycle, restricted } from './notes/lifecycle.ts';
import { noteRules } from './notes/rules.ts';
import { texts } from './notes/texts.ts';
import { otherAccountOf, otherAccountWants } from './shared/other-account.ts';
import { randomWalk, stepsEach } from './walk/random-walk.ts';
import { withSentBody } from './walk/record-generators.ts';

const unknownIds = ['notes-unknown-company', 'notes-unknown-note'] as const;

/** Write outcomes that other cases rarely produce; the key of another account reads meanwhile. */
const outcomes = conforms(
  unknownIds,
  {
    needs: ['spare', 'spareCompany'],
    wants: otherAccountWants,
    perhaps: unknownIds,
    writes: [0, 13, 37],
    reads: [0, 34, 78],
    refused: [0, 11, 46],
    leaves: { companies: 1, contacts: 2 },
    beyondQuick: true,
  },
  async (context) => {
    const { api, spare, spareCompany, effort } = context;
    const other = otherAccountOf(context);
    const destination = { company: withSentBody(spareCompany), isShared: true } as const;
    const roles = [
      { name: 'the key', caller: { api: api.as(spare) }, destination },
      ...(other ? [{ name: 'the key of another account', caller: { api: api.as(other.credential) } }] : []),
    ];
    const budget = { steps: stepsEach[effort] * roles.length, records: 3, brief: true } as const;
    await randomWalk(roles, budget, { anonymous: [anonymous] }, context);
  },
);

export default suite('notes', [lifecycle, ...texts, restricted, outcomes], noteRules);
