// A certificate as data: who was examined, by what, with which result, and how anybody verifies it; or what rules it out.
import type { RateClass } from '../../catalogue/operations.ts';
import type { Report, RequirementResult } from '../../result.ts';
import { defined } from '../../runtime/defined.ts';
import { obstacles } from '../wording.ts';

/** `covenant.product.json`. */
export interface Product {
  readonly implementation: string;
  readonly version: string;
  readonly vendor: string;
  readonly contact: string;
  /** Which part of the interface it offers; absent where nothing is declared. */
  readonly profile?: string;
}

/** How many checks were shown able to fail on the recorded replies. */
interface ControlFigures {
  readonly musts: number;
  readonly shown: number;
  /** Of those shown: by mutants that break the very requirement, and by other changes of a reply. */
  readonly byMutants: number;
  readonly byChanges: number;
  /** MUST requirements that passed and that nothing could turn red, by name. */
  readonly notShown: readonly string[];
}

export interface Certified {
  readonly report: Report;
  readonly product: Product;
  readonly evidence: { readonly name: string; readonly sha256: string };
  /** SHA-256 of the code that judged. */
  readonly code: string;
  /** Fingerprint of the signer's key; absent where nobody signed. */
  readonly signer?: string;
  readonly controls?: ControlFigures;
}

export interface Certificate {
  readonly format: 'covenant-certificate/1';
  readonly product: Omit<Product, 'profile'>;
  readonly interface: { readonly name: string; readonly revision: string; readonly profile: string };
  readonly suite: { readonly version: string; readonly catalogue: string; readonly code: string };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly effort: string;
    readonly target: string;
    readonly started_at: string;
    readonly finished_at: string;
    readonly limits: readonly { readonly account: string; readonly class: RateClass; readonly limit: number }[];
  };
  readonly result: {
    readonly verdict: 'conformant';
    readonly totals: Report['totals'];
    /** How many exchanges could have failed a MUST requirement, summed over all of them. */
    readonly judged: number;
    /** Recommendations that are not followed. */
    readonly warnings: readonly string[];
    /** What the document states and nobody can test from outside. */
    readonly not_testable: readonly string[];
    /** What the profile leaves out by declaration. */
    readonly out_of_scope: readonly string[];
  };
  readonly controls?: ControlFigures;
  readonly evidence: { readonly name: string; readonly sha256: string };
  readonly signer?: string;
  /** The command with which anybody verifies it. */
  readonly verify: string;
}

/** A sentence each; empty where the certificate may be issued. */
export function ruledOut({
  report,
  product,
  signer,
}: Pick<Certified, 'report' | 'product' | 'signer'>): readonly string[] {
  const { profile } = report.run.options;
  const declared = product.profile ?? profile;
  const otherwise =
    declared === profile
      ? []
      : [`the product declares the ${declared} profile, and the run was in the ${profile} profile`];
  const unsigned = signer === undefined ? ['nobody signed the evidence; covenant sign does'] : [];
  return [...obstacles(report), ...otherwise, ...unsigned];
}

const idsOf = (all: readonly Pick<RequirementResult, 'id'>[]): string[] => all.map(({ id }) => id);

/** Of a run that nothing rules out. */
export function certificateOf({ report, product, evidence, code, signer, controls }: Certified): Certificate {
  const { suite, run, target, totals, requirements, untestable, out_of_scope = [], budget } = report;
  const { profile: _, ...named } = product;
  return {
    format: 'covenant-certificate/1',
    product: named,
    interface: {
      name: 'External REST Interface v2',
      revision: target.interface,
      profile: run.options.profile,
    },
    suite: { ...suite, code },
    run: {
      id: run.id,
      seed: run.seed,
      effort: run.options.effort,
      target: target.base_url,
      started_at: run.started_at,
      finished_at: run.finished_at,
      limits: budget.flatMap(({ account, class: rate, limit }) =>
        limit === null ? [] : [{ account, class: rate, limit }],
      ),
    },
    result: {
      verdict: 'conformant',
      totals,
      judged: requirements.reduce((sum, { level, judged = 0 }) => sum + (level === 'must' ? judged : 0), 0),
      warnings: idsOf(requirements.filter(({ level, verdict }) => level === 'should' && verdict === 'failed')),
      not_testable: idsOf(untestable),
      out_of_scope: idsOf(out_of_scope),
    },
    evidence,
    verify: `covenant verify ${evidence.name}${signer === undefined ? '' : ` --key ${signer}`}`,
    ...defined({ signer, controls }),
  };
}
