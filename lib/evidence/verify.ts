// Judges a recorded run anew: whether its record is whole, who signed it, and whether what was found follows from it.
import type { Suite } from '../case.ts';
import type { Report, RunVerdict } from '../result.ts';
import { sha256 } from '../runtime/digest.ts';
import { differencesBetween, type Moved, movedVerdicts, verdictsOf } from './differences.ts';
import { type Found, format, type Header, interfaceRevision, type SuiteIdentity } from './format.ts';
import { alteredIn, followingFrom } from './given.ts';
import type { Evidence } from './read.ts';
import { type Replayed, replayed } from './replayed.ts';

/** A report that is held against the evidence. */
export interface HeldReport {
  readonly bytes: Uint8Array;
  readonly report: Report;
}

export interface Verification {
  /**
   * `follows`: whole, and every verdict follows from it; `broken`: it does not; `other-version`: another version of the
   * suite asked other questions.
   */
  readonly outcome: 'follows' | 'broken' | 'other-version';
  /** What the run came to as it is judged now; absent where that cannot be said. */
  readonly verdict?: RunVerdict;
  /** What is wrong, a sentence each. */
  readonly troubles: readonly string[];
  readonly moved: readonly Moved[];
  /** The report that follows from the evidence; absent where none does. */
  readonly report?: Report;
}

export interface Asked {
  readonly evidence: Evidence;
  readonly suites: readonly Suite[];
  /** The suite that is installed. */
  readonly own: SuiteIdentity;
  readonly held?: HeldReport;
}

/** A version is what it says it is only with the code of that version. */
function claimed({ suite: theirs, interface: revision }: Header, own: SuiteIdentity): string[] {
  if (theirs.version !== own.version) return [];
  const differing = (['catalogue', 'code'] as const).filter((part) => theirs[part] !== own[part]);
  const words = `it claims to be recorded by Covenant ${own.version}, whose`;
  return [
    ...differing.map(
      (part) => `${words} ${part} is ${own[part].slice(0, 12)}…, but names ${theirs[part].slice(0, 12)}…`,
    ),
    ...(revision === interfaceRevision ? [] : [`${words} interface is ${interfaceRevision}, but names ${revision}`]),
  ];
}

const movedWords = ({ requirement, was = 'not judged', is = 'not judged' }: Moved): string =>
  `${requirement}: recorded as ${was}, but ${is} follows from the evidence`;

/** What the report says and the evidence does not. */
function againstReport({ bytes, report }: HeldReport, sealed: string, followed: Report): string[] {
  const moved = movedVerdicts(verdictsOf(report), verdictsOf(followed)).map(
    ({ requirement, was = 'not judged', is = 'not judged' }) =>
      `${requirement}: ${was} in the report, but ${is} follows from the evidence`,
  );
  const places = differencesBetween(report, followed).map((place) => `the report does not follow at ${place}`);
  const altered = sha256(bytes) === sealed ? [] : ['the report is not the one that was sealed with the evidence'];
  return [...altered, ...moved, ...(moved.length > 0 ? [] : places)];
}

/** The whole report is the same only by the code that wrote it: a later version may report more. */
function sealedOtherwise({ given, follows }: Found, report: Report, { evidence, own }: Asked): string[] {
  if (evidence.header.suite.code !== own.code) return [];
  if (given === undefined) return ['what the run was given is not sealed with what it found, as this version does'];
  return followingFrom(given, report) === follows ? [] : ['the report that follows is not the one that was sealed'];
}

function judgedOf({ report, diverged }: Replayed, found: Found, asked: Asked) {
  const { held } = asked;
  if (report === undefined) return { moved: [], troubles: [`the run cannot be played again: ${diverged.why}`] };
  const moved = movedVerdicts(found.verdicts, verdictsOf(report));
  const overall =
    found.verdict === report.verdict
      ? []
      : [`the run is recorded as ${found.verdict}, but ${report.verdict} follows from the evidence`];
  const verdicts = [...moved.map(movedWords), ...overall];
  const against = held ? againstReport(held, found.report, report) : [];
  // Verdicts that moved say so already.
  const sealed = verdicts.length > 0 ? [] : sealedOtherwise(found, report, asked);
  const troubles = [...verdicts, ...sealed, ...against];
  return { moved, troubles, report, verdict: report.verdict };
}

/** Sends nothing and needs no credential. */
export async function verify(asked: Asked): Promise<Verification> {
  const { evidence, suites, own } = asked;
  const { header, found, damage } = evidence;
  if (header.format !== format) {
    return {
      outcome: 'other-version',
      moved: [],
      troubles: [`its format is ${header.format}, and this version reads ${format}`],
    };
  }
  if (found === undefined) return { outcome: 'broken', moved: [], troubles: damage };
  const judged = judgedOf(await replayed(suites, { ...evidence, found }), found, asked);
  const before = [...damage, ...alteredIn(header, found), ...claimed(header, own)];
  const troubles = [...before, ...judged.troubles];
  if (before.length === 0 && header.suite.version !== own.version && troubles.length > 0)
    return { ...judged, outcome: 'other-version', troubles };
  return { ...judged, outcome: troubles.length === 0 ? 'follows' : 'broken', troubles };
}
