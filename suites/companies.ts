// Endpoints / Companies: create, read, edit, and what their list shows.
import { suite } from '../lib/index.ts';
import { creation } from './companies/creation.ts';
import { editing } from './companies/editing.ts';
import { refusals } from './companies/refusals.ts';
import { silent } from './companies/silent.ts';

export default suite('companies', [...creation, ...refusals, ...editing, silent]);
