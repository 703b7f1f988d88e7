// Endpoints / Companies: the notes of a company.
import { suite } from '../lib/index.ts';
import { absence } from './notes/absence.ts';
import { changes } from './notes/changes.ts';
import { creation } from './notes/creation.ts';
import { refusals } from './notes/refusals.ts';
import { texts } from './notes/texts.ts';
import { walk } from './notes/walk.ts';

export default suite('notes', [...creation, changes, ...texts, refusals, absence, walk]);
