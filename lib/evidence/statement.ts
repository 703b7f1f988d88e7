// What is signed: an in-toto Statement about the evidence and the report, with the Test Result predicate.
import type { KeyObject } from 'node:crypto';
import type { CaseVerdict, Report } from '../result.ts';
import { publicPem } from './keys.ts';

/** The type URI as spec/predicates/test-result.md of in-toto/attestation publishes it: readers compare it letter by letter. */
export const predicateType = 'https://in-toto.io/attestation/test-result/v0.1';

export const statementType = 'https://in-toto.io/Statement/v1';

interface Digest {
  readonly sha256: string;
}

export interface Statement {
  readonly _type: typeof statementType;
  readonly subject: readonly { readonly name: string; readonly digest: Digest }[];
  readonly predicateType: typeof predicateType;
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED';
    readonly configuration: readonly { readonly name: string; readonly digest: Digest; readonly annotations: object }[];
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
    /** What is ours, beside what the predicate knows. */
    readonly covenant: {
      readonly verdict: Report['verdict'];
      readonly interface: string;
      readonly target: string;
      readonly run: Report['run'];
      readonly totals: Report['totals'];
      readonly notTested: readonly string[];
      /** So that a fingerprint is enough to verify with. */
      readonly publicKey: string;
    };
  };
}

export interface Signed {
  readonly report: Report;
  readonly code: string;
  /** By file name, SHA-256. */
  readonly files: Readonly<Record<string, string>>;
}

export type Lists = Pick<Statement['predicate'], 'result' | 'passedTests' | 'warnedTests' | 'failedTests'>;

/** A recommendation that is not followed warns; so does what was not judged, and the run is then no pass. */
export function listsOf({ requirements, verdict }: Report): Lists {
  const ids = (fits: (level: string, verdict: CaseVerdict) => boolean): string[] =>
    requirements.filter((one) => fits(one.level, one.verdict)).map(({ id }) => id);
  const warnedTests = ids((level, found) => level === 'should' && found === 'failed');
  const failedTests = ids((level, found) => level === 'must' && found === 'failed');
  const clean = verdict === 'conformant' && warnedTests.length === 0;
  return {
    result: failedTests.length > 0 ? 'FAILED' : clean ? 'PASSED' : 'WARNED',
    passedTests: ids((_, found) => found === 'passed'),
    warnedTests,
    failedTests,
  };
}

export function statementOf({ report, code, files }: Signed, key: KeyObject): Statement {
  const { suite, run, target, totals, verdict, requirements } = report;
  const undecided: readonly CaseVerdict[] = ['not-tested', 'inconclusive'];
  return {
    _type: statementType,
    subject: Object.entries(files).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType,
    predicate: {
      ...listsOf(report),
      configuration: [
        {
          name: 'covenant-conformance',
          digest: { sha256: code },
          annotations: { version: suite.version, catalogue: suite.catalogue, options: run.options },
        },
      ],
      covenant: {
        verdict,
        interface: target.interface,
        target: target.base_url,
        run,
        totals,
        notTested: requirements.filter((one) => undecided.includes(one.verdict)).map(({ id }) => id),
        publicKey: publicPem(key),
      },
    },
  };
}
