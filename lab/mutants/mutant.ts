// What a mutant is: a small wrapper round the reference that breaks one duty, and the requirements that must notice.
import type { RequirementId } from '../../lib/catalogue/index.ts';
import type { VirtualClock } from '../../lib/runtime/virtual-clock.ts';
import type { Handler, ReferenceOptions } from '../reference/index.ts';

export type Wrap = (honest: Handler, clock: VirtualClock) => Handler;

export interface Mutant {
  /** `<area>-<what it wrongly does>`, in the present tense. */
  readonly id: string;
  /** Exactly these requirements fail, beside the collateral. */
  readonly breaks: readonly RequirementId[];
  /** Requirements that cannot but fail as well, each with the reason. */
  readonly collateral?: Readonly<Partial<Record<RequirementId, string>>>;
  /** How the reference below the wrapper is set. */
  readonly reference?: Omit<ReferenceOptions, 'clock'>;
  readonly wrap: Wrap;
}

export const mutant = (id: string, duty: Omit<Mutant, 'id' | 'wrap'>, wrap: Wrap): Mutant => ({ id, ...duty, wrap });
