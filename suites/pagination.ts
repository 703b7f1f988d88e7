// Limits / Pagination: pages, limits, whole traversals, sorting and the choice of fields, on every list.
import { suite } from '../lib/index.ts';
import { callers } from './pagination/callers.ts';
import { fields } from './pagination/fields.ts';
import { limits } from './pagination/limits.ts';
import { pages } from './pagination/pages.ts';
import { paginationRules } from './pagination/rules.ts';
import { sorting } from './pagination/sorting.ts';
import { traversal } from './pagination/traversal.ts';

export default suite('pagination', [...pages, ...limits, traversal, ...callers, sorting, fields], paginationRules);
