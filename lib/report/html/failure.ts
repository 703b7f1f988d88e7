// The failures of one requirement, grouped by what is wrong and what came: one card a group, with all operations that share it.
import { type Quote, quoting } from '../../reproduce/shell.ts';
import type { CaseResult, Failure, Report, ReportedExchange, RequirementResult } from '../../result.ts';
import { short, wordOf } from '../../runtime/text.ts';
import type { Again } from '../context.ts';
import { sentLines } from '../wording.ts';
import { aligned, difference, type Row } from './difference.ts';
import { block, exchangeDetails } from './exchange.ts';
import { html, type Markup } from './markup.ts';

const mostOfMessage = 600;
const mostOfLine = 300;
const exchangesShown = 3;

/** How much of each failure there is room for on a page of bounded size. */
export interface Room {
  /** Characters of a body or value. */
  readonly body: number;
  /** Groups of one requirement. */
  readonly groups: number;
  /** The failures whose curl lines are whole. */
  readonly whole: ReadonlySet<Failure>;
}

export interface Group {
  readonly first: CaseResult & { readonly failure: Failure };
  readonly cases: readonly CaseResult[];
}

/** Without what differs from one reply to the next of the same kind. */
const kindOf = (value: unknown): string =>
  wordOf(value)
    .replace(/"[^"]*"/g, '""')
    .replace(/\b[0-9a-f]{8}[0-9a-f-]{8,}\b/gi, '#')
    .replace(/\d{4,}|(?<=[#\s"/_])\d+/g, '#');

/** The commonest first. */
export function groupsOf({ cases }: RequirementResult): readonly Group[] {
  const groups = new Map<string, { first: Group['first']; cases: CaseResult[] }>();
  for (const one of cases) {
    const { failure } = one;
    if (failure === undefined) continue;
    const key = [failure.message, failure.expected, failure.actual].map(kindOf).join('\n');
    const known = groups.get(key);
    if (known) known.cases.push(one);
    else groups.set(key, { first: { ...one, failure }, cases: [one] });
  }
  return [...groups.values()].sort((one, other) => other.cases.length - one.cases.length);
}

/** From the first failure of the page on, those whose curl lines fit into so many characters together; the first in any case. */
export function withWholeCurl(rows: readonly RequirementResult[], most: number): ReadonlySet<Failure> {
  const failures = rows.flatMap(groupsOf).map(({ first }) => first.failure);
  let left = most;
  return new Set(
    failures.filter(({ curl }, index) => {
      left -= curl.join('\n').length;
      return index === 0 || left >= 0;
    }),
  );
}

/** The JSON pointers that a failure names, as `/data/id: ...`. */
function pointers({ expected, actual }: Failure): readonly string[] {
  const texts = [expected, actual].flat().filter((one) => typeof one === 'string');
  return texts.flatMap((text) => /^(\/[^\s:]+):/.exec(text)?.[1] ?? []);
}

function side(rows: readonly Row[], pick: 'expected' | 'received'): Markup {
  const lines = rows.map((row) => {
    const text = row[pick];
    if (text === undefined) return html`<mark class="gap">absent</mark>\n`;
    return row.differs ? html`<mark>${text}</mark>\n` : `${text}\n`;
  });
  return html`<pre tabindex="0" role="group" aria-label="${pick === 'expected' ? 'Expected' : 'Received'}">${lines}</pre>`;
}

function pair({ expected, actual }: Failure, quote: Quote, most: number): Markup {
  const rows = aligned(expected, actual);
  const [one, two] = [expected, actual].map((value) => (typeof value === 'string' ? quote(value) : value));
  const parts = difference(one, two);
  const left = rows ? side(rows, 'expected') : block(parts.expected, 'Expected', most);
  const right = rows ? side(rows, 'received') : block(parts.received, 'Received', most);
  return html`<div class="pair">
<section class="side expected"><h4>Expected</h4>${left}</section>
<section class="side received"><h4>Received</h4>${right}</section>
</div>`;
}

function sent(exchanges: readonly ReportedExchange[], report: Report): Markup {
  const { lines, more } = sentLines(exchanges, report);
  if (lines.length === 0) return html``;
  const items = lines.map(
    ({ request, by, count }) =>
      html`<li><code>${short(request, mostOfLine)}</code> ${by}${count > 1 ? `, ${count} times` : ''}</li>`,
  );
  return html`<h4>Sent</h4><ol class="sent">${items}</ol>${more > 0 ? html`<p class="note">${more} more before these, in report.json.</p>` : ''}`;
}

const command = (label: string, text: string): Markup =>
  html`<h4>${label}</h4><pre class="copy" tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;

/** What is cut cannot be run, so it is not offered to be copied. */
function curlOf(failure: Failure, { body, whole }: Room): Markup {
  const text = failure.curl.join('\n');
  if (text === '') return html``;
  if (whole.has(failure) || text.length <= body) return command('As curl', text);
  return html`<h4>As curl</h4>${block([{ text, differs: false }], 'As curl', body)}<p class="note">Whole in report.json.</p>`;
}

function operations({ cases }: Group): Markup {
  const names = [...new Set(cases.flatMap(({ operation }) => operation ?? []))];
  if (names.length === 0) return html``;
  return html`<p class="operations">${names.map((name) => html`<code>${name}</code> `)}</p>`;
}

function card(group: Group, report: Report, room: Room): Markup {
  const { failure } = group.first;
  const ids = new Set(failure.exchanges);
  const found = report.exchanges.filter(({ id }) => ids.has(id));
  const { counterexample } = failure;
  const wrong = pointers(failure);
  const quote = quoting(failure, report);
  return html`<article class="failure">
<h3>${short(failure.message, mostOfMessage)}${group.cases.length > 1 ? html` <span class="note">${group.cases.length} times</span>` : ''}</h3>
${operations(group)}${sent(found, report)}${pair(failure, quote, room.body)}
${counterexample === undefined ? '' : html`<h4>Counterexample</h4>${block([{ text: quote(counterexample, 2), differs: false }], 'Counterexample', room.body)}`}
${found.length === 0 ? '' : html`<h4>Exchanged</h4>`}${found.slice(-exchangesShown).map((one) => exchangeDetails(one, report, { wrong, most: room.body }))}
${curlOf(failure, room)}
</article>`;
}

/** One card a group, and the command that looks for them again. */
export function failureCards(row: RequirementResult, report: Report, room: Room, again: Again): Markup {
  const groups = groupsOf(row);
  const more = groups.length - room.groups;
  return html`${groups.slice(0, room.groups).map((group) => card(group, report, room))}${more > 0 ? html`<p class="note">${more} more kinds of failure, in report.json.</p>` : ''}
${command('To see it again', again(row.id, report.run.seed))}`;
}
