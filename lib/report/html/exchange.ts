// One exchange as a person reads it: the line that was sent, the status that came, and both in full, folded.
import type { Report, ReportedExchange } from '../../result.ts';
import { cut, duration } from '../../runtime/text.ts';
import { credentialOf, pathOf } from '../wording.ts';
import type { Part } from './difference.ts';
import { jsonLines, type Line } from './json.ts';
import { html, type Markup } from './markup.ts';

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

const within = ({ pointer }: Line, wrong: readonly string[]): boolean =>
  wrong.some((other) => pointer === other || pointer.startsWith(`${other}/`));

/** A text block with its marked parts, cut at a stated size. */
export function block(all: readonly Part[], label: string, most: number): Markup {
  const shown = limited(all, most);
  return html`<pre tabindex="0" role="group" aria-label="${label}">${parts(shown.parts)}</pre>${sizeNote(shown.all, most)}`;
}

function bodyParts(body: string, wrong: readonly string[]): readonly Part[] {
  const lines = body.length > mostLaidOut ? undefined : jsonLines(body);
  if (lines === undefined) return [{ text: body, differs: false }];
  return lines.map((line) => ({ text: `${line.text}\n`, differs: within(line, wrong) }));
}

interface Message {
  readonly title: string;
  readonly first: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** JSON pointers of what is wrong in the body. */
  readonly wrong: readonly string[];
}

function message({ title, first, headers, body, wrong }: Message, most: number): Markup {
  const names = Object.entries(headers).map(
    ([name, value]) => html`<b>${name}</b>: ${cut(value, mostOfHeader).text}\n`,
  );
  const content =
    body === undefined || body === ''
      ? html`<p class="note">No body.</p>`
      : block(bodyParts(body, wrong), `${title} body`, most);
  return html`<section class="message" aria-label="${title}"><p class="title">${title}</p>
<pre tabindex="0" role="group" aria-label="${title} head"><b>${first}</b>\n${names}</pre>${content}</section>`;
}

/** Folded; `wrong` are the JSON pointers to mark in the response, `most` the characters of a body that are shown. */
export function exchangeDetails(
  exchange: ReportedExchange,
  report: Report,
  { wrong, most }: { readonly wrong: readonly string[]; readonly most: number },
): Markup {
  const { id, at, duration_ms, request, response } = exchange;
  const line = `${request.method} ${cut(pathOf(exchange, report), 200).text}`;
  const sent = { first: `${request.method} ${request.url}`, headers: request.headers, body: request.body, wrong: [] };
  return html`<details class="exchange">
<summary><span class="number">#${id}</span> <code>${line}</code> <span class="status">${response.status}</span> <span class="note">${duration(duration_ms)}, ${credentialOf(exchange)}</span></summary>
<p class="note">${at}${exchange.case === undefined ? '' : `, in case “${exchange.case}”`}</p>
${message({ title: `Request ${id}`, ...sent }, most)}
${message({ title: `Response ${id}`, first: String(response.status), headers: response.headers, body: response.body, wrong }, most)}
</details>`;
}
