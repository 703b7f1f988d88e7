// One requirement, folded: verdict, statement and all that is known of it; and the texts that the page keeps to search.
import { isWaived } from '../../gate/exit-code.ts';
import type { CaseVerdict, Report, RequirementResult } from '../../result.ts';
import { counted, short } from '../../runtime/text.ts';
import type { Again, Rulings } from '../wording.ts';
import { failureCards, groupsOf, type Room } from './failure.ts';
import { type Bodies, facts, fold, html, levelChip, lookOf, type Markup, requirementLink, wordOf } from './markup.ts';

const mostOfReason = 600;
const mostOfMessage = 140;

export interface Sheet {
  readonly report: Report;
  readonly rulings: Rulings;
  readonly bodies: Bodies;
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

function known(row: RequirementResult): Markup {
  const { section, reason, impact, waits_for, rulings: ids = [] } = row;
  return facts([
    ['Section', section],
    ...(waits_for === undefined ? [] : [['Waits for', requirementLink(waits_for)] as const]),
    ...(reason === undefined ? [] : [['Why', short(reason, mostOfReason)] as const]),
    ...(impact === undefined ? [] : [['Impact on client developers', impact] as const]),
    ...(ids.length === 0
      ? []
      : [
          ['How the document is read', html`<ul>${ids.map((id) => html`<li data-ruling="${id}"></li>`)}</ul>`] as const,
        ]),
    ...(row.judged ? [['Judged', `${counted(row.judged, 'exchange')} could have failed it`] as const] : []),
    ...(row.cases.length === 0 ? [] : [['Cases', cases(row)] as const]),
  ]);
}

/** What is inside of a requirement's fold. */
export function body(row: RequirementResult, sheet: Sheet): Markup {
  const { report, room, again } = sheet;
  const answer = report.observations.find(({ id }) => id === row.id)?.answer;
  const failed = row.verdict === 'failed';
  return html`${answer === undefined ? '' : html`<p><b>Answer:</b> ${short(answer, mostOfReason)}</p>`}${failed ? failureCards(row, report, room, again) : ''}${known(row)}`;
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

export function requirement(row: RequirementResult, sheet: Sheet): Markup {
  const waived = isWaived(sheet.report, row) ? html` <span class="level">WAIVED</span>` : '';
  const summary = html`<span class="verdicts">${levelChip(row.level)}${waived}</span> <span class="statement">${row.statement}</span> <code class="id">${row.id}</code>${gist(row, sheet)}`;
  return fold({ id: row.id, kind: `requirement ${lookOf(row)}`, summary, body: body(row, sheet) }, sheet.bodies);
}

/** Each once, however many requirements rest on it. */
function rulingTexts({ requirements }: Report, rulings: Rulings): Readonly<Record<string, string>> {
  const ids = new Set(requirements.flatMap((row) => row.rulings ?? []));
  const text = (id: string): Markup => {
    const found = rulings[id];
    if (found === undefined) return html`<code>${id}</code>`;
    return html`<b>${found.question}</b> ${found.ruling} <span class="note">Why: ${found.why} Readings: ${found.readings.join('; ')}. (<code>${id}</code>)</span>`;
  };
  return Object.fromEntries([...ids].map((id) => [id, String(text(id))]));
}

/** What the script of the page reads. */
export function data(sheet: Sheet): object {
  const { report, bodies, rulings } = sheet;
  return {
    bodies: Object.fromEntries([...bodies].map(([id, body]) => [id, Array.isArray(body) ? body : String(body)])),
    rows: report.requirements.map((row) => [row.id, lookOf(row), row.level, row.area, row.statement]),
    rulings: rulingTexts(report, rulings),
  };
}
