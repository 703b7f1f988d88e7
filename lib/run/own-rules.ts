// The user's own rules: judged by the same engine, and reported apart from the catalogue.
import type { Suite } from '../case.ts';
import { catalogue, type RequirementId } from '../catalogue/index.ts';
import { operations } from '../catalogue/operations.ts';
import type { OwnRequirement, OwnRows, Requirement } from '../catalogue/requirement.ts';
import { isObject } from '../client/reply.ts';
import { didYouMean } from '../configuration/checked.ts';
import type { Report } from '../result.ts';
import { totalsOf } from './verdict.ts';

/** By identifier; the user's own begin with `x-` and are never the catalogue's. */
export type Rows = Readonly<Record<RequirementId, Requirement | OwnRequirement>>;

export const isOwn = (id: string): boolean => id.startsWith('x-');

const filed = (rows: OwnRows): Record<string, OwnRequirement> =>
  Object.fromEntries(
    Object.entries(rows).map(([id, row]) => [id, { area: 'own', section: 'rules of your own', ...row }]),
  );

export const rowsOf = (suites: readonly Suite[]): Rows =>
  Object.assign({}, catalogue, ...suites.map(({ own = {} }) => filed(own)));

/** Whether it may be a suite with own rules; `ownSuiteProblem` then says what is wrong with it. */
export const isOwnSuite = (value: unknown): value is Suite =>
  isObject(value) && Array.isArray(value.cases) && isObject(value.own);

const isCase = (one: unknown): boolean =>
  isObject(one) && ((one.kind === 'case' && Array.isArray(one.ids)) || (one.kind === 'invariant' && 'id' in one));

const isRunnable = (one: Suite['cases'][number]): boolean =>
  one.kind === 'case'
    ? typeof one.run === 'function'
    : typeof one.judge === 'function' && typeof one.applies === 'function' && Array.isArray(one.over);

const isRow = (row: unknown): boolean =>
  isObject(row) && ['must', 'should', 'observe'].includes(String(row.level)) && typeof row.statement === 'string';

/** What is wrong with an own suite, without a full stop; undefined if nothing is. */
export function ownSuiteProblem({ own = {}, cases }: Suite): string | undefined {
  const ids = Object.keys(own);
  if (ids.length === 0) return 'it has no rule';
  const name = ids.find((id) => !/^x-[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id));
  if (name !== undefined) return `the rule ${JSON.stringify(name)} needs a name like x-house-rule`;
  if (!cases.every(isCase)) return 'one of its cases is none; make each with conforms or everyReply';
  const judged = new Set<string>(cases.flatMap((one) => (one.kind === 'case' ? one.ids : [one.id])));
  const stray = [...judged].find((id) => !Object.hasOwn(own, id));
  if (stray !== undefined) return `a case judges ${stray}, which is none of its rules`;
  const idle = ids.find((id) => !judged.has(id));
  if (idle !== undefined) return `no case judges ${idle}; add one, or leave the rule out`;
  const [bare] = Object.entries(own).find(([, row]) => !isRow(row)) ?? [];
  if (bare !== undefined) return `the rule ${bare} has no level or statement; make it with must, should or observe`;
  if (!cases.every(isRunnable)) return 'a case has no function; make it with conforms or everyReply';
  const named = cases.flatMap((one) => (one.kind === 'case' ? [one.visits ?? []].flat() : one.over));
  const unknown = named.find((one) => !Object.hasOwn(operations, one));
  if (unknown === undefined) return undefined;
  const hint = didYouMean(unknown, Object.keys(operations)).replace(/[.?]$/, '');
  return `${JSON.stringify(unknown)} is no operation of the interface${hint}`;
}

/** A rule that more than one of the suites has. */
export function sharedRule(suites: readonly Suite[]): string | undefined {
  const ids = suites.flatMap(({ own = {} }) => Object.keys(own));
  return ids.find((id, index) => ids.indexOf(id) < index);
}

/** The same report with the own rules in a separate section, where no total, verdict or certificate counts them. */
export function apart(report: Report): Report {
  const own = report.requirements.filter(({ id }) => isOwn(id));
  if (own.length === 0) return report;
  return {
    ...report,
    requirements: report.requirements.filter(({ id }) => !isOwn(id)),
    observations: report.observations.filter(({ id }) => !isOwn(id)),
    own: {
      totals: totalsOf(own),
      requirements: own,
      observations: report.observations.filter(({ id }) => isOwn(id)),
    },
  };
}
