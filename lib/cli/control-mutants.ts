// The mutants of the laboratory as what live controls put between the suite and the recorded replies.
import { generatedMutants } from '../../lab/mutants/generated/index.ts';
import { mutants } from '../../lab/mutants/index.ts';
import type { ControlMutant } from '../evidence/controls.ts';

/** Those that set the reference otherwise need a server that answers so, which no record can. */
export const controlMutants: readonly ControlMutant[] = [...mutants, ...generatedMutants].map(
  ({ id, breaks, wrap }) => ({
    id,
    breaks,
    wrap,
  }),
);
