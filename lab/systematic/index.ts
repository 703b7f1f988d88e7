// The faults that follow from the tables by rule: every stated member, status and envelope of every operation.
import type { Fault } from '../faults/fault.ts';
import { envelopeFaults, errorFaults, frozenFaults } from './envelopes.ts';
import { memberFaults } from './members.ts';
import { pageFaults } from './pages.ts';
import { statusFaults } from './statuses.ts';

export const systematicFaults: readonly Fault[] = [
  ...errorFaults,
  ...statusFaults,
  ...envelopeFaults,
  ...frozenFaults,
  ...memberFaults,
  ...pageFaults,
];
