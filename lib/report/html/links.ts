// Where things are on the page: a requirement stands under its identifier as it is, so that links keep from report to report.
import { html, type Markup } from './markup.ts';

/** `API keys` for `api-keys`: as the document spells its headings. */
export function areaName(area: string): string {
  const words = area.replaceAll('-', ' ').replace(/\bapi\b/, 'API');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export const areaAnchor = (area: string): string => `area-${area}`;

export const requirementLink = (id: string): Markup => html`<a href="#${id}"><code>${id}</code></a>`;
