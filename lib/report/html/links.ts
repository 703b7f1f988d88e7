// Where things are on the page: anchors that stay the same from report to report, and numbers that lead to their detail.

import type { Area } from '../../catalogue/requirement.ts';
import type { CaseVerdict, RequirementResult } from '../../result.ts';
import { html, type Markup } from './markup.ts';

type Level = RequirementResult['level'];

export const anchor = {
  requirement: (id: string): string => `req-${id}`,
  exchange: (id: number): string => `exchange-${id}`,
  area: (area: Area): string => `area-${area}`,
  index: (level: Level, verdict: CaseVerdict): string => `index-${level}-${verdict}`,
  ruling: (id: string): string => `ruling-${id}`,
};

/** `API keys` for `api-keys`: as the document spells its headings. */
export function areaName(area: string): string {
  const words = area.replaceAll('-', ' ').replace(/\bapi\b/, 'API');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export const requirementLink = (id: string): Markup =>
  html`<a href="#${anchor.requirement(id)}"><code>${id}</code></a>`;

export interface Selection {
  readonly level: Level;
  readonly verdict: CaseVerdict;
}

/** A number that leads to the list of what it counts. */
export const countLink = (count: number, { level, verdict }: Selection): Markup =>
  count === 0
    ? html`<span class="none">0</span>`
    : html`<a class="count-${verdict}" href="#${anchor.index(level, verdict)}" data-level="${level}" data-verdict="${verdict}">${count}</a>`;

/** The same for one area, whose heading it leads to. */
export const areaLink = (count: number, area: Area, verdict: CaseVerdict): Markup =>
  count === 0
    ? html`<span class="none">0</span>`
    : html`<a class="count-${verdict}" href="#${anchor.area(area)}" data-area="${area}" data-verdict="${verdict}">${count}</a>`;
