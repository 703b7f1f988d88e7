// What the look back over lists finds, and which requirement it breaks.
import type { JudgedId, Reply, Wrong } from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import type { Page } from './pages.ts';

export const listDuties = [
  'errors-malformed-json-effect',
  'notes-create-once',
  'notes-create-refused-effect',
  'notes-delete-effect',
  'notes-delete-lasting',
  'notes-list-contains',
  'notes-list-own-company',
  'notes-other-company',
  'notes-others-untouched',
  'authentication-refused-effect',
  'pagination-fields-restrict',
  'pagination-fields-later-pages',
  'pagination-has-more-last',
  'pagination-has-more-remains',
  'pagination-list-empty',
  'pagination-sort-members',
  'pagination-sort-pages',
  'pagination-total-constant',
  'pagination-total-exact',
  'pagination-traversal-complete',
  'pagination-traversal-once',
] as const satisfies readonly JudgedId[];
type Duty = (typeof listDuties)[number];

export interface Found {
  readonly id: Duty;
  readonly page: Page;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly replies?: readonly Reply[];
}

export const wrongPage = ({ id, page, message, expected, actual, replies = [page.reply] }: Found): Wrong =>
  wrong(id, page.operation, message, { expected, actual, replies });
