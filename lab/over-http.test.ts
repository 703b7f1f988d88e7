// A sample of the laboratory over real HTTP, for what examinations in process would hide.
import { describe, test } from 'vitest';
import type { RequirementId } from '../lib/catalogue/index.ts';
import type { Brief } from '../lib/run/build-report.ts';
import { judgedAgain } from './evidence/judged-again.ts';
import { outcomeOf } from './matrix/judgement.ts';
import { mutants } from './mutants/index.ts';
import { examineOverHttp } from './over-http.ts';
import { variants } from './variants/index.ts';

const timeout = 120_000;
const prefixed = variants.find(({ id }) => id === 'network-path-prefix');
const sample: readonly RequirementId[] = [
  'companies-create-name',
  'idempotency-create-simultaneous',
  'authentication-tampered-payload',
];

/** What a conformant run has none of, with its reason. */
const openOf = ({ verdict, requirements }: Brief): string[] =>
  verdict === 'conformant'
    ? []
    : requirements.flatMap((one) =>
        one.level === 'must' && one.verdict !== 'passed' ? [`${one.id} ${one.verdict}: ${one.reason ?? ''}`] : [],
      );

describe.concurrent('over real HTTP', () => {
  test(
    'the reference is green over real HTTP',
    async ({ expect }) => {
      const { brief } = await examineOverHttp({});
      expect(openOf(brief)).toEqual([]);
    },
    timeout,
  );

  test(
    'a server that compresses, sends in chunks, writes header names in capitals and remembers headers is green',
    async ({ expect }) => {
      const { brief } = await examineOverHttp({ minuteMs: 8000 }, 'compressed in pieces under loud names');
      expect(openOf(brief)).toEqual([]);
    },
    timeout,
  );

  test(
    'a server behind a path prefix is green',
    async ({ expect }) => {
      const { wrap, target } = prefixed ?? {};
      const { brief } = await examineOverHttp({ ...(wrap ? { wrap } : {}), ...(target ? { target } : {}) });
      expect(openOf(brief)).toEqual([]);
    },
    timeout,
  );

  test.for(sample)('a mutant of %s is killed over real HTTP', { timeout }, async (id, { expect }) => {
    const mutant = mutants.find(({ breaks }) => breaks.includes(id));
    if (mutant === undefined) throw new Error(`no mutant breaks ${id}`);
    const { wrap, reference, breaks, collateral = {} } = mutant;
    const { brief } = await examineOverHttp({ wrap, ...(reference ? { reference } : {}) });
    const { failed } = outcomeOf(mutant.id, brief, 'quick');
    expect([...failed].sort()).toEqual([...breaks, ...Object.keys(collateral)].sort());
  });
});

/** Of a record with fewer requests little would be said. */
const requestsMin = 500;

describe.concurrent('recorded over real HTTP and judged again', () => {
  test.for([
    ['reference', 'conformant'],
    ['choice-timestamps=naive', 'conformant'],
    // Verdicts that failed, with the lines that show them again.
    ['envelope-puts-the-credits-into-an-array', 'non-conformant'],
    ['companies-forbidden-is-stored', 'non-conformant'],
  ] as const)('%s', { timeout: 120_000 }, async ([id, verdict], { expect }) => {
    const { requests, bytes: _, ...judged } = await judgedAgain(id, { exhaustion: false, concurrency: 4 });
    expect(judged).toEqual({ subject: id, verdict, troubles: [] });
    expect(requests).toBeGreaterThan(requestsMin);
  });
});
