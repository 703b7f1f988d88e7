// Two reports are compared where they asked the same, and the rest is named.
import { expect, test } from 'vitest';
import { conformant, incomplete, sample } from '../report/sample.test-data.ts';
import type { Report } from '../result.ts';
import { changes, incomparableIds } from './changes.ts';

const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map((row) => row.id);
const withVerdict = ({ requirements }: Report, ...verdicts: readonly string[]): readonly string[] =>
  ids(requirements.filter((row) => verdicts.includes(row.verdict)));

test('a report has not changed from itself', () => {
  const { report } = sample();
  const found = changes(report, report);
  expect(found).toMatchObject({ cause: 'target', terms: [], failing: [], passing: [], undecided: [], answers: [] });
  expect(incomparableIds(found)).toEqual([]);
});

test('newly failing, newly passing and no longer judged are three different changes', () => {
  const [before, after] = [conformant().report, sample().report];
  const forth = changes(before, after);
  expect(ids(forth.failing)).toEqual(withVerdict(after, 'failed'));
  expect(ids(forth.undecided)).toEqual(withVerdict(after, 'not-tested', 'inconclusive'));
  expect(forth.passing).toEqual([]);
  expect(ids(changes(after, before).passing)).toEqual(withVerdict(after, 'failed', 'not-tested', 'inconclusive'));
  expect(changes(incomplete().report, before).failing).toEqual([]);
});

test('another answer where the document is silent is a change', () => {
  const { report } = sample();
  const [first, ...rest] = report.observations;
  const after = first ? { ...report, observations: [{ ...first, answer: 'other' }, ...rest] } : report;
  expect(changes(report, after).answers).toEqual([
    { id: first?.id, question: first?.question, before: first?.answer, after: 'other' },
  ]);
});

test('a question that was put otherwise, or in one run only, is not compared', () => {
  const { report } = sample();
  const [first, second, ...rest] = report.requirements;
  if (first === undefined || second === undefined) throw new Error('the sample is empty');
  const before = {
    ...report,
    requirements: [{ ...first, statement: 'another sentence', verdict: 'failed' as const }, ...rest],
  };
  const found = changes(before, report);
  expect([...found.failing, ...found.passing]).toEqual([]);
  expect(incomparableIds(found).toSorted()).toEqual([first.id, second.id].toSorted());
});
