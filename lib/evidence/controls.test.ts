// Live controls on a record whose clock went on between two readings, as every real one does.
import { beforeAll, describe, expect, test } from 'vitest';
import { mutants } from '../../lab/mutants/index.ts';
import { recordedRun } from '../../lab/recorded-run.ts';
import { suites } from '../../suites/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { CasesOf } from './cases-of.ts';
import { Bench, controlsOf, greenMusts } from './controls.ts';
import { readEvidence } from './read.ts';
import { RecordedReplies } from './recorded-replies.ts';
import { rejudge, type Wrap } from './rejudge.ts';
import type { WholeEvidence } from './replayed.ts';

const settings = { effort: 'standard', areas: ['account', 'companies', 'notes'], exhaustion: false } as const;

/** The first readings lie apart, as in a process that has just begun. */
function warmingUp(clock: Clock): Clock {
  let readings = 0;
  return {
    ...clock,
    now: () => {
      readings += 1;
      return clock.now() + Math.min(readings, 5);
    },
  };
}

let evidence: WholeEvidence;
let green: string[] = [];

beforeAll(async () => {
  const { file, built } = await recordedRun({ settings }, {}, { seen: warmingUp });
  const { found, ...rest } = readEvidence(file, 'evidence.jsonl.gz');
  if (found === undefined) throw new Error('the record holds no verdict');
  evidence = { ...rest, found };
  green = greenMusts(built.report);
});

const asking = ['account-header-selects', 'companies-create-name', 'companies-edit-reply', 'notes-text-characters'];
const turned = ['companies-edit-reply', 'notes-create-id', 'notes-text-characters'];

describe('recorded under the documented minute', () => {
  test.each(asking)('the cases of %s alone ask what was asked then, and it is green', async (id) => {
    const { header, entries } = evidence;
    const only = new CasesOf(suites, header).serving([id]);
    const { brief, unanswered } = await rejudge({ suites, header, replies: new RecordedReplies(entries), only });
    expect([...unanswered]).toEqual([]);
    expect(brief.requirements.find((one) => one.id === id)?.verdict).toBe('passed');
  });

  test.each(turned)('a mutant turns %s red', async (id) => {
    const bench = new Bench(suites, evidence);
    const breaking = mutants.filter(({ breaks }) => breaks.some((one) => one === id));
    const outcomes = [];
    for (const mutant of breaking) outcomes.push(...(await bench.outcomesOf(mutant, new Set([id]))));
    expect(green).toContain(id);
    expect(outcomes.some(({ red }) => red)).toBe(true);
  });
});

test('a mutant that changes no reply, or needs one that nobody recorded, does not apply', async () => {
  const id = 'companies-edit-reply';
  const bench = new Bench(suites, evidence);
  const outcome = { requirement: id, applied: false, red: false };
  const idle: Wrap = (handler) => handler;
  const asking: Wrap = (handler) => async (request) => {
    await handler(new Request(new URL('/api/external/v2/me?its=own', request.url)));
    return new Response('{}');
  };
  for (const wrap of [idle, asking])
    expect(await bench.outcomesOf({ id: 'x', breaks: [id], wrap }, new Set([id]))).toEqual([outcome]);
  const broken: Wrap = () => async () => new Response('{}');
  expect(await bench.outcomesOf({ id: 'x', breaks: [id], wrap: broken }, new Set([id]))).toMatchObject([
    { requirement: id, applied: true },
  ]);
});

test('mutants that were spared once one had turned a requirement red are counted apart', () => {
  const id = 'notes-create-id';
  const { controls } = controlsOf(
    [id],
    [{ requirement: id, applied: true, red: true }],
    [],
    [{ breaks: [id] }, { breaks: [id] }, { breaks: ['notes-text-long'] }],
  );
  expect(controls).toEqual([{ requirement: id, applied: 1, notApplicable: 0, red: 1, untried: 1 }]);
});
