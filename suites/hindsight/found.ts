// What the look back over lists finds, and which requirement it breaks.
import { type JudgedId, Mismatch, type Reply, type Wrong } from '../../lib/index.ts';
import type { Page } from './pages.ts';

export const listDuties = [
  'notes-create-once',
  'notes-create-refused-effect',
  'notes-delete-effect',
  'notes-delete-lasting',
  'pagination-fields-restrict',
  'pagination-fields-later-pages',
  'pagination-has-more-last',
  'pagination-has-more-remains',
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

export const wrong = ({ id, page, message, expected, actual, replies }: Found): Wrong => ({
  id,
  operation: page.operation,
  mismatch: new Mismatch({ message, expected, actual: actual ?? 'absent', replies: replies ?? [page.reply] }),
});
