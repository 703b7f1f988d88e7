// The faults that live controls put between the suite and the recorded replies: the mutants of the laboratory.
import { generatedMutants } from '../../lab/mutants/generated/index.ts';
import { mutants } from '../../lab/mutants/index.ts';
import type { Fault } from '../evidence/controls.ts';

/** Those that set the reference otherwise need a server that answers so, which no record can. */
export const faults: readonly Fault[] = [...mutants, ...generatedMutants].map(({ id, breaks, wrap }) => ({
  id,
  breaks,
  wrap,
}));
