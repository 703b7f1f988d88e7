// How a fault is shown to be found: the suite runs against it, and exactly what it names is red.
import { expect, it } from 'vitest';
import type { Settings } from '../../lib/configuration/settings.ts';
import type { Report } from '../../lib/report/model.ts';
import { examine } from '../examine.ts';
import type { Fault } from './fault.ts';

export const failedIds = ({ requirements }: Report): string[] =>
  requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);

/** One test a fault. `settings` may restrict the run to the areas concerned; what else is named is then left out. */
export function verifyFaults(faults: readonly Fault[], settings: Partial<Settings> = {}): void {
  it.each(faults.map((one) => [one.id, one] as const))('%s', async (_, { wrap, reference, breaks, collateral }) => {
    const { report } = await examine({ wrap, settings, ...(reference ? { reference } : {}) });
    const judged = new Set<string>(report.requirements.map(({ id }) => id));
    const named = [...breaks, ...Object.keys(collateral ?? {})].filter((id) => judged.has(id));
    expect(failedIds(report).sort()).toEqual(named.sort());
  });
}
