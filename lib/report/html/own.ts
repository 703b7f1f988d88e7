// Rules of one's own: after everything that the document asks for, and apart from it.
import type { Report, RequirementResult } from '../../result.ts';
import { short } from '../../runtime/text.ts';
import { html, type Markup } from './markup.ts';
import { table } from './table.ts';
import { chip, lookOf } from './verdict.ts';

const columns = [{ name: 'Rule' }, { name: 'Verdict' }, { name: 'What was found' }] as const;
const mostOfFinding = 400;

function found({ id, reason, cases }: RequirementResult, { observations }: NonNullable<Report['own']>): string {
  const answer = observations.find((one) => one.id === id)?.answer;
  const messages = cases.flatMap(({ failure }) => failure?.message ?? []);
  return short([answer, reason, ...new Set(messages)].filter(Boolean).join('; '), mostOfFinding);
}

export function ownRules({ own }: Report): Markup {
  if (own === undefined) return html``;
  const rows = own.requirements.map((row) => [
    html`<code>${row.id}</code> ${row.statement}`,
    chip(lookOf(row)),
    found(row, own),
  ]);
  return html`<section id="own" aria-labelledby="own-title"><h2 id="own-title">Rules of your own</h2>
<p>No verdict and no certificate counts them.</p>
${table('Rules of your own', columns, rows)}</section>`;
}
