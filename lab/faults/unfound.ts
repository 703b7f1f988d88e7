// Requirements of level MUST for which there is no fault, each with the reason why none can be found from outside.
import type { RequirementId } from '../../lib/catalogue/index.ts';

export const unfound: Readonly<Partial<Record<RequirementId, string>>> = {};
