// What is fixed on the page of the sandbox: its style, and the script that sends a form and shows the reply, and copies.

export const style = `
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
export const script = `
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
