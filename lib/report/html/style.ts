// The style of the page, as text: colours for light and dark, type, and the frame of the page.
const light = `
  --page: #f6f7f9; --surface: #ffffff; --sunk: #f1f3f6; --text: #1b2330; --muted: #525c6b; --rule: #d5dae2; --strong-rule: #8691a1;
  --accent: #1d5bb8; --mark: #ffe28a; --mark-text: #1b2330;
  --passed: #14692c; --passed-wash: #e5f4e9; --failed: #ad1f19; --failed-wash: #fdebe9; --warning: #7a4b00; --warning-wash: #fdf2da;
  --not-tested: #46505e; --not-tested-wash: #e9ecf1; --inconclusive: #5a3899; --inconclusive-wash: #f0eafb; --observed: #17567f; --observed-wash: #e4f0f8;`;

const dark = `
  --page: #11151b; --surface: #191f28; --sunk: #222a35; --text: #e6eaf0; --muted: #a8b2c0; --rule: #353f4d; --strong-rule: #7b8798;
  --accent: #8fb8fa; --mark: #6b5200; --mark-text: #fff7df;
  --passed: #82db9d; --passed-wash: #16301f; --failed: #ffa198; --failed-wash: #3b1a18; --warning: #f3c772; --warning-wash: #35290e;
  --not-tested: #bdc6d2; --not-tested-wash: #2a323d; --inconclusive: #cdb8f7; --inconclusive-wash: #2d2445; --observed: #97ccf5; --observed-wash: #152d40;`;

const colours = `
:root { color-scheme: light dark;${light}
}
@media (prefers-color-scheme: dark) { :root {${dark}
} }
@media print { :root { color-scheme: light;${light}
} }`;

const type = `
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5 { line-height: 1.25; margin: 0; text-wrap: balance; }
h2 { font-size: 1.6rem; letter-spacing: -.01em; margin-bottom: 1rem; }
h3 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; }
h4 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
.body h4 { font-size: .8125rem; margin: 1rem 0 .3rem; color: var(--muted); }
p, ul, ol, dl { margin: 0 0 .75rem; }
code, pre { font: .875em/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
[tabindex="-1"]:focus { outline: none; }
.note { color: var(--muted); font-size: .875rem; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }`;

const frame = `
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--surface); padding: .5rem 1rem; z-index: 3; border: 1px solid var(--strong-rule); }
.skip:focus { top: .5rem; }
.band, .columns, footer { padding: 0 clamp(1rem, 4vw, 2.5rem); }
.band { padding-top: clamp(1rem, 3vw, 2rem); padding-bottom: clamp(1rem, 3vw, 1.75rem); border-bottom: 4px solid; }
${['passed', 'failed', 'warning', 'inconclusive'].map((look) => `.band.${look} { background: var(--${look}-wash); color: var(--${look}); }`).join('\n')}
.band p { margin: 0; color: var(--text); }
.band h1 { font-size: clamp(1.75rem, 1.2rem + 2.5vw, 2.75rem); letter-spacing: -.02em; margin: .25rem 0; }
.band h1::first-letter { text-transform: uppercase; }
.numbers { display: flex; flex-wrap: wrap; gap: .25rem clamp(1rem, 4vw, 2.5rem); list-style: none; padding: 0; margin: .25rem 0 .5rem; }
.numbers a { color: var(--text); text-decoration: none; font-size: 1.125rem; }
.numbers a:hover { text-decoration: underline; }
.numbers b { font-size: clamp(1.75rem, 1.3rem + 2vw, 2.5rem); font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
.band .when { font-size: .875rem; }
.columns { max-width: 90rem; margin: 0 auto; }
main > section { margin: 2rem 0 2.5rem; }
main > section > h2 { font-size: 1.35rem; margin-bottom: .75rem; }
.rail ul { list-style: none; padding: 0; }
.rail { padding-top: 1rem; }
.rail a { display: block; padding: .2rem 0; color: var(--text); text-decoration: none; }
.rail a:hover { text-decoration: underline; }
.rail ul:not(.areas) { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; }
.rail .areas { display: none; }
@media screen and (min-width: 1100px) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; }
  .rail { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.5rem .25rem 1rem; font-size: .9375rem; }
  .rail ul:not(.areas) { display: block; }
  .rail .areas { display: block; margin-top: .75rem; border-top: 1px solid var(--rule); padding-top: .75rem; }
}
footer { color: var(--muted); font-size: .875rem; padding-top: 1.5rem; padding-bottom: 3rem; max-width: 90rem; margin: 0 auto; }`;

export const base = colours + type + frame;

const looks = ['passed', 'failed', 'warning', 'not-tested', 'inconclusive', 'observed'];

/** A sign beside each word, for those who do not see the colour; it is not read aloud, because the word is. */
const signs = {
  passed: '\\2713',
  failed: '\\2715',
  warning: '!',
  'not-tested': '\\2013',
  inconclusive: '?',
  observed: '\\25C9',
};

const chips = `
.chip { display: inline-flex; align-items: center; gap: .35rem; padding: .1rem .5rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; }
${looks.map((look) => `.chip.${look} { color: var(--${look}); background: var(--${look}-wash); }`).join('\n')}
${Object.entries(signs)
  .map(([look, sign]) => `.chip.${look}::before { content: "${sign}" / ""; }`)
  .join('\n')}
.level { font-size: .6875rem; font-weight: 600; letter-spacing: .04em; color: var(--muted); border: 1px solid var(--strong-rule); border-radius: .25rem; padding: .05rem .3rem; white-space: nowrap; }`;

const facts = `
.facts { display: grid; gap: .1rem 0; }
.facts > div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: 1rem; padding: .4rem 0; border-top: 1px solid var(--rule); }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; }
.facts ul { margin: 0; padding-left: 1.1rem; }
@media (max-width: 34rem) { .facts > div { grid-template-columns: 1fr; gap: 0; } }`;

const tables = `
.scroll { overflow-x: auto; margin: 0 0 1rem; background: var(--surface); border: 1px solid var(--rule); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; padding: .6rem .8rem; color: var(--muted); font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem; border-top: 1px solid var(--rule); font-variant-numeric: tabular-nums; overflow-wrap: break-word; min-width: 4rem; }
.texts td, tbody th { overflow-wrap: anywhere; }
thead th { font-size: .8125rem; color: var(--muted); overflow-wrap: normal; }
tbody th { font-weight: 500; }
.number { text-align: right; white-space: nowrap; }
@media (min-width: 44.01rem) { .texts tbody th { width: 32%; } }
@media screen and (max-width: 44rem) {
  .wide { display: none; }
  table { font-size: .875rem; }
  th, td { padding: .4rem .25rem; }
  tbody th, thead th:first-child { min-width: 7.6rem; padding-left: .6rem; }
  th:last-child, td:last-child { padding-right: .6rem; }
  thead th { font-size: .6875rem; }
  .texts thead { position: absolute; clip-path: inset(50%); }
  .texts tr, .texts th, .texts td { display: block; border: 0; }
  .texts tr { border-top: 1px solid var(--rule); padding: .4rem .6rem; }
  .texts tbody th, .texts td { padding: .1rem 0; }
  .number { min-width: 0; }
  thead .number { white-space: normal; }
}`;

const requirements = `
.filter { margin-bottom: .75rem; }
.filter label { display: grid; gap: .2rem; font-size: .8125rem; color: var(--muted); }
.filter p { margin: .5rem 0 0; }
input, button { font: inherit; font-size: .9375rem; color: var(--text); background: var(--surface); border: 1px solid var(--strong-rule); border-radius: .375rem; padding: .4rem .6rem; min-height: 2.5rem; width: 100%; min-width: 0; }
button { cursor: pointer; width: auto; }
button:hover { background: var(--sunk); }
summary { cursor: pointer; }
.plain { list-style: none; padding: 0; }
.index > .plain { padding: 0 .8rem; margin: 0; }
.plain li { padding: .6rem 0; border-top: 1px solid var(--rule); }
.index, .requirement { background: var(--surface); border: 1px solid var(--rule); margin-bottom: -1px; }
.index > summary, .requirement > summary { padding: .55rem .8rem; }
.index > .body { padding: 0 .8rem .8rem; }
.index > .body > .scroll { margin: 0 -.8rem -.8rem; border-width: 1px 0 0; border-radius: 0; }
#found { margin-bottom: 1.5rem; }
#found p, .item { margin: 0; padding: .35rem 0; border-top: 1px solid var(--rule); }

.gist { grid-column: 3 / -1; color: var(--muted); font-size: .875rem; }
.gist b { color: var(--text); }
.operations code { display: inline-block; margin-right: .75rem; }
.whole { white-space: nowrap; }
.requirement { border-left-width: 4px; scroll-margin-top: 4rem; }
.requirement.failed { border-left-color: var(--failed); }
.requirement.warning { border-left-color: var(--warning); }
.requirement > summary { display: grid; grid-template-columns: .75rem minmax(4.5rem, auto) minmax(0, 1fr) auto; gap: 0 .6rem; align-items: baseline; list-style: none; }
.requirement > summary::-webkit-details-marker { display: none; }
.requirement > summary::before { content: "\\25B8"; color: var(--muted); }
.requirement[open] > summary::before { content: "\\25BE"; }
.requirement > summary:hover { background: var(--sunk); }
.verdicts { display: flex; flex-wrap: wrap; gap: .25rem .4rem; align-items: center; }
.requirement > summary .id { color: var(--muted); font-size: .8125rem; text-align: right; max-width: 17rem; }
.requirement[open] > summary .statement { font-weight: 600; }
@media screen and (max-width: 56rem) { .requirement > summary { grid-template-columns: .75rem minmax(0, 1fr); } .requirement > summary > :not(.verdicts) { grid-column: 2; } .requirement > summary .id { text-align: left; max-width: none; } }
.requirement > .body { padding: .25rem .8rem 1rem; }
.requirement:target { outline: 2px solid var(--accent); outline-offset: -1px; }`;

const failures = `
.failure { background: var(--sunk); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
.failure > h3 { font-size: 1rem; margin: 0 0 .5rem; }
.sent { margin: 0; padding-left: 1.4rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1rem; }
.side > pre { border-left-width: 4px; }
.expected > pre { border-left-style: double; border-left-color: var(--passed); }
.received > pre { border-left-style: solid; border-left-color: var(--failed); }
.expected > h4 { color: var(--passed); }
.received > h4 { color: var(--failed); }
pre { margin: 0 0 .5rem; padding: .6rem .75rem; background: var(--surface); border: 1px solid var(--rule); border-radius: .375rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow: auto; tab-size: 2; }
mark { background: var(--mark); color: var(--mark-text); text-decoration: underline 2px; text-underline-offset: .18em; padding: 0 .1em; }
.copier { float: right; font-size: .8125rem; padding: .15rem .6rem; min-height: 1.75rem; margin-top: -1.8rem; }
.exchange { margin-bottom: .5rem; background: var(--surface); border: 1px solid var(--rule); border-radius: .375rem; padding: .4rem .75rem; content-visibility: auto; contain-intrinsic-size: auto 2.4rem; }
.exchange > .note { margin: .5rem 0; }
.exchange .status { font-weight: 600; }
.message .title { font-weight: 600; font-size: .875rem; margin: .5rem 0 .25rem; }`;

const print = `
@media print {
  @page { margin: 16mm 15mm; }
  html { font-size: 11.5px; }
  body { background: #fff; }
  .rail, .skip, .copier, .chip.observed + .level { display: none; }
  .columns, .band, footer { max-width: none; padding: 0; }
  .band { padding: 6mm 10mm; border: 2pt solid; }
  #failures, #warnings { break-after: page; }
  .requirement > summary { grid-template-columns: 0 4.5rem minmax(0, 1fr) auto; padding: .3rem .6rem .3rem 0; }
  .requirement > summary::before { content: ""; }
  .requirement:not([open]) > summary { padding: .1rem 0; }
  .scroll { overflow: visible; }
  pre { max-height: none; overflow: visible; }
  .digest { white-space: normal; overflow-wrap: anywhere; }
  tr, .side, .plain li, .requirement:not([open]) { break-inside: avoid; }
  h1, h2, h3, h4, h5, summary { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
@media (forced-colors: active) { .chip { border: 1px solid; } mark { forced-color-adjust: none; } }`;

export const parts = chips + facts + tables + requirements + failures + print;
