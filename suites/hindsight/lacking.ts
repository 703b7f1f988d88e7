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
  /** A later list that stands on one page lacks it, too. */
  readonly isConfirmed: boolean;
}

/** `same`: the pages of lists of the same company. */
export function lackOf(id: string, page: Page, same: readonly Page[]): Lack {
  const showing = same.filter(({ ids }) => ids?.includes(id));
  const isLost = !showing.some(({ reply }) => reply.id > page.reply.id);
  const lacksIt = ({ chain, hasMore }: Page): boolean =>
    !hasMore && chain?.length === 1 && chain[0]?.ids?.includes(id) === false;
  const isConfirmed = isLost && same.some((one) => one.reply.id > page.reply.id && lacksIt(one));
  return { id, isLost, isConfirmed, last: showing.findLast(({ reply }) => reply.id < page.reply.id) };
}

/**
 * What no list has shown is not listed, what no list shows any more was lost, and what pages leave out while something
 * is written was skipped, unless a later list says that it was lost.
 */
function dutyOf({ id, last, isLost, isConfirmed }: Lack, page: Page, { notes }: Home, isCalm: boolean): Found['id'] {
  if (isLost && last === undefined) return 'notes-list-contains';
  const isOnPages = (page.chain?.length ?? 1) > 1;
  if (isOnPages && !(isLost && (isCalm || isConfirmed))) return 'pagination-traversal-complete';
  if (last === undefined || !isLost) return 'notes-list-contains';
  const isBetween = (reply: Reply): boolean => reply.id > last.reply.id && reply.id <= page.reply.after;
  const isOthers = [...notes.values()].some(({ died }) => died !== undefined && isBetween(died));
  return notes.get(id)?.misplaced && !isOthers ? 'notes-other-company' : 'notes-others-untouched';
}

/** None where the note may have gone by a deletion that was refused. */
export function lacking(lack: Lack, page: Page, home: Home, isCalm: boolean): readonly Found[] {
  const { born, misplaced, denied } = home.notes.get(lack.id) ?? {};
  if (lack.isLost && denied !== undefined && denied.after < page.reply.id) return [];
  const found: Found = {
    id: dutyOf(lack, page, home, isCalm),
    page,
    message: 'the list should show every note that was made and not deleted',
    expected: `note ${lack.id}`,
    actual: 'not in the list',
    replies: [...(born ? [born] : []), ...(lack.isLost && misplaced ? [misplaced] : []), page.reply],
  };
  return [found];
}
