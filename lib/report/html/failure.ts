// The failures of one requirement: one card for what is wrong in the same way, with every exchange folded.
import { type Quote, quoting } from '../../reproduce/shell.ts';
import type { CaseResult, Failure, Report, ReportedExchange, RequirementResult } from '../../result.ts';
import { cut, duration, short, wordOf } from '../../runtime/text.ts';
import { type Again, credentialOf, pathOf, sentLines } from '../wording.ts';
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

interface Part {
  readonly text: string;
  readonly differs: boolean;
}

/** Sentences, such as `/data/id: an integer`, a line each; what is no text as indented JSON. */
function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) return value;
  return (typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)).split('\n');
}

/** Without the comma at its end, which says only whether a line is the last. */
const bare = (line: string): string => line.replace(/,$/, '');

/** What the others have not as often is marked. */
function marked(lines: readonly string[], others: readonly string[]): readonly Part[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(bare(other), (left.get(bare(other)) ?? 0) + 1);
  return lines.map((line) => {
    const count = left.get(bare(line)) ?? 0;
    left.set(bare(line), count - 1);
    return { text: `${line}\n`, differs: count <= 0 };
  });
}

function pair({ expected, actual }: Failure, quote: Quote, most: number): Markup {
  const linesFor = (value: unknown) => linesOf(typeof value === 'string' ? quote(value) : value);
  const [one, two] = [linesFor(expected), linesFor(actual)];
  return html`<div class="pair">
<section class="side expected"><h4>Expected</h4>${block(marked(one, two), 'Expected', most)}</section>
<section class="side received"><h4>Received</h4>${block(marked(two, one), 'Received', most)}</section>
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
  return html`<h4>As curl</h4>${block(text, 'As curl', body)}<p class="note">Whole in report.json.</p>`;
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
  const quote = quoting(failure, report);
  return html`<article class="failure">
<h3>${short(failure.message, mostOfMessage)}${group.cases.length > 1 ? html` <span class="note">${group.cases.length} times</span>` : ''}</h3>
${operations(group)}${sent(found, report)}${pair(failure, quote, room.body)}
${counterexample === undefined ? '' : html`<h4>Counterexample</h4>${block(quote(counterexample, 2), 'Counterexample', room.body)}`}
${found.length === 0 ? '' : html`<h4>Exchanged</h4>`}${found.slice(-exchangesShown).map((one) => exchangeDetails(one, report, room.body))}
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

/** Bodies longer than this are not laid out: nobody reads them here. */
const mostLaidOut = 60_000;
const mostOfHeader = 300;

const parts = (all: readonly Part[]): Markup =>
  html`${all.map(({ text, differs }) => (differs && text !== '' ? html`<mark>${text}</mark>` : text))}`;

/** Those parts that begin within the first `most` characters. */
function limited(all: readonly Part[], most: number): { readonly parts: readonly Part[]; readonly all?: number } {
  const size = all.reduce((sum, { text }) => sum + text.length, 0);
  let left = most;
  const kept = all.flatMap(({ text, differs }) => {
    const head = left > 0 ? cut(text, left).text : '';
    left -= text.length;
    return head === '' ? [] : [{ text: head, differs }];
  });
  return size <= most ? { parts: kept } : { parts: kept, all: size };
}

const sizeNote = (size: number | undefined, most: number): Markup =>
  size === undefined ? html`` : html`<p class="note">Cut after ${most} of ${size} characters.</p>`;

/** A text block with its marked parts, cut at a stated size. */
function block(all: readonly Part[] | string, label: string, most: number): Markup {
  const shown = limited(typeof all === 'string' ? [{ text: all, differs: false }] : all, most);
  return html`<pre tabindex="0" role="group" aria-label="${label}">${parts(shown.parts)}</pre>${sizeNote(shown.all, most)}`;
}

/** Indented where that changes nothing but white space: no number that a double would round. */
function laidOut(body: string): string {
  if (body.length > mostLaidOut) return body;
  try {
    const json: unknown = JSON.parse(body);
    const isSame = JSON.stringify(json) === body.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isSame ? JSON.stringify(json, null, 2) : body;
  } catch {
    return body;
  }
}

interface Message {
  readonly title: string;
  readonly first: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function message({ title, first, headers, body }: Message, most: number): Markup {
  const names = Object.entries(headers).map(
    ([name, value]) => html`<b>${name}</b>: ${cut(value, mostOfHeader).text}\n`,
  );
  const content =
    body === undefined || body === ''
      ? html`<p class="note">No body.</p>`
      : block(laidOut(body), `${title} body`, most);
  return html`<section class="message" aria-label="${title}"><p class="title">${title}</p>
<pre tabindex="0" role="group" aria-label="${title} head"><b>${first}</b>\n${names}</pre>${content}</section>`;
}

/** Folded; `most`: the characters of a body that are shown. */
function exchangeDetails(exchange: ReportedExchange, report: Report, most: number): Markup {
  const { id, at, duration_ms, request, response } = exchange;
  const line = `${request.method} ${cut(pathOf(exchange, report), 200).text}`;
  const sent = { first: `${request.method} ${request.url}`, headers: request.headers, body: request.body };
  return html`<details class="exchange">
<summary><span class="number">#${id}</span> <code>${line}</code> <span class="status">${response.status}</span> <span class="note">${duration(duration_ms)}, ${credentialOf(exchange)}</span></summary>
<p class="note">${at}${exchange.case === undefined ? '' : `, in case “${exchange.case}”`}</p>
${message({ title: `Request ${id}`, ...sent }, most)}
${message({ title: `Response ${id}`, first: String(response.status), headers: response.headers, body: response.body }, most)}
</details>`;
}
