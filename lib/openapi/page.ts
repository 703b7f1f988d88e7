// The page of the sandbox: what it is, its credentials, and every operation with a form to try it; it loads nothing.
import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import { apiPath, methodOf, type OperationId, operationIds, operations, pathOf } from '../catalogue/operations.ts';
import { html, type Markup } from '../report/html/markup.ts';
import { bodyOf } from './bodies.ts';
import { summaries } from './document.ts';
import { script, style } from './page-parts.ts';
import { componentParameters, parametersOf } from './parameters.ts';
import type { Exchange } from './parts.ts';

export interface Sandbox {
  readonly url: string;
  /** Tokens by the names of their variables. */
  readonly credentials: readonly (readonly [name: string, value: string])[];
  /** The other variables. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly exchanges: readonly Exchange[];
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The Content-Security-Policy: only this style and script, and requests to the sandbox itself. */
export const pagePolicy = `default-src 'none'; connect-src 'self'; img-src data:; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Parameter {
  readonly name: string;
  readonly in: string;
}

/** X-Origin-App is always sent. */
function fieldsOf(id: OperationId): readonly Parameter[] {
  const shared = componentParameters() as Readonly<Record<string, unknown>>;
  const found = parametersOf(id).map((one) => (one.$ref ? shared[String(one.$ref).split('/').at(-1) ?? ''] : one));
  return (found as Parameter[]).filter(({ name }) => name !== 'X-Origin-App');
}

/** What the reference was really sent, as a beginning. */
function textarea(id: OperationId, exchanges: readonly Exchange[]): Markup | undefined {
  if (bodyOf(id, []) === undefined) return undefined;
  const good = exchanges.find(({ operation, status }) => operation === id && status === operations[id].success);
  const text = JSON.stringify(good?.sent ?? {}, null, 2);
  return html`<label>Body <textarea name="body" data-in="body" rows="${text.split('\n').length + 1}">${text}</textarea></label>`;
}

const form = (id: OperationId, exchanges: readonly Exchange[]): Markup => html`<details>
<summary><code>${id}</code> ${summaries[id]}</summary>
<form data-method="${methodOf(id)}" data-path="${apiPath}${pathOf(id)}">
${fieldsOf(id).map(({ name, in: place }) => html`<label>${name} <input name="${name}" data-in="${place}"></label>`)}
${textarea(id, exchanges)}
<button type="submit">Send</button>
<pre><output></output></pre>
</form>
</details>
`;

const row = ([name, value]: readonly [string, string]): Markup =>
  html`<tr><th scope="row"><code>${name}</code></th><td><code>${value}</code></td><td><button type="button" data-copy aria-label="Copy ${name}">Copy</button></td></tr>\n`;

export const sandboxPage = ({ url, credentials, settings, exchanges }: Sandbox): string =>
  `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox of the External REST Interface v2</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<main>
<h1>Sandbox of the External REST Interface v2</h1>
<p>This is the reference implementation that comes with Covenant, at <code>${url}</code>. All names, records and credentials in it
are invented; everything is kept in memory and forgotten when it stops.</p>
<ul>
<li><a href="/openapi.json">OpenAPI 3.1 of the interface</a>, for other tools</li>
<li><a href="${apiPath}/health">Health check</a>, the one read that needs no credential</li>
</ul>
<h2>Operations</h2>
<label>Send as
<select id="credential">
${credentials.map(([name, value]) => html`<option value="${value}">${name}</option>\n`)}<option value="">nobody, without a credential</option>
</select>
</label>
${operationIds.map((id) => form(id, exchanges))}
<h2>Credentials</h2>
<details>
<summary>The variables of this sandbox, for a <code>.env</code></summary>
<table>
<tbody>
${credentials.map(row)}${settings.map(row)}</tbody>
</table>
</details>
</main>
<script>${raw(script)}</script>
</body>
</html>`}\n`;
