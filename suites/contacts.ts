// Endpoints / Contacts: create and list, and the phones of a contact.
import { suite } from '../lib/index.ts';
import { creation } from './contacts/creation.ts';
import { phoneRefusals, silent } from './contacts/phone-refusals.ts';
import { phones } from './contacts/phones.ts';
import { refusals } from './contacts/refusals.ts';

export default suite('contacts', [creation, ...refusals, phones, phoneRefusals, silent]);
