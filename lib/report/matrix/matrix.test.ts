// The matrix: a letter a requirement, a page that is valid and bounded also with a thousand reports.
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { violations } from '../../schema/schema.ts';
import { ofProfile } from '../results.test-data.ts';
import { conformant, sample } from '../sample.test-data.ts';
import { type Matrix, MatrixBuilder, matrixPage } from './matrix.ts';

function built(...reports: readonly (readonly [string, ReturnType<typeof sample>['report']])[]): Matrix {
  const builder = new MatrixBuilder();
  for (const [name, report] of reports) builder.add(report, name);
  return builder.build();
}

test('each implementation has a letter a requirement, and its counts are those of its report', () => {
  const { report } = sample();
  const [one, two] = built(['one', report], ['two', conformant().report]).columns;
  expect(one?.verdicts).toHaveLength(report.requirements.length);
  const counts = (letter: string) => one?.verdicts.split(letter).length;
  const { must, should } = report.totals;
  expect([counts('f'), counts('w')]).toEqual([must.failed + 1, should.failed + 1]);
  expect(two?.verdicts).not.toMatch(/[fwni]/);
});

test('the data keep to their schema', () => {
  expect(violations('matrix', built(['one', sample().report]))).toEqual([]);
});

test('what one report does not have is not selected, and not passed', () => {
  const { report } = conformant();
  const part = { ...report, requirements: report.requirements.slice(0, 10), observations: [] };
  const matrix = built(['all', report], ['part', part]);
  expect(matrix.columns[1]?.verdicts.slice(10)).toMatch(/^-+$/);
  expect(matrix.columns[1]?.answers.every((number) => number === -1)).toBe(true);
});

test('what a profile leaves out is out of scope, and the verdict names the profile', () => {
  const { report } = ofProfile();
  const matrix = built(['keys', report], ['all', conformant().report]);
  expect(violations('matrix', matrix)).toEqual([]);
  expect(matrix.columns[0]?.verdicts.match(/s/g)).toHaveLength(report.out_of_scope?.length ?? -1);
  expect(matrix.columns[0]?.verdicts).not.toContain('-');
  expect(matrix.columns[1]?.verdicts).not.toContain('s');
  expect(matrix.columns[0]?.profile).toBe('server-to-server');
});

test('the page is valid HTML, and nothing in a name is markup', async () => {
  const page = matrixPage(built(['</script><script>alert(1)</script>', sample().report]));
  const { results } = await new HtmlValidate({ extends: ['html-validate:recommended'] }).validateString(page);
  expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId} ${message}`))).toEqual([]);
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.match(/<\/script/g)).toHaveLength(2);
});

test('a thousand reports make a page of at most 3 MB', () => {
  const { report } = sample();
  const builder = new MatrixBuilder();
  for (let index = 0; index < 1000; index += 1) builder.add(report, `vendor-${index}.example.com`);
  expect(Buffer.byteLength(matrixPage(builder.build()))).toBeLessThan(3_000_000);
});
