// The page of the sandbox: what it is, its credentials, and every operation with a form to try it; it loads nothing.
import { raw } from 'hono/html';
import { apiPath, methodOf, type OperationId, operationIds, operations, pathOf } from '../catalogue/operations.ts';
import { html, type Markup, policyOf } from '../report/html/markup.ts';
import { summaries } from './document.ts';
import type { Exchange } from './parts.ts';
import { bodyOf, componentParameters, parametersOf } from './requests.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.25; }
a { color: inherit; }
code, pre, textarea, input, select { font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; }
th { font-weight: 600; }
th { white-space: nowrap; }
@media (min-width: 32rem) { summary code { white-space: nowrap; } }
details { border-bottom: 1px solid #8884; padding: .4rem 0; }
summary { cursor: pointer; }
form { padding: .5rem 0 .5rem 1rem; }
label { display: block; margin: .4rem 0; }
input, select, textarea { display: block; width: 100%; max-width: 40rem; box-sizing: border-box; padding: .25rem .4rem; }
button { font: inherit; padding: .25rem 1rem; }
pre { white-space: pre-wrap; max-height: 30rem; overflow: auto; }
`;

/** Runs in the browser: the form's fields become one request to the server that the page came from. */
const script = `
const credential = document.getElementById('credential');

function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = { 'X-Origin-App': 'sandbox page' };
  if (credential.value !== '') headers.Authorization = 'Bearer ' + credential.value;
  let body;
  for (const field of form.querySelectorAll('[data-in]')) {
    const { name, value } = field;
    if (field.dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
    else if (value === '') continue;
    else if (field.dataset.in === 'query') query.set(name, value);
    else if (field.dataset.in === 'header') headers[name] = value;
    else { body = value; headers['Content-Type'] = 'application/json'; }
  }
  const url = query.size === 0 ? path : path + '?' + query;
  return [url, { method: form.dataset.method, headers, body }];
}

async function send(form) {
  const shown = form.querySelector('output');
  shown.textContent = 'Waiting for the reply';
  try {
    const [url, request] = requestOf(form);
    const reply = await fetch(url, request);
    const text = await reply.text();
    let body = text;
    try { body = JSON.stringify(JSON.parse(text), null, 2); } catch {}
    shown.textContent = request.method + ' ' + url + '\\n' + reply.status + ' ' + reply.statusText + '\\n\\n' + body;
  } catch (error) {
    shown.textContent = 'Nothing was received: ' + error.message;
  }
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    const code = button.closest('tr').querySelector('td code');
    getSelection().selectAllChildren(code);
    try { await navigator.clipboard.writeText(code.textContent); } catch { document.execCommand('copy'); }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}

for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
}
`;

export interface Sandbox {
  readonly url: string;
  /** Tokens by the names of their variables. */
  readonly credentials: readonly (readonly [name: string, value: string])[];
  /** The other variables. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly exchanges: readonly Exchange[];
}

/** The Content-Security-Policy: only this style and script, and requests to the sandbox itself. */
export const pagePolicy = policyOf(style, script, "connect-src 'self'; img-src data:; frame-ancestors 'none'; ");

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
