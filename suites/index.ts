// The suites, in the document's order.
import type { Suite } from '../lib/index.ts';
import billing from './billing.ts';

export const suites: readonly Suite[] = [billing];
