// Endpoints / Companies: the notes of a company.
import { conforms, suite } from '../lib/index.ts';
import { absenceIds, judgeAbsence } from './notes/absence.ts';
import { changeIds, judgeChanges, judgeDeletions } from './notes/changes.ts';
import { creationIds, judgeCreation, restricted } from './notes/creation.ts';
import { readAtEnd } from './notes/final-reads.ts';
import { outcomes } from './notes/outcomes.ts';
import { noteRules } from './notes/rules.ts';
import { texts } from './notes/texts.ts';

const lifecycle = conforms(
  [...creationIds, ...changeIds, ...absenceIds],
  {
    needs: ['spare', 'spareCompany', 'spareSponsor'],
    wants: ['company'],
    writes: [25, 36, 51],
    reads: [16, 48, 59],
    leaves: { companies: 1 },
  },
  async (context) => {
    const { api, spare, spareCompany, company, effort, atEnd } = context;
    const start = await judgeCreation(context);
    const changed = await judgeChanges(context, start);
    const companies = [Number(start.home.company), spareCompany.id];
    const note = changed.present(start.ids[0]);
    await judgeAbsence(context, api.as(spare), start.home, note, companies);
    await judgeDeletions(context, start, changed);
    if (effort === 'quick') return;
    atEnd(() => readAtEnd(api.as(spare), [start.home.company, spareCompany.id]));
    if (company && company.id !== spareCompany.id) atEnd(() => readAtEnd(api, [company.id]));
  },
);

export default suite('notes', [lifecycle, ...texts, restricted, outcomes], noteRules);
