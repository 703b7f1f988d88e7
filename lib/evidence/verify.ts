// Judges the recorded exchanges again: whether the file is complete, and whether the report follows from it.
import { isDeepStrictEqual } from 'node:util';
import type { Suite } from '../case.ts';
import { catalogue, type RequirementId } from '../catalogue/index.ts';
import type { ProfileName } from '../catalogue/profiles.ts';
import { isObject } from '../client/reply.ts';
import type { Effort } from '../configuration/settings.ts';
import type { CaseVerdict, Report, RequirementResult, RunVerdict } from '../result.ts';
import type { Findings } from '../run/findings.ts';
import { findingsOf } from '../run/judge-history.ts';
import { blamedOn } from '../run/refusals.ts';
import { select } from '../run/selection.ts';
import { overall, runVerdict, totalsOf } from '../run/verdict.ts';
import { defined } from '../runtime/defined.ts';
import { sha256 } from '../runtime/text.ts';
import {
  type Evidence,
  type Found,
  format,
  type Header,
  historyOf,
  interfaceRevision,
  type SuiteIdentity,
} from './read.ts';

/** A report that is held against the evidence. */
export interface HeldReport {
  readonly bytes: Uint8Array;
  readonly report: Report;
}

/** A requirement whose reported verdict does not follow. */
interface Moved {
  readonly requirement: string;
  readonly was: string;
  readonly is: string;
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
  /** Requirements that passed by checks that only the run could make: no exchange by itself shows them. */
  readonly asRecorded: readonly string[];
  /** The report that is sealed in the evidence; absent where none is. */
  readonly report?: Report;
}

export interface Asked {
  readonly evidence: Evidence;
  readonly suites: readonly Suite[];
  /** The suite that is installed. */
  readonly own: SuiteIdentity;
  readonly held?: HeldReport;
}

/** Sends nothing and needs no credential. */
export function verify({ evidence, suites, own, held }: Asked): Verification {
  const { header, found, damage } = evidence;
  if (header.format !== format) {
    const why = `its format is ${header.format}, and this version reads ${format}`;
    return { outcome: 'other-version', moved: [], asRecorded: [], troubles: [why] };
  }
  if (found === undefined) return { outcome: 'broken', moved: [], asRecorded: [], troubles: damage };
  const { report } = found;
  const findings = judgedAgain(evidence, found, suites);
  const followed = report.requirements.map((one) => ({ ...one, verdict: followedOf(one, findings) }));
  const moved = followed.flatMap(({ id, verdict: is }, index): Moved[] => {
    const was = report.requirements[index]?.verdict ?? is;
    return was === is ? [] : [{ requirement: id, was, is }];
  });
  const totals = totalsOf(followed);
  const verdict = report.verdict === 'aborted' ? report.verdict : runVerdict(totals);
  const before = [...damage, ...claimed(header, own), ...misselected(report, suites)];
  const judged = [
    ...moved.map(
      ({ requirement, was, is }) => `${requirement}: recorded as ${was}, but ${is} follows from the evidence`,
    ),
    ...(verdict === report.verdict
      ? []
      : [`the run is recorded as ${report.verdict}, but ${verdict} follows from the evidence`]),
    ...differencesBetween({ totals: report.totals }, { totals }).map(
      (place) => `the report does not follow at ${place}`,
    ),
    ...(held ? againstReport(held, found) : []),
  ];
  const troubles = [...before, ...judged];
  const isOther = before.length === 0 && header.suite.version !== own.version && troubles.length > 0;
  const outcome = troubles.length === 0 ? 'follows' : isOther ? 'other-version' : 'broken';
  const asRecorded = followed.flatMap(({ id, verdict }) =>
    verdict === 'passed' && findings.of(id as RequirementId).length === 0 ? [id] : [],
  );
  return { outcome, verdict, troubles, moved, asRecorded, report };
}

/** What the exchanges show of the requirements that were judged. */
function judgedAgain({ exchanges }: Evidence, found: Found, suites: readonly Suite[]): Findings {
  const ids = found.report.requirements.flatMap(({ id }) =>
    Object.hasOwn(catalogue, id) ? [id as RequirementId] : [],
  );
  return findingsOf(suites, historyOf(exchanges, found), new Set(ids));
}

/**
 * The verdict of a requirement as the exchanges show it, with what only the run itself can know: what it did not come to,
 * what a case checked itself, and a refused request that is blamed because a case could not go on.
 */
function followedOf({ id, cases }: RequirementResult, findings: Findings): CaseVerdict {
  const shown = findings.of(id as RequirementId);
  const isDecided = (verdict: string): boolean => verdict === 'passed' || verdict === 'failed';
  const kept = cases.filter((one) => one.case !== undefined || !isDecided(one.verdict) || id === blamedOn);
  return overall([...kept, ...shown]);
}

/** A version is what it says it is only with the code of that version. */
function claimed({ suite: theirs, interface: revision }: Header, own: SuiteIdentity): string[] {
  if (theirs.version !== own.version) return [];
  const words = `it claims to be recorded by Covenant ${own.version}, whose`;
  return [
    ...(['catalogue', 'code'] as const).flatMap((part) =>
      theirs[part] === own[part]
        ? []
        : [`${words} ${part} is ${own[part].slice(0, 12)}…, but names ${theirs[part].slice(0, 12)}…`],
    ),
    ...(revision === interfaceRevision ? [] : [`${words} interface is ${interfaceRevision}, but names ${revision}`]),
  ];
}

/** Requirements that the settings of the run select and the report leaves out, or the other way round. */
function misselected({ requirements, run: { options } }: Report, suites: readonly Suite[]): string[] {
  const { area, requirement, read_only: readOnly, exhaustion, shard } = options;
  // The schema of a report allows no others.
  const named = { effort: options.effort as Effort, profile: options.profile as ProfileName };
  const some = defined({ areas: area ?? undefined, requirements: requirement ?? undefined, shard });
  const selected = new Set<string>(select(suites, { readOnly, exhaustion, ...named, ...some }).ids);
  const reported = new Set(requirements.map(({ id }) => id));
  return [
    ...[...selected].filter((id) => !reported.has(id)).map((id) => `${id} was selected, and the report leaves it out`),
    ...[...reported].filter((id) => !selected.has(id)).map((id) => `${id} was not selected, and the report has it`),
  ];
}

/** What a report says and the one in the evidence does not. */
function againstReport({ bytes, report }: HeldReport, { report: own, sha256OfReport }: Found): string[] {
  if (sha256(bytes) === sha256OfReport) return [];
  // Waivers are added after the run, by whoever looks at it.
  const { waivers: _, ...rest } = report;
  const places = differencesBetween(rest, own).map((place) => `the report differs from it at ${place || 'its root'}`);
  return ['the report is not the one that was sealed with the evidence', ...places];
}

const listMax = 5;

/** JSON pointers to the first places where two values differ. */
function places(one: unknown, other: unknown, path = '', found: string[] = []): string[] {
  if (found.length >= listMax || isDeepStrictEqual(one, other)) return found;
  const bothLists = Array.isArray(one) && Array.isArray(other);
  if (!bothLists && !(isObject(one) && isObject(other))) return [...found, path];
  const [left, right] = [Object.entries(one), Object.entries(other)];
  const keys = new Set([...left, ...right].map(([key]) => key));
  const values = [new Map(left), new Map(right)] as const;
  let all = found;
  for (const key of keys) all = places(values[0].get(key), values[1].get(key), `${path}/${key}`, all);
  return all;
}

/** JSON pointers to the first places where they differ, also where one holds members of which the other says nothing. */
const differencesBetween = (one: object, other: object): string[] =>
  places(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));

export const verifyCodes = { conformant: 0, notConformant: 1, usage: 2, doesNotFollow: 3, otherVersion: 4 } as const;

export function verifyCode({ outcome, verdict }: Pick<Verification, 'outcome' | 'verdict'>): number {
  if (outcome === 'broken') return verifyCodes.doesNotFollow;
  if (outcome === 'other-version') return verifyCodes.otherVersion;
  return verdict === 'conformant' ? verifyCodes.conformant : verifyCodes.notConformant;
}
