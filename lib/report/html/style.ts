// The style of the page, as text: colours for light and dark, type, and the frame of the page.

const light = `
  --page: #f6f7f9; --surface: #ffffff; --sunk: #f1f3f6; --text: #1b2330; --muted: #525c6b; --rule: #d5dae2; --strong-rule: #8691a1;
  --accent: #1d5bb8; --mark: #ffe28a; --mark-text: #1b2330;
  --passed: #14692c; --passed-wash: #e5f4e9; --failed: #ad1f19; --failed-wash: #fdebe9; --warning: #7a4b00; --warning-wash: #fdf2da;
  --not-tested: #46505e; --not-tested-wash: #e9ecf1; --inconclusive: #5a3899; --inconclusive-wash: #f0eafb; --observed: #17567f; --observed-wash: #e4f0f8;
  --line-0: #1d5bb8;`;

const dark = `
  --page: #11151b; --surface: #191f28; --sunk: #222a35; --text: #e6eaf0; --muted: #a8b2c0; --rule: #353f4d; --strong-rule: #7b8798;
  --accent: #8fb8fa; --mark: #6b5200; --mark-text: #fff7df;
  --passed: #82db9d; --passed-wash: #16301f; --failed: #ffa198; --failed-wash: #3b1a18; --warning: #f3c772; --warning-wash: #35290e;
  --not-tested: #bdc6d2; --not-tested-wash: #2a323d; --inconclusive: #cdb8f7; --inconclusive-wash: #2d2445; --observed: #97ccf5; --observed-wash: #152d40;
  --line-0: #8fb8fa;`;

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
.none { color: var(--muted); }
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
main > section, main > .now > section { margin: 2rem 0 2.5rem; }
main > section > h2, main > .now > section > h2 { font-size: 1.35rem; margin-bottom: .75rem; }
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
footer { color: var(--muted); font-size: .875rem; padding-top: 1.5rem; padding-bottom: 3rem; max-width: 90rem; margin: 0 auto; }
dialog { color: var(--text); background: var(--surface); border: 1px solid var(--strong-rule); border-radius: .5rem; padding: 1.5rem; }
dialog::backdrop { background: #0008; }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1.5rem; }
dialog dd { margin: 0; }
kbd { font: .875em ui-monospace, Menlo, Consolas, monospace; border: 1px solid var(--strong-rule); border-radius: .25rem; padding: 0 .35rem; }`;

export const base = colours + type + frame;
