// A sample of the laboratory over real HTTP, so that in-process comfort hides nothing.
import { describe, it } from 'vitest';
import type { RequirementId } from '../lib/catalogue/index.ts';
import { faults } from './faults/index.ts';
import { outcomeOf } from './matrix/outcome.ts';
import { oddities } from './oddities/index.ts';
import { examineOverHttp } from './over-http.test-data.ts';

const timeout = 120_000;
const prefixed = oddities.find(({ id }) => id === 'network-path-prefix');
const sample: readonly RequirementId[] = [
  'notes-delete-effect',
  'idempotency-create-simultaneous',
  'authentication-tampered-payload',
];

describe.concurrent('over real HTTP', () => {
  it(
    'the reference is green',
    async ({ expect }) => {
      const { brief } = await examineOverHttp({});
      expect(brief.verdict).toBe('conformant');
    },
    timeout,
  );

  it(
    'a server that compresses, sends in pieces and writes header names in capitals is green',
    async ({ expect }) => {
      const { brief } = await examineOverHttp({}, 'compressed in pieces under loud names');
      expect(brief.verdict).toBe('conformant');
    },
    timeout,
  );

  it(
    'a server behind a path prefix is green',
    async ({ expect }) => {
      const { wrap, target } = prefixed ?? {};
      const { brief } = await examineOverHttp({ ...(wrap ? { wrap } : {}), ...(target ? { target } : {}) });
      expect(brief.verdict).toBe('conformant');
    },
    timeout,
  );

  it.for(sample)('a fault of %s is found', { timeout }, async (id, { expect }) => {
    const fault = faults.find(({ breaks }) => breaks.includes(id));
    if (fault === undefined) throw new Error(`no fault breaks ${id}`);
    const { wrap, reference, breaks, collateral = {} } = fault;
    const { brief } = await examineOverHttp({ wrap, ...(reference ? { reference } : {}) });
    const { failed } = outcomeOf(fault.id, brief, 'quick');
    expect([...failed].sort()).toEqual([...breaks, ...Object.keys(collateral)].sort());
  });
});
