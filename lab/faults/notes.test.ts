// Every fault of notes is found, and nothing else is accused.
import changes from './notes-changes.ts';
import refusals from './notes-refusals.ts';
import texts from './notes-texts.ts';
import { verifyFaults } from './verify.test-data.ts';

verifyFaults([...texts, ...refusals, ...changes], { areas: ['notes'] });
