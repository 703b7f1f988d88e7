// The waivers that the run got: who accepted which failure, why, and until when.
import { gateSentence, stateOf } from '../../gate/wording.ts';
import type { Report, Waived } from '../../result.ts';
import { requirementLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { table } from './table.ts';

const columns = [
  { name: 'Requirement' },
  { name: 'State' },
  { name: 'Reason' },
  { name: 'Owner' },
  { name: 'Until' },
] as const;

/** Links are shown, not followed: whoever writes a waiver may write any address. */
const row = (one: Waived, known: ReadonlySet<string>) => [
  html`${known.has(one.requirement) ? requirementLink(one.requirement) : html`<code>${one.requirement}</code>`}${one.operation === undefined ? '' : html` at <code>${one.operation}</code>`}`,
  one.note === undefined ? stateOf(one) : `${stateOf(one)}: ${one.note}`,
  one.link === undefined ? one.reason : `${one.reason} (${one.link})`,
  one.owner,
  one.expires,
];

export function waivers(report: Report): Markup {
  const { waivers: all = [], requirements } = report;
  if (all.length === 0) return html``;
  const known = new Set(requirements.map(({ id }) => id));
  return html`<section id="waivers" aria-labelledby="waivers-title"><h2 id="waivers-title">Waivers</h2>
<p>A waived failure is still a failure: a waiver lets the release gate pass for a time, and makes no verdict conformant. ${gateSentence(report)}</p>
${table(
  'Waivers that this run got',
  columns,
  all.map((one) => row(one, known)),
)}</section>`;
}
