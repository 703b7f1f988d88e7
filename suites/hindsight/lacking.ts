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
function dutyOf(lack: Lack, page: Page, home: Home, isCalm: boolean): Found['id'] {
  const { last, isLost, isConfirmed } = lack;
  if (isLost && last === undefined) return 'notes-list-contains';
  const isOnPages = (page.chain?.length ?? 1) > 1;
  if (isOnPages && !(isLost && (isCalm || isConfirmed))) return 'pagination-traversal-complete';
  if (last === undefined || !isLost) return 'notes-list-contains';
  const isOthers = isAmidDeletions(lack, page, home);
  return home.notes.get(lack.id)?.misplaced && !isOthers ? 'notes-other-company' : 'notes-others-untouched';
}

/** Another note of the company was deleted since the last list that has shown it. */
function isAmidDeletions({ last }: Lack, page: Page, { notes }: Home): boolean {
  const isBetween = (reply: Reply): boolean => reply.id > (last?.reply.id ?? 0) && reply.id <= page.reply.after;
  return [...notes.values()].some(({ died }) => died !== undefined && isBetween(died));
}

/** Where deletions of it were refused since it was last shown, one of them may have been carried out all the same. */
export function lacking(lack: Lack, page: Page, home: Home, isCalm: boolean): readonly Found[] {
  const { born, misplaced, denials = [] } = home.notes.get(lack.id) ?? {};
  const tried = denials.filter(({ after }) => after < page.reply.id);
  const isDenied = lack.isLost && tried.length > 0;
  const isStrangers = tried.every(({ status }) => status === 401) && lack.last !== undefined;
  if (isDenied && (!isStrangers || misplaced || isAmidDeletions(lack, page, home))) return [];
  const found: Found = {
    id: isDenied ? 'authentication-refused-effect' : dutyOf(lack, page, home, isCalm),
    page,
    message: isDenied
      ? 'a deletion that was refused should delete nothing'
      : 'the list should show every note that was made and not deleted',
    expected: `note ${lack.id}`,
    actual: 'not in the list',
    replies: [
      ...(born ? [born] : []),
      ...(lack.isLost && misplaced ? [misplaced] : []),
      ...tried.slice(-1),
      page.reply,
    ],
  };
  return [found];
}
