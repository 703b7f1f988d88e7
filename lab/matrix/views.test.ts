// The matrix as people and programs read it, in order and not.
import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../lib/catalogue/index.ts';
import type { Outcome } from './judgement.ts';
import type { Subject } from './subject.ts';
import { figuresOf, isInOrder, json, killsOf, type Matrix, markdown, rowsOf, summary } from './views.ts';

const subject = (id: string, kind: Subject['kind'], red: readonly RequirementId[] = []): Subject => ({
  id,
  kind,
  why: `why | ${id}`,
  examination: {},
  red,
  collateral: {},
  untested: {},
});
const outcome = (id: string, failed: readonly string[] = []): Outcome => ({
  subject: id,
  verdict: 'conformant',
  failed,
  untested: [],
  inconclusive: [],
  effort: 'quick',
  requests: 10,
});

function matrixOf(subjects: readonly Subject[], outcomes: readonly Outcome[]): Matrix {
  const rows = rowsOf(subjects, outcomes);
  return { rows, figures: figuresOf(rows), kills: killsOf(rows), durationMs: 1500, threads: 2 };
}

const killed = subject('notes-cut', 'mutant', ['notes-create-text']);
const missed = subject('notes-lost', 'mutant', ['notes-create-id']);
const odd = subject('odd', 'variant');

describe('the figures', () => {
  const { figures, kills } = matrixOf(
    [killed, missed, odd, subject('random-0', 'random')],
    [
      outcome('notes-cut', ['notes-create-text']),
      outcome('notes-lost'),
      outcome('odd', ['billing-summary-scope']),
      outcome('random-0'),
    ],
  );

  test('the figures count the mutants that were killed and survived, and the servers that were accused', () => {
    expect(figures).toMatchObject({
      mutants: 2,
      killed: 1,
      attributed: 1,
      variants: 1,
      randomServers: 1,
      requests: 40,
    });
    expect(figures.survivors).toEqual(['notes-lost']);
    expect(figures.accused).toEqual(['odd']);
  });

  test('the figures count a mutant that is declared as not found apart', () => {
    const hidden = { ...missed, notFound: 'nobody asks' };
    const apart = matrixOf([killed, hidden], [outcome('notes-cut', ['notes-create-text']), outcome('notes-lost')]);
    expect(apart.figures).toMatchObject({ mutants: 1, killed: 1, attributed: 1, notFound: 1, survivors: [] });
    expect(summary(apart)).toContain('Mutants that are declared as not found yet: 1');
  });

  test('the figures show which mutant was killed by which requirement', () => {
    const killedBy = new Map(kills.map((one) => [one.id, one.killedBy]));
    expect(killedBy.get('notes-create-text')).toEqual(['notes-cut']);
    expect(killedBy.get('notes-create-id')).toEqual([]);
    expect(figures.mustsKilled).toBe(1);
    expect(figures.mustsWithoutMutant).toContain('notes-create-id');
    expect(figures.mustsWithoutMutant).not.toContain('notes-create-text');
  });

  test('the figures do not count collateral as a kill', () => {
    const noisy = {
      ...killed,
      red: [...killed.red, 'notes-list-record'] as const,
      collateral: { 'notes-list-record': 'x' },
    };
    const both = outcome('notes-cut', ['notes-create-text', 'notes-list-record']);
    const kills = matrixOf([noisy], [both]).kills.filter(({ killedBy }) => killedBy.length > 0);
    expect(kills.map(({ id }) => id)).toEqual(['notes-create-text']);
  });
});

describe('the views', () => {
  const wrong = matrixOf([missed, odd], [outcome('notes-lost'), outcome('odd', ['billing-summary-scope'])]);

  test('the summary names what is not as declared, and where to look', () => {
    const text = summary(wrong);
    expect(text).toContain('Mutants: 0 of 1 killed, 0 of them by a quick run; 0 attributed to the requirements');
    expect(text).toContain('Lawful servers: 1 variants and 0 randomised servers, 1 accused');
    expect(text).toContain('should be red: notes-create-id (passed)');
    expect(text).toContain('accused: billing-summary-scope');
    expect(text).toContain('2 subjects not as declared; see one in full with --mutant');
    expect(isInOrder(wrong)).toBe(false);
  });

  test('only the whole matrix must have a mutant for every MUST', () => {
    const right = matrixOf([killed], [outcome('notes-cut', ['notes-create-text'])]);
    expect(isInOrder(right)).toBe(false);
    expect(summary(right)).toContain('MUST requirements that no mutant breaks:');
    expect(isInOrder({ ...right, partial: true })).toBe(true);
    expect(summary({ ...right, partial: true })).toContain('Everything is as declared.');
  });

  test('a table of lab.md stays intact with a bar in a cell', () => {
    const rows = markdown(wrong)
      .split('\n')
      .filter((line) => line.startsWith('| odd'));
    expect(rows).toEqual(['| odd | why \\| odd | no |']);
  });

  test('lab.json has every subject and every judged requirement', () => {
    const report = JSON.parse(json(wrong));
    expect(report.format).toBe('covenant-lab/1');
    expect(report.subjects).toMatchObject([
      { id: 'notes-lost', kind: 'mutant', killed: false, expected: ['notes-create-id'], failed: [] },
      { id: 'odd', kind: 'variant', failed: ['billing-summary-scope'] },
    ]);
    expect(report.requirements.length).toBeGreaterThan(200);
  });
});
