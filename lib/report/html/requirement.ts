// One requirement, folded: verdict, statement and all that is known of it; and how the document is read.
import { isWaived } from '../../gate/exit-code.ts';
import type { CaseVerdict, Report, RequirementResult } from '../../result.ts';
import { counted, short } from '../../runtime/text.ts';
import type { Again, Rulings } from '../wording.ts';
import { failureCards, groupsOf, type Room } from './failure.ts';
import { chip, facts, fold, html, levelChip, lookOf, type Markup, requirementLink, wordOf } from './markup.ts';

const mostOfReason = 600;
const mostOfMessage = 140;

export interface Sheet {
  readonly report: Report;
  readonly rulings: Rulings;
  readonly room: Room;
  readonly again: Again;
  /** How many wait for each requirement that others wait for. */
  readonly waiting: ReadonlyMap<string, number>;
}

function cases({ cases: all, level }: RequirementResult): Markup {
  const verdicts = [...new Set(all.map(({ verdict }) => verdict))];
  const named = (verdict: CaseVerdict): string => {
    const found = all.filter((one) => one.verdict === verdict);
    const operations = [...new Set(found.flatMap(({ operation }) => operation ?? []))];
    const where = operations.length === 0 ? '' : `: ${short(operations.join(', '), mostOfReason)}`;
    return `${wordOf(lookOf({ level, verdict }))}, ${counted(found.length, 'case')}${where}`;
  };
  return html`<ul>${verdicts.map((verdict) => html`<li>${named(verdict)}</li>`)}</ul>`;
}

function known(row: RequirementResult, rulings: Rulings): Markup {
  const { section, reason, impact, waits_for, rulings: ids = [] } = row;
  return facts([
    ['Section', section],
    ...(waits_for === undefined ? [] : [['Waits for', requirementLink(waits_for)] as const]),
    ...(reason === undefined ? [] : [['Why', short(reason, mostOfReason)] as const]),
    ...(impact === undefined ? [] : [['Impact on client developers', impact] as const]),
    ...(ids.length === 0
      ? []
      : [
          [
            'How the document is read',
            html`<ul>${ids.map((id) => html`<li>${rulingLink(id, rulings)}</li>`)}</ul>`,
          ] as const,
        ]),
    ...(row.judged ? [['Judged', `${counted(row.judged, 'exchange')} could have failed it`] as const] : []),
    ...(row.cases.length === 0 ? [] : [['Cases', cases(row)] as const]),
  ]);
}

/** What is inside of a requirement's fold. */
function body(row: RequirementResult, sheet: Sheet): Markup {
  const { report, room, again } = sheet;
  const answer = report.observations.find(({ id }) => id === row.id)?.answer;
  const failed = row.verdict === 'failed';
  return html`${answer === undefined ? '' : html`<p><b>Answer:</b> ${short(answer, mostOfReason)}</p>`}${failed ? failureCards(row, report, room, again) : ''}${known(row, sheet.rulings)}`;
}

/** Of a failure what is wrong, in one line; and who waits for it. */
function gist(row: RequirementResult, { waiting }: Sheet): Markup {
  const [first] = groupsOf(row);
  if (first === undefined) return html``;
  const operations = new Set(row.cases.flatMap((one) => (one.failure ? (one.operation ?? []) : [])));
  const [only] = operations;
  const where = operations.size > 1 ? ` at ${operations.size} operations` : only === undefined ? '' : ` at ${only}`;
  const count = waiting.get(row.id) ?? 0;
  const others =
    count === 0 ? '' : html` <b>${counted(count, 'requirement')} ${count === 1 ? 'waits' : 'wait'} for this.</b>`;
  return html`<span class="gist">${short(first.first.failure.message, mostOfMessage)}${where}.${others}</span>`;
}

/** Where it failed, the heading says so. */
export function requirement(row: RequirementResult, sheet: Sheet): Markup {
  const waived = isWaived(sheet.report, row) ? html` <span class="level">WAIVED</span>` : '';
  const verdict = row.verdict === 'failed' ? '' : html`${chip(lookOf(row))} `;
  const summary = html`<span class="verdicts">${verdict}${levelChip(row.level)}${waived}</span> <span class="statement">${row.statement}</span> <code class="id">${row.id}</code>${gist(row, sheet)}`;
  return fold({ id: row.id, kind: `requirement ${lookOf(row)}`, summary, body: body(row, sheet) });
}

const rulingLink = (id: string, rulings: Rulings): Markup =>
  rulings[id] === undefined ? html`<code>${id}</code>` : html`<a href="#ruling-${id}">${rulings[id].question}</a>`;

/** Each once, however many requirements rest on it; nothing where none is known. */
export function rulingTexts({ report: { requirements }, rulings }: Sheet): Markup {
  const ids = new Set(requirements.flatMap((row) => row.rulings ?? []));
  const texts = [...ids].flatMap((id) => {
    const found = rulings[id];
    if (found === undefined) return [];
    const { question, ruling, why, readings } = found;
    return html`<p id="ruling-${id}"><b>${question}</b> ${ruling} <span class="note">Why: ${why} Readings: ${readings.join('; ')}. (<code>${id}</code>)</span></p>
`;
  });
  if (texts.length === 0) return html``;
  const summary = html`${counted(texts.length, 'place')} of the document that can be read in two ways`;
  return html`<section id="rulings" aria-labelledby="rulings-title"><h2 id="rulings-title">How the document is read</h2>
${fold({ id: 'readings', summary, body: texts })}</section>`;
}
