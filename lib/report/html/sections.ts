// The parts of the page below the band: failures first, then what could not be tested, all requirements, and the cost.

import type { Report } from '../../result.ts';
import { counted, short } from '../../runtime/text.ts';
import {
  byArea,
  failedAt,
  filters,
  outOfScope,
  profileOf,
  rootCauses,
  took,
  unjudgedByReason,
  waitingSentence,
} from '../wording.ts';
import {
  areaAnchor,
  areaName,
  type Column,
  fold,
  html,
  linksTo,
  type Markup,
  requirementLink,
  table,
} from './markup.ts';
import { requirement, type Sheet } from './requirement.ts';

const mostOfText = 300;

const section = (id: string, title: string, content: Markup): Markup =>
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;

/** The failed requirements of a level, each folded; those that others wait for first. */
export function failed(level: 'must' | 'should', sheet: Sheet): Markup {
  const rows = failedAt(sheet.report, level);
  if (rows.length === 0) return html``;
  const title = level === 'must' ? 'Failures' : 'Warnings: recommended, and does not hold';
  const id = level === 'must' ? 'failures' : 'warnings';
  return section(id, `${title} (${rows.length})`, html`${rows.map((row) => requirement(row, sheet))}`);
}

export function open(sheet: Sheet): Markup {
  const { report } = sheet;
  const causes = rootCauses(report).map(([cause, rows], index) =>
    fold({ id: `waiting-${index + 1}`, summary: html`${waitingSentence(cause, rows)}`, body: linksTo(rows) }),
  );
  const reasons = unjudgedByReason(report).map(([reason, rows], index) =>
    fold({
      id: `open-${index + 1}`,
      summary: html`${counted(rows.length, 'requirement')}: ${short(reason, mostOfText)}`,
      body: linksTo(rows),
    }),
  );
  const left = filters(report);
  const choice = left.length === 0 ? '' : html`<p>Left out by choice: ${left.join('; ')}.</p>`;
  const scope = leftOut(sheet);
  if (causes.length + reasons.length + left.length + String(scope).length === 0) return html``;
  return section('open', 'Not tested, and why', html`${choice}${scope}${causes}${reasons}`);
}

/** What the profile leaves out by declaration, by name. */
function leftOut({ report }: Sheet): Markup {
  const rows = (report.out_of_scope ?? []).map((row) => [
    html`<code>${row.id}</code>`,
    row.level.toUpperCase(),
    row.statement,
  ]);
  if (rows.length === 0) return html``;
  const columns = [{ name: 'Requirement' }, { name: 'Level' }, { name: 'Statement', wide: true }] as const;
  const body = table(`Out of scope of the ${profileOf(report)}`, columns, rows);
  const summary = html`Out of scope of the ${profileOf(report)}, by declaration: ${outOfScope(report)}`;
  return fold({ id: 'out-of-scope', summary, body });
}

export function requirements(sheet: Sheet): Markup {
  const folds = [...byArea(sheet.report)].map(([area, rows]) => {
    const bad = rows.filter((row) => row.verdict === 'failed').length;
    const summary = html`${areaName(area)} <span class="note">${counted(rows.length, 'requirement')}${bad === 0 ? '' : `, ${bad} failed`}</span>`;
    const body = rows.map((row) => (row.verdict === 'failed' ? linksTo([row]) : requirement(row, sheet)));
    return fold({ id: areaAnchor(area), summary, body });
  });
  return section('requirements', 'All requirements', html`<div id="found" hidden></div>${folds}`);
}

export function observations({ report }: Sheet): Markup {
  const { observations: all } = report;
  if (all.length === 0) return html``;
  const rows = all.map(({ id, question, answer }) => [question, short(answer, mostOfText), requirementLink(id)]);
  const body = table(
    'Every choice of the document and what this target does',
    [{ name: 'Question' }, { name: 'Answer' }, { name: 'Requirement', wide: true }],
    rows,
  );
  const summary = html`${counted(all.length, 'answer')} where the document is silent; recorded and never judged`;
  return section('observations', 'Observed behaviour', fold({ id: 'profile', summary, body }));
}

function untestable({ report }: Sheet): Markup {
  const rows = report.untestable.map((row) => [row.statement, row.reason, row.section]);
  if (rows.length === 0) return html``;
  const columns = [{ name: 'Statement' }, { name: 'Reason' }, { name: 'Section', wide: true }] as const;
  const summary = html`${counted(rows.length, 'statement')} of the document that no run from outside can test`;
  return fold({ id: 'untestable', summary, body: table('Not testable, with the reason', columns, rows) });
}

function residue({ report }: Sheet): Markup {
  if (report.residue.length === 0) return html`<p>The run left nothing behind.</p>`;
  const kinds = [...new Set(report.residue.map(({ kind }) => kind))];
  const amounts = kinds.map((kind) => {
    const count = report.residue.filter((one) => one.kind === kind).length;
    return counted(count, kind, kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`);
  });
  const rows = report.residue.map(({ kind, id, name }) => [kind, html`<code>${id}</code>`, short(name, mostOfText)]);
  const body = table(
    'Left behind, because the interface offers no way to delete it',
    [{ name: 'Kind' }, { name: 'Identifier' }, { name: 'Name' }],
    rows,
  );
  return fold({ id: 'residue', summary: html`Left behind: ${amounts.join(', ')}`, body });
}

export function cost(sheet: Sheet): Markup {
  const { report } = sheet;
  const sent = report.budget.reduce((sum, one) => sum + one.sent, 0);
  const budget =
    report.budget.length === 0
      ? ''
      : fold({ id: 'budget', summary: html`Requests by account and class`, body: budgetTable(report) });
  return section(
    'cost',
    'What the run took, and what it left',
    html`<p>${counted(sent, 'request')} in ${took(report.run)}.</p>${budget}${residue(sheet)}${untestable(sheet)}`,
  );
}

const budgetColumns: readonly Column[] = [
  { name: 'Account' },
  { name: 'Class' },
  { name: 'Limit a minute', number: true },
  { name: 'Sent', number: true },
  { name: 'Refused unasked', number: true },
];

const planned: Column = { name: 'Planned', number: true };

/** Includes the numbers of the plan, if there is one. */
export function budgetTable({ budget, plan }: Report): Markup {
  const rows = budget.map(({ account, class: name, limit, sent, throttled }) => {
    const plannedRequests = plan?.requests.find((one) => one.account === account && one.class === name)?.requests ?? 0;
    return [account, name, limit ?? 'none', sent, throttled, ...(plan === undefined ? [] : [plannedRequests])];
  });
  const all = plan === undefined ? budgetColumns : [...budgetColumns, planned];
  return table('Requests per account and class; refused unasked are 429s that no case was about', all, rows);
}
