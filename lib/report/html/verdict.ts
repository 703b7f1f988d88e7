// Verdicts and levels as people see them: always a word and a shape, the colour only beside them.
import type { CaseVerdict, RequirementResult, RunVerdict } from '../../result.ts';
import { html, type Markup } from './markup.ts';

export type Look = CaseVerdict | 'warning';

const words: Readonly<Record<Look, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  warning: 'Warning',
  'not-tested': 'Not tested',
  inconclusive: 'Inconclusive',
  observed: 'Observed',
};

// On a grid of 16; the outlines differ, so that they can be told apart without colour.
const shapes: Readonly<Record<Look, Markup>> = {
  passed: html`<circle cx="8" cy="8" r="7"/><path d="M4.6 8.4 7 10.7 11.4 5.6"/>`,
  failed: html`<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z"/><path d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2"/>`,
  warning: html`<path d="M8 1.5 15 14H1z"/><path d="M8 6.2v3.6M8 11.6v.6"/>`,
  'not-tested': html`<circle cx="8" cy="8" r="7" stroke-dasharray="2.6 2.2"/><path d="M5 8h6"/>`,
  inconclusive: html`<path d="M8 1l7 7-7 7-7-7z"/><path d="M6.3 6.4a1.8 1.8 0 1 1 2.5 1.7c-.6.3-.8.6-.8 1.2M8 11v.4"/>`,
  observed: html`<path d="M1 8c2-3.4 4.400-5 7-5s5 1.600 7 5c-2 3.400-4.400 5-7 5S3 11.400 1 8z"/><circle cx="8" cy="8" r="2"/>`,
};

const looks = Object.keys(words) as Look[];

/** The shapes, drawn once and referred to everywhere. */
export const shapeLibrary = (): Markup =>
  html`<svg class="library" width="0" height="0" aria-hidden="true" focusable="false">${looks.map(
    (look) => html`<symbol id="shape-${look}" viewBox="0 0 16 16">${shapes[look]}</symbol>`,
  )}</svg>`;

export const shape = (look: Look): Markup =>
  html`<svg class="shape" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><use href="#shape-${look}"/></svg>`;

/** A failed SHOULD is a warning. */
export const lookOf = ({ level, verdict }: Pick<RequirementResult, 'level' | 'verdict'>): Look =>
  level === 'should' && verdict === 'failed' ? 'warning' : verdict;

export const chip = (look: Look): Markup => html`<span class="chip ${look}">${shape(look)}${words[look]}</span>`;

export const wordOf = (look: Look): string => words[look];

export const levelChip = (level: RequirementResult['level']): Markup =>
  html`<span class="level">${level.toUpperCase()}</span>`;

const runLooks: Readonly<Record<RunVerdict, Look>> = {
  conformant: 'passed',
  'non-conformant': 'failed',
  incomplete: 'warning',
  aborted: 'inconclusive',
};

export const runLook = (verdict: RunVerdict): Look => runLooks[verdict];
