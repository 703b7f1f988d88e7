// What cannot but fail beside the member that a systematic fault breaks, by rule and with the reason.
import type { RequirementId } from '../../lib/catalogue/index.ts';
import { type Fault, fault, type Wrap } from '../faults/fault.ts';

/** A fault that was generated: its collateral follows from its name. */
export const systematic = (id: string, breaks: readonly RequirementId[], wrap: Wrap): Fault =>
  fault(id, { breaks }, wrap);
