// Every fault of notes is found, and nothing else is accused.

import changes from './notes-changes.ts';
import refusals from './notes-refusals.ts';
import notesTexts from './notes-texts.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults([...notesTexts, ...refusals, ...changes], { areas: ['notes'] });
