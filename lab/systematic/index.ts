// The faults that follow from the tables by rule: every stated member, status and envelope of every operation.
import type { Fault } from '../faults/fault.ts';
import { envelopeFaults, errorFaults, frozenFaults } from './envelopes.ts';
import { memberFaults } from './members.ts';
import { pageFaults } from './pages.ts';
import { statusFaults } from './statuses.ts';

/** What is wrong on every reply of an operation: the smallest effort finds it. */
export const bluntFaults: readonly Fault[] = [...envelopeFaults, ...frozenFaults, ...memberFaults, ...pageFaults];

/** What shows only where every operation is tried with every defect. */
export const erringFaults: readonly Fault[] = [...errorFaults, ...statusFaults];
