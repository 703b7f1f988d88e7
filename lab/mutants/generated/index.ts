// Mutants generated from the tables: every stated member, status and part of the envelope, of every operation.
import { declared } from '../declared.ts';
import type { Mutant } from '../mutant.ts';
import { envelopeMutants, errorMutants, frozenMutants } from './envelopes.ts';

import { memberMutants } from './members.ts';
import { pageMutants } from './pages.ts';
import { statusMutants } from './statuses.ts';

export const generatedMutants: readonly Mutant[] = [
  ...errorMutants,
  ...statusMutants,
  ...envelopeMutants,
  ...frozenMutants,
  ...memberMutants,
  ...pageMutants,
].map(declared);
