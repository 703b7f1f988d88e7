// Waivers: their file, read strictly, because a mistyped one would waive nothing, or too much; what they come to in a run, and that in sentences.
import { operationIds } from '../catalogue/operations.ts';
import type { Level } from '../catalogue/requirement.ts';
import { at, isObject } from '../client/reply.ts';
import { didYouMean, jsonIn } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import type { CaseResult, Report, Waived } from '../result.ts';
import { picked } from '../runtime/defined.ts';
import { counted } from '../runtime/text.ts';
import { instant } from '../schema/instant.ts';
import { documentText, violations } from '../schema/schema.ts';
import { failingWaivers, isAbout, isWaived } from './exit-code.ts';

export type Waiver = Omit<Waived, 'state' | 'note'>;
export type Known = Readonly<Record<string, { readonly level: Level }>>;

export const waiversFile = 'covenant.waivers.json';
const waiversFormat = 'covenant-waivers/1';
const members = ['requirement', 'operation', 'reason', 'owner', 'link', 'expires'] as const;
const dayMs = 86_400_000;

/** The first moment at which a waiver no longer holds, in milliseconds; undefined where that is not a date. */
export const endOf = (expires: string): number | undefined => {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(expires) ? instant(`${expires}T00:00Z`) : undefined;
  return midnight && midnight.ms + dayMs;
};

/** The same requirement and operation: of such there is only one. */
export const sameSubject = (one: Waiver, other: Waiver): boolean =>
  one.requirement === other.requirement && one.operation === other.operation;

/** @throws UsageError where it is about nothing that a run could fail by. `where` names it for people. */
export function checkWaiver(waiver: Waiver, known: Known, where: string): void {
  const { requirement, operation, expires } = waiver;
  const wrong = (what: string): never => {
    throw new UsageError(`${where}: ${what}`);
  };
  const level = Object.hasOwn(known, requirement) ? known[requirement]?.level : undefined;
  if (level === undefined)
    wrong(
      `no requirement is called ${JSON.stringify(requirement)}${didYouMean(requirement, Object.keys(known))} See covenant requirements.`,
    );
  if (level !== 'must')
    wrong(`${requirement} is not a MUST requirement and fails no run, so there is nothing to waive; take it out.`);
  if (operation !== undefined && !(operationIds as readonly string[]).includes(operation))
    wrong(`no operation is called ${JSON.stringify(operation)}${didYouMean(operation, operationIds)}`);
  if (endOf(expires) === undefined) wrong(`${JSON.stringify(expires)} is not a date of the form 2026-06-30 (expires).`);
  for (const name of ['reason', 'owner'] as const)
    if (waiver[name].trim() === '') wrong(`${name} is empty; somebody must be able to understand the waiver later.`);
}

function checkMembers(value: unknown, where: string): void {
  const entries = at(value, 'waivers');
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const unknown = isObject(entry)
      ? Object.keys(entry).find((name) => !(members as readonly string[]).includes(name))
      : undefined;
    if (unknown === undefined) continue;
    throw new UsageError(
      `${where}, waiver ${index + 1}: ${JSON.stringify(unknown)} is not a part of a waiver${didYouMean(unknown, members)} There are ${members.join(', ')}.`,
    );
  }
}

function checkDuplicates(waivers: readonly Waiver[], where: string): void {
  for (const [index, waiver] of waivers.entries()) {
    if (!waivers.slice(0, index).some((other) => sameSubject(waiver, other))) continue;
    throw new UsageError(`${where} waives ${subjectOf(waiver)} twice; keep one of the two.`);
  }
}

/**
 * The waivers in a text; `where` names the file.
 * @throws UsageError on the first thing that is wrong with it, an unknown requirement or operation included.
 */
export function readWaivers(text: string, where: string, known: Known): readonly Waiver[] {
  const value = jsonIn(text, `${where} is not JSON; covenant waive writes such files.`);
  const format = at(value, 'format');
  if (format !== waiversFormat) {
    throw new UsageError(
      `${where} has the format ${JSON.stringify(format)} instead of ${JSON.stringify(waiversFormat)}; covenant waive writes such files.`,
    );
  }
  checkMembers(value, where);
  const [first] = violations('waivers', value);
  if (first !== undefined) {
    throw new UsageError(
      `${where}: at ${first.pointer} there should be ${first.expected}, but there is ${first.actual}.`,
    );
  }
  const { waivers } = value as { waivers: readonly Waiver[] };
  for (const [index, waiver] of waivers.entries()) checkWaiver(waiver, known, `${where}, waiver ${index + 1}`);
  checkDuplicates(waivers, where);
  return waivers;
}

const orderOf = ({ requirement, operation = '' }: Waiver): string => `${requirement} ${operation}`;

/** The file's text: sorted, so that a change shows as one. */
export function writtenWaivers(waivers: readonly Waiver[]): string {
  const sorted = [...waivers].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  return documentText('waivers', { format: waiversFormat, waivers: sorted.map((one) => picked(members, one)) });
}

type Judgement = Pick<Waived, 'state' | 'note'>;

/** A run that leaves a part of the checks out cannot show that a failure is gone. */
const searchedAll = ({ run: { options } }: Report): boolean =>
  !options.read_only && options.exhaustion && options.effort !== 'quick';

const decided = ({ verdict }: Pick<CaseResult, 'verdict'>): boolean => verdict === 'passed' || verdict === 'failed';

function judge(waiver: Waiver, report: Report, now: number): Judgement {
  const { requirement, owner, expires } = waiver;
  const what = subjectOf(waiver);
  const end = endOf(expires);
  if (end === undefined || now >= end) {
    return {
      state: 'expired',
      note: `The waiver for ${what} has expired on ${expires}; ${owner} should repair it, or renew the waiver with a new date.`,
    };
  }
  const row = report.requirements.find(({ id }) => id === requirement);
  if (row === undefined) return { state: 'idle', note: `${what} was not selected in this run.` };
  if (report.verdict === 'aborted') return { state: 'idle', note: `${what} was not judged: the run was aborted.` };
  const cases = row.cases.filter((one) => isAbout(waiver, row, one));
  if (cases.some(({ verdict }) => verdict === 'failed')) {
    return { state: 'applied', note: `${what} fails, which is waived until ${expires}.` };
  }
  if (!decided(row) && !cases.some(decided)) return { state: 'idle', note: `${what} was not judged in this run.` };
  if (cases.some((one) => !decided(one))) return { state: 'idle', note: `${what} was judged only in part.` };
  if (!searchedAll(report)) return { state: 'idle', note: `${what} did not fail, but this run left checks out.` };
  return {
    state: 'stale',
    note: `The waiver for ${what} is stale: it did not fail in this run. Take it out of the file.`,
  };
}

/** The report with what its waivers came to; the verdict stays what it is. `now` is in milliseconds since the epoch. */
export const withWaivers = (report: Report, waivers: readonly Waiver[], now: number): Report => ({
  ...report,
  waivers: waivers.map((waiver) => ({ ...waiver, ...judge(waiver, report, now) })),
});

const words: Readonly<Record<Waived['state'], string>> = {
  applied: 'applied',
  idle: 'not needed in this run',
  expired: 'EXPIRED',
  stale: 'STALE',
};

export const stateOf = ({ state }: Waived): string => words[state];

/** Requirement and operation of a waiver. */
export const subjectOf = ({ requirement, operation }: Pick<Waiver, 'requirement' | 'operation'>): string =>
  operation === undefined ? requirement : `${requirement} at ${operation}`;

/** Who accepted it, why, and until when. */
export const termsOf = ({ reason, owner, link, expires }: Waived): string =>
  `${reason} (${owner}, until ${expires}${link === undefined ? '' : `, ${link}`})`;

/** What the waivers mean for the gate, in one sentence; undefined where the run was given none. */
export function gateSentence(report: Report): string | undefined {
  if (report.waivers === undefined) return undefined;
  const failed = report.requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'failed');
  const open = failed.filter((row) => !isWaived(report, row)).length;
  const unfit = failingWaivers(report).length;
  const complaints = [
    open > 0 ? `${counted(open, 'failed MUST requirement')} not waived` : '',
    unfit > 0 ? `${counted(unfit, 'waiver')} expired or stale` : '',
  ].filter((complaint) => complaint !== '');
  if (report.verdict === 'aborted') return 'The gate stays shut: the run was aborted.';
  if (complaints.length > 0) return `The gate stays shut: ${complaints.join(', ')}.`;
  if (failed.length === 0) return 'No waiver was needed.';
  return `${counted(failed.length, 'failed MUST requirement')} waived: waivers may let the gate pass, but the target does not conform.`;
}
