// A note that a whole list should show and does not: which requirement that breaks.
import type { Reply } from '../../lib/index.ts';
import type { Found } from './found.ts';
import type { Home } from './note-model.ts';
import type { Page } from './pages.ts';

/** What is known of the note. */
export interface Lack {
  readonly id: string;
  /** The last list before that has shown it. */
  readonly last: Page | undefined;
  /** No later list shows it. */
  readonly isLost: boolean;
}

/** `same`: the pages of lists of the same company. */
export function lackOf(id: string, page: Page, same: readonly Page[]): Lack {
  const showing = same.filter(({ ids }) => ids?.includes(id));
  const isLost = !showing.some(({ reply }) => reply.id > page.reply.id);
  return { id, isLost, last: showing.findLast(({ reply }) => reply.id < page.reply.id) };
}

/** What no list has shown is not listed, what none shows any more was lost, and what other lists show was skipped. */
function dutyOf({ id, last, isLost }: Lack, page: Page, { notes }: Home): Found['id'] {
  if (!isLost) return (page.chain?.length ?? 1) > 1 ? 'pagination-traversal-complete' : 'notes-list-contains';
  if (last === undefined) return 'notes-list-contains';
  const isBetween = (reply: Reply): boolean => reply.id > last.reply.id && reply.id <= page.reply.after;
  const isOthers = [...notes.values()].some(({ died }) => died !== undefined && isBetween(died));
  return notes.get(id)?.misplaced && !isOthers ? 'notes-other-company' : 'notes-others-untouched';
}

/** None where the note may have gone by a deletion that was refused. */
export function lacking(lack: Lack, page: Page, home: Home): readonly Found[] {
  const { born, misplaced, denied } = home.notes.get(lack.id) ?? {};
  if (lack.isLost && denied !== undefined && denied.after < page.reply.id) return [];
  const found: Found = {
    id: dutyOf(lack, page, home),
    page,
    message: 'the list should show every note that was made and not deleted',
    expected: `note ${lack.id}`,
    actual: 'not in the list',
    replies: [...(born ? [born] : []), ...(lack.isLost && misplaced ? [misplaced] : []), page.reply],
  };
  return [found];
}
