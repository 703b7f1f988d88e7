// The selection: no filter loses a requirement silently, and every case has a name of its own.
import { describe, expect, test } from 'vitest';
import { suites } from '../../suites/index.ts';
import { catalogue } from '../catalogue/index.ts';
import { narrowed, requirementIds, select } from './selection.ts';

const everything = { readOnly: false, exhaustion: true, effort: 'standard' } as const;
const testable = requirementIds.filter((id) => catalogue[id].level !== 'untestable');

test('every case has a title of its own', () => {
  const { titles } = select(suites, everything);
  expect(new Set(titles.values()).size).toBe(titles.size);
});

test.each(['standard', 'thorough'] as const)('%s leaves no requirement out', (effort) => {
  expect([...select(suites, { ...everything, effort }).ids]).toEqual(testable);
});

test('quick leaves out only what is observed, never what is judged', () => {
  const { ids } = select(suites, { ...everything, effort: 'quick' });
  const levels = testable.filter((id) => !ids.has(id)).map((id) => catalogue[id].level);
  expect(new Set(levels)).toEqual(new Set(['observe']));
});

describe('filters', () => {
  test('filters narrow each other', () => {
    const { ids } = select(suites, { ...everything, areas: ['notes'], requirements: ['billing-summary-scope'] });
    expect(ids.size).toBe(0);
  });

  test('filters leave out of the totals what they leave without a case', () => {
    const { ids } = select(suites, { ...everything, exhaustion: false });
    expect(ids.has('rate-limits-read-enforced')).toBe(false);
    expect(ids.has('billing-summary-scope')).toBe(true);
  });

  test('filters take along the cases whose replies a selected duty looks at', () => {
    const id = 'envelope-request-id-unique';
    const { cases } = select(suites, { ...everything, requirements: [id] });
    expect(cases.length).toBeGreaterThan(0);
    for (const { ids, feeds = [] } of cases) expect([...ids, ...feeds]).toContain(id);
  });
});

test('of some cases what they judge is judged, and what rules and duties judge in every reply', () => {
  const whole = select(suites, everything);
  const only = new Set([...whole.titles.values()].filter((title) => title.startsWith('notes-create')));
  const { cases, ids, invariants } = narrowed(whole, only);
  expect(cases).toHaveLength(only.size);
  const asked = ['notes-create-id', 'billing-summary-scope', 'billing-credits-agree'] as const;
  expect(asked.map((id) => ids.has(id))).toEqual([true, true, false]);
  expect(invariants).toEqual(whole.invariants);
});
