// Endpoints / Companies: create, read, edit, and what their list shows.
import { suite } from '../lib/index.ts';
import { absence, records, rights } from './companies/cases.ts';
import { colleagues } from './companies/colleagues.ts';
import { companyRules } from './companies/rules.ts';

export default suite('companies', [records, rights, absence, colleagues], companyRules);
