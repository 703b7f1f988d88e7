// Rules of one's own beside the catalogue: judged by the same engine, and kept apart in what comes of it.
import type { Suite } from '../case.ts';
import { catalogue, type RequirementId } from '../catalogue/index.ts';
import type { OwnRequirement, OwnRows, Requirement } from '../catalogue/requirement.ts';
import type { Report } from '../result.ts';
import { totalsOf } from './verdict.ts';

/** By identifier; those of one's own begin with `x-` and can be none of the catalogue's. */
export type Rows = Readonly<Record<RequirementId, Requirement | OwnRequirement>>;

export const isOwn = (id: string): boolean => id.startsWith('x-');

const filed = (rows: OwnRows): Record<string, OwnRequirement> =>
  Object.fromEntries(
    Object.entries(rows).map(([id, row]) => [id, { area: 'own', section: 'rules of your own', ...row }]),
  );

export const rowsOf = (suites: readonly Suite[]): Rows =>
  Object.assign({}, catalogue, ...suites.map(({ own = {} }) => filed(own)));

/** What is wrong with a suite of one's own, without a full stop; undefined where nothing is. */
export function ownSuiteProblem({ own = {}, cases }: Suite): string | undefined {
  const ids = Object.keys(own);
  if (ids.length === 0) return 'it has no rule';
  const name = ids.find((id) => !/^x-[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id));
  if (name !== undefined) return `the rule ${JSON.stringify(name)} needs a name like x-house-rule`;
  const judged = new Set<string>(cases.flatMap((one) => (one.kind === 'case' ? one.ids : [one.id])));
  const stray = [...judged].find((id) => !Object.hasOwn(own, id));
  if (stray !== undefined) return `a case judges ${stray}, which is none of its rules`;
  const idle = ids.find((id) => !judged.has(id));
  return idle === undefined ? undefined : `no case judges ${idle}; add one, or leave the rule out`;
}

/** The same report with them in a place of their own, where no total, verdict or certificate counts them. */
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
