// Changed replies: a check that passed on the recorded ones fails on some others, and nothing is shown of what was red before.
import { beforeAll, expect, test } from 'vitest';
import { recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import { Mismatch } from '../client/errors.ts';
import { rules } from '../model/judge.ts';
import { CasesOf } from './cases-of.ts';
import { controlsOf, greenMusts } from './controls.ts';
import { memberPerturbations, pathsIn } from './perturbations.ts';
import { type Attempt, Perturber } from './perturbed.ts';
import { readEvidence } from './read.ts';
import type { WholeEvidence } from './replayed.ts';

const settings = { effort: 'quick', areas: ['billing'], exhaustion: false } as const;
let evidence: WholeEvidence;
let green: string[] = [];
const attempts: Attempt[] = [];

beforeAll(async () => {
  const { file, built } = await recordedRun({ settings });
  const { found, ...rest } = readEvidence(file, 'evidence.jsonl.gz');
  if (found === undefined) throw new Error('the record holds no verdict');
  evidence = { ...rest, found };
  green = greenMusts(built.report);
  const perturber = new Perturber(suites, evidence);
  const cases = new CasesOf(suites, evidence.header);
  const isOpen = (id: string) => !attempts.some(({ requirement, by }) => requirement === id && by !== undefined);
  for (const title of cases.serving(green)) attempts.push(...(await perturber.attempts(title, green.filter(isOpen))));
});

test('almost every MUST of these areas turns red, and it is said by which change', () => {
  const { controls, shown, byMutants, byChanges, notShown } = controlsOf(green, [], attempts);
  expect([byMutants, byChanges]).toEqual([0, shown]);
  expect(shown + notShown.length).toBe(green.length);
  expect(shown / green.length).toBeGreaterThan(0.8);
  expect(controls.find(({ requirement }) => requirement === 'billing-summary-scope')).toMatchObject({
    red: 0,
    change: 'accepted or refused the other way round',
  });
  for (const { why } of notShown)
    expect(why).toMatch(/^no mutant could be put into its replies, \d+ other changes? tried/);
});

test('a rule that accuses a case alone, whatever is changed, is left out', async () => {
  const id = 'billing-summary-scope';
  const mismatch = new Mismatch({ message: 'others wrote this', expected: 1, actual: 2 });
  const accuse = rules(
    [id],
    (_, { violations }) => void violations.push({ id, operation: 'GET /billing/summary', mismatch }),
  );
  const accusing = suites.map((suite) => (suite.area === 'billing' ? { ...suite, rules: accuse } : suite));
  const [title = ''] = new CasesOf(suites, evidence.header).serving([id]);
  const blind = await new Perturber(accusing, evidence).attempts(title, [id]);
  expect(blind).toEqual(attempts.filter(({ requirement }) => requirement === id));
});

test('where its case is red without a change, that is the reason', () => {
  const id = 'notes-create-refused-effect';
  const { notShown } = controlsOf([id], [], [{ requirement: id, trials: 0, unsound: true }]);
  expect(notShown).toEqual([
    { requirement: id, why: 'asked again without the others, its cases are not green on this record' },
  ]);
});

test('what a mutant turned red is counted for the mutant', () => {
  const outcomes = [{ requirement: 'billing-summary-scope', applied: true, red: true }];
  const { byMutants, controls } = controlsOf(['billing-summary-scope'], outcomes, attempts);
  expect(byMutants).toBe(1);
  expect(controls[0]).not.toHaveProperty('change');
});

test('a member is changed wherever it stands, in every record of a list', () => {
  const body = {
    data: [
      { id: 1, phones: [{ type: 'office' }] },
      { id: 2, phones: [] },
    ],
  };
  expect(pathsIn(body).map((path) => path.join('.'))).toEqual([
    'data',
    'data.[]',
    'data.[].id',
    'data.[].phones',
    'data.[].phones.[]',
    'data.[].phones.[].type',
  ]);
  const reply = { status: 200, headers: {}, body: JSON.stringify(body) };
  const bodies = memberPerturbations.map((at) => JSON.parse(at(['data', '[]', 'id']).of(reply)?.body ?? 'null').data);
  expect(bodies.map((data) => data.map(({ id }: { id?: unknown }) => id))).toEqual([
    [2, 3],
    [undefined, undefined],
    ['text', 'text'],
    [null, null],
  ]);
});
