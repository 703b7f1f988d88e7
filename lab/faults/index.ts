// The faults, in the document's order, and what keeps their identifiers apart.
import type { Fault } from './fault.ts';

export const faults: readonly Fault[] = [].flat();
