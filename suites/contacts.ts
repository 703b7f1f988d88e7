// Endpoints / Contacts: create and list.
import { suite } from '../lib/index.ts';
import { records, rights } from './contacts/cases.ts';
import { contactRules } from './contacts/rules.ts';

export default suite('contacts', [records, rights], contactRules);
