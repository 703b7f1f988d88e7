// What must hold of every page of every list, whoever asked: Limits / Pagination.
import { rules, together } from '../../lib/index.ts';
import { cursorIds, cursors } from './cursor-rules.ts';
import { fieldIds, fields } from './field-rules.ts';
import { limitIds, limits } from './limit-rules.ts';
import { pageIds, pages } from './page-rules.ts';
import { slices } from './slice-rules.ts';
import { sorted, sortedIds } from './sort-rules.ts';
import { team, teamIds } from './team-rules.ts';

export const paginationRules = together(
  rules(pageIds, pages),
  rules(sortedIds, sorted, slices),
  rules(fieldIds, fields),
  rules(cursorIds, cursors),
  rules(limitIds, limits),
  rules(teamIds, team),
);
