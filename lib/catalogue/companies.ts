// Companies: create, read, edit, and what their list shows.
import { must, observe, requirements } from './requirement.ts';

const fields = requirements('companies', 'Resources and their fields / Company, row name', {
  'companies-create-id': must('A new company has an integer identifier of its own, by which it can be read', {
    at: 'Resources and their fields / Company, paragraph 1',
    impact: 'The company cannot be addressed afterwards.',
    rulings: ['identifier-names'],
  }),
  'companies-create-name': must('The name given to a new company comes back unchanged', {
    impact: 'Firms are shown under a wrong name.',
    rulings: ['round-trip'],
  }),
  'companies-create-type': must('A company created as lender or as sponsor comes back as that', {
    at: 'Resources and their fields / Company, row company_type',
    impact: 'Lenders and sponsors are taken for each other, or cannot be recorded.',
  }),
  'companies-create-fields': must(
    'Website, address, city, state, zip, linkedin_url and a known org_id given to a new company come back unchanged',
    {
      at: 'Resources and their fields / Company, rows website to linkedin_url',
      impact: 'What was typed in is lost.',
      rulings: ['round-trip'],
    },
  ),
  'companies-create-required-only': must('A company can be created from name and company_type alone', {
    at: 'Resources and their fields / Company, rows website to linkedin_url',
    impact: 'Clients must invent data that they do not have.',
    rulings: ['unique-values'],
  }),
  'companies-name-lengths': must(
    'A company name of 1 or of 255 characters, in any script, is accepted and kept whole',
    { impact: 'Lawful names are refused or cut.', rulings: ['characters-not-bytes', 'unique-values'] },
  ),
  'companies-name-out-of-bounds': must('A company name of 0 or of 256 characters is refused with 400 or 422', {
    impact: 'Nameless companies appear, or names are cut silently.',
    rulings: ['refusal-status', 'characters-not-bytes'],
  }),
  'companies-type-unknown': must('A company_type other than lender and sponsor is refused with 400 or 422', {
    at: 'Resources and their fields / Company, row company_type',
    impact: 'Records appear that no filter finds.',
    rulings: ['refusal-status'],
  }),
  'companies-name-blank': observe('What does a company name of nothing but spaces answer?'),
  'companies-website-invalid': observe('How is a website that is not a URL answered?', {
    at: 'Resources and their fields / Company, row website',
  }),
  'companies-org-id': observe('What does an org_id answer, and does it come back?', {
    at: 'Resources and their fields / Company, row org_id',
    rulings: ['org-id-unknown'],
  }),
});

const creation = requirements('companies', 'Endpoints / Companies, row POST /companies', {
  'companies-create-once': must('One creation makes exactly one company', {
    impact: 'Duplicates appear that nobody can delete.',
    rulings: ['not-alone', 'list-lag'],
  }),
  'companies-create-missing-name': must('A company without name is refused with 422', {
    impact: 'Form validation cannot show the user what to fill in.',
    rulings: ['missing-member'],
  }),
  'companies-create-missing-type': must('A company without company_type is refused with 422', {
    impact: 'Form validation cannot show the user what to fill in.',
    rulings: ['missing-member'],
  }),
  'companies-required-wrong-type': must(
    'A name or company_type that is null or not a text is refused with 400 or 422',
    {
      impact: 'Names such as null or 42 enter the records.',
      rulings: ['refusal-status', 'missing-member'],
    },
  ),
  'companies-create-refused-effect': must(
    'A creation refused for its input or for lack of rights leaves no company behind',
    {
      impact: 'Broken records stay for ever, for companies cannot be deleted.',
      rulings: ['effect-over-form', 'not-alone'],
    },
  ),
  'companies-create-forbidden': must('A user who may not create companies is refused with 403', {
    impact: 'Rights set by an admin do not hold.',
    rulings: ['otherwise-valid'],
  }),
});

const reading = requirements('companies', 'Endpoints / Companies, row GET /companies/{company_id}', {
  'companies-read-record': must('A company read by id shows at once what the reply to its creation showed', {
    impact: 'The client shows other data than were saved.',
    rulings: ['round-trip'],
  }),
  'companies-read-unknown': must('The read of a company that does not exist answers 404', {
    impact: 'A stale link looks like an outage or an empty company.',
    rulings: ['unknown-identifier'],
  }),
  'companies-list-contains': must('A new company appears in the list', {
    at: 'Endpoints / Companies, row GET /companies',
    impact: 'Users create it again.',
    rulings: ['list-lag', 'bounded-search'],
  }),
  'companies-list-record': must('A listed company has the values that it has when read by id, also after an edit', {
    at: 'Endpoints / Companies, row GET /companies',
    impact: 'Overview and detail contradict each other.',
    rulings: ['round-trip', 'bounded-search', 'list-lag'],
  }),
  'companies-record-fields': observe(
    'Which fields beyond its inputs does a company have, and what is its identifier called?',
    {
      at: 'Resources and their fields / Fields of other records, point 3',
      rulings: ['identifier-names', 'silent-is-observed'],
    },
  ),
});

const editing = requirements('companies', 'Endpoints / Companies, row PATCH /companies/{company_id}', {
  'companies-edit-reply': must('The reply to an edit shows the company as edited', {
    impact: 'The form jumps back to the old values.',
    rulings: ['company-edit-body'],
  }),
  'companies-edit-effect': must('A company read by id after an edit shows the new values', {
    impact: 'Corrections are lost.',
    rulings: ['company-edit-body'],
  }),
  'companies-edit-others': must('An edit leaves every other company as it was', {
    impact: 'Correcting one firm damages another.',
  }),
  'companies-edit-unknown': must('The edit of a company that does not exist answers 404', {
    impact: 'The client believes that it has saved.',
    rulings: ['unknown-identifier', 'company-edit-body'],
  }),
  'companies-edit-bounds': must(
    'No edit leaves a name outside 1 to 255 characters or an unknown type, and a refused one changes nothing',
    { impact: 'Broken records get in by the back door.', rulings: ['company-edit-body', 'effect-over-form'] },
  ),
  'companies-edit-partial': observe('Does an edit of one field keep the others?', { rulings: ['company-edit-body'] }),
  'companies-edit-invalid': observe('What does an edit with an invalid or empty body answer?', {
    rulings: ['company-edit-body'],
  }),
  'companies-edit-restricted': observe('What does an edit answer to a user who may not create companies?'),
});

export const companies = { ...fields, ...creation, ...reading, ...editing };
