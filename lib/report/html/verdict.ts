// Verdicts and levels as people see them: always a word and a sign, the colour only beside them.
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

/** A failed SHOULD is a warning. */
export const lookOf = ({ level, verdict }: Pick<RequirementResult, 'level' | 'verdict'>): Look =>
  level === 'should' && verdict === 'failed' ? 'warning' : verdict;

/** The sign before the word is made by the style. */
export const chip = (look: Look): Markup => html`<span class="chip ${look}">${words[look]}</span>`;

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
