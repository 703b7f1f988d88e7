// The faults that follow from the tables by rule: every stated member, status and envelope of every operation.
import type { Fault } from '../faults/fault.ts';

export const systematicFaults: readonly Fault[] = [];
