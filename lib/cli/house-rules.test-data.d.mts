// The type of the house rules, which are written without types, as users may do.
import type { Suite } from '../case.ts';

declare const houseRules: Suite;
export default houseRules;
