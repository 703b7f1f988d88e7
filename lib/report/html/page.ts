// The HTML report: one file that needs no network, loads nothing, and forbids itself to.
import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { Report, RunResult } from '../../result.ts';
import { moment, short } from '../../runtime/text.ts';
import type { Context } from '../context.ts';
import { hostOf, verdictSentence } from '../wording.ts';
import { certificate } from './certificate.ts';
import { executive } from './executive.ts';
import { type Markup, html as markup } from './markup.ts';
import { script } from './script.ts';
import { base } from './style.ts';
import { parts } from './style-parts.ts';
import { technical } from './technical.ts';
import { runLook, shape, shapeLibrary } from './verdict.ts';

const style = `${base}${parts}\n`;
const mostOfHost = 30;
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only our own style and script run; nothing that a target wrote could, even if it were not escaped. */
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;

const head = (report: Report): Markup => markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="covenant ${report.suite.version}">
<title>${report.verdict}: ${short(hostOf(report), mostOfHost)}</title>
<style>${raw(style)}</style>
</head>`;

const masthead = (report: Report): Markup => markup`<header class="masthead">
<h1>Conformance report</h1>
<p>${report.target.base_url} against External REST Interface v2 (${report.target.interface}), ${moment(report.run.started_at)}</p>
<p class="verdict"><span class="chip ${runLook(report.verdict)}">${shape(runLook(report.verdict))}${report.verdict}</span> <span>${verdictSentence(report)}</span></p>
</header>
<nav class="views" aria-label="Views"><ul>
<li><a href="#executive" data-view="executive">Executive</a></li>
<li><a href="#technical" data-view="technical">Technical</a></li>
<li><a href="#main" data-view="everything">Everything</a></li>
</ul></nav>`;

/** Deterministic: the same result gives the same bytes. */
export function html({ report }: RunResult, context: Context = {}): string {
  const page = markup`<!DOCTYPE html>
<html lang="en">
${head(report)}
<body>
<a class="skip" href="#main">Skip to the report</a>
${shapeLibrary()}
${masthead(report)}
<main id="main">
${certificate(report)}
${executive(report, context)}
${technical(report, context.rulings ?? {})}
</main>
<footer><p>Written by Covenant ${report.suite.version}. Secrets stand under the names of their variables. The same result as data: report.json.</p></footer>
<script>${raw(script)}</script>
</body>
</html>
`;
  return String(page);
}
