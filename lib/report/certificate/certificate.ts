// A certificate as data and as a page: who was examined, by what, with which result, and how anybody verifies it; or what rules it out.

import type { RateClass } from '../../catalogue/operations.ts';
import { defaultProfile } from '../../catalogue/profiles.ts';
import type { Report, RequirementResult } from '../../result.ts';
import { defined } from '../../runtime/defined.ts';
import { moment } from '../../runtime/text.ts';
import { facts, html, type Markup, wholePage } from '../html/markup.ts';
import { base, parts } from '../html/style.ts';
import { certificateObstacles } from '../wording.ts';

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
  readonly format: 'covenant-certificate/2';
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
  return [...certificateObstacles(report), ...otherwise, ...unsigned];
}

const idsOf = (all: readonly Pick<RequirementResult, 'id'>[]): string[] => all.map(({ id }) => id);

/** Of a run that nothing rules out. */
export function certificateOf({ report, product, evidence, code, signer, controls }: Certified): Certificate {
  const { suite, run, target, totals, requirements, untestable, out_of_scope = [], budget } = report;
  const { profile: _, ...named } = product;
  return {
    format: 'covenant-certificate/2',
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

/** As a sheet of paper: its code in blocks, its width that of a page. */
const style = `${base}${parts}
body { margin: 0 auto; max-width: 48rem; padding: 2rem 1.5rem; }
.command { display: block; padding: .5rem .75rem; background: var(--sunk); border: 1px solid var(--rule); }
@media print { body { padding: 0; max-width: none; } }
`;

function result({ result: { totals, judged, warnings, not_testable, out_of_scope }, controls }: Certificate): Markup {
  const { must, should, observe } = totals;
  const rows: (readonly [string, string])[] = [
    ['MUST', `all ${must.passed} tested and held; ${judged} exchanges could have failed one`],
    [
      'SHOULD',
      `${should.passed} followed, ${warnings.length} not${warnings.length > 0 ? `: ${warnings.join(', ')}` : ''}`,
    ],
    ['Observed', `${observe.observed} answers where the document is silent`],
    ['Not testable', `${not_testable.length} statements that nobody can test from outside`],
    ...(out_of_scope.length === 0
      ? []
      : [['Out of scope', `by declaration, ${out_of_scope.length}: ${out_of_scope.join(', ')}`] as const]),
  ];
  if (controls) {
    const missing = controls.notShown.length > 0 ? `; not shown: ${controls.notShown.join(', ')}` : '';
    rows.push([
      'Live controls',
      `${controls.shown} of ${controls.musts} requirements seen to fail once these replies were changed${missing}`,
    ]);
  }
  return facts(rows);
}

/** Deterministic: the same certificate gives the same bytes. */
export function certificatePage(certificate: Certificate): string {
  const { product, run, suite, evidence, signer, verify } = certificate;
  const { name, revision, profile } = certificate.interface;
  const scope = profile === defaultProfile ? '' : `, ${profile} profile`;
  return wholePage({
    title: `Certificate of conformance: ${product.implementation} ${product.version}`,
    style,
    content: html`<header><h1>Certificate of conformance</h1><p>${name}, revision ${revision}${scope}</p></header>
<main>
<p class="claim"><strong>${product.implementation} ${product.version}</strong> by ${product.vendor} conforms to the interface${scope && ` in its ${profile} profile`}, as far as the suite named here tests it.</p>
<h2>Implementation</h2>
${facts([
  ['Product', `${product.implementation} ${product.version}`],
  ['Vendor', product.vendor],
  ['Contact', product.contact],
  ['Examined at', html`<code>${run.target}</code>`],
  ['Examined on', `${moment(run.started_at)} to ${moment(run.finished_at)}`],
])}
<h2>Result</h2>
${result(certificate)}
<h2>How it was tested</h2>
${facts([
  ['Suite', `Covenant ${suite.version}, effort ${run.effort}, seed ${run.seed}`],
  ['Catalogue', html`<code>${suite.catalogue}</code>`],
  ['Code', html`<code>${suite.code}</code>`],
  ['Evidence', html`<code>${evidence.sha256}</code>`],
  ['Signed by', html`<code>sha256:${signer ?? ''}</code>`],
])}
<h2>How to verify it</h2>
<p>With Covenant ${suite.version} from a source that you trust, the evidence file and its signature, and without any credential:</p>
<code class="command">${verify}</code>
</main>
<footer><p>This sheet proves nothing by itself: the verdict follows from the evidence, and anybody can recompute it. Compare the fingerprint of the signer with what the vendor publishes.</p></footer>`,
  });
}
