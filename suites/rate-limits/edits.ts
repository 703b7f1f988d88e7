// Edits of the records of an exhausted account, valid in everything, with all that is met in real texts.
import {
  type Api,
  type Company,
  type JsonObject,
  type Note,
  type Random,
  type Reply,
  usualText,
} from '../../lib/index.ts';
import { fullRecord } from '../shared/company-record.ts';
import { wholeText } from '../shared/tricky-texts.ts';

/** All of the usual texts. */
const usualMax = 100;

/** The company as it is called, with the text in its address. */
const record = ({ sent }: Company, text: string, random: Random): JsonObject => ({
  ...fullRecord(text, random.pick(['first', 'second'])),
  ...{ name: sent.name, company_type: sent.company_type },
  ...{ address: text, city: wholeText(random) },
});

export const editCompany = (api: Api, company: Company, text: string, random: Random): Promise<Reply> =>
  api.send('PATCH /companies/{company_id}', {
    path: { company_id: company.id },
    body: record(company, text, random),
    throttle: 'accept',
  });

export const editNote = (api: Api, company: Company, note: Note, text: string, random: Random): Promise<Reply> =>
  api.send('PATCH /companies/{company_id}/notes/{note_id}', {
    path: { company_id: company.id, note_id: note.id },
    body: { text: `${text} - ${usualText(random, usualMax)}` },
    throttle: 'accept',
  });
