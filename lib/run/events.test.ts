// The events of a run: every line as its schema says, nothing decided that changes, failures at once, and when enough has failed.
import { expect, test } from 'vitest';
import { type Examination, examine } from '../../lab/examine.ts';
import type { Handler } from '../../lab/reference/index.ts';
import type { RunEvent } from '../events.ts';
import { violations } from '../schema/schema.ts';

async function eventsOf(examination: Examination) {
  const events: RunEvent[] = [];
  const { report } = await examine({ ...examination, onEvent: (event) => events.push(event) });
  const all = <Name extends RunEvent['event']>(name: Name) =>
    events.flatMap((one) => (one.event === name ? [one as Extract<RunEvent, { event: Name }>] : []));
  return { events, report, all };
}

const settings = { effort: 'quick', areas: ['billing', 'notes', 'companies'] } as const;

/** What is refused for want of a scope is served. */
const broken =
  (honest: Handler): Handler =>
  async (request) => {
    const response = await honest(request);
    return response.status === 403 ? new Response(await response.text(), { ...response, status: 200 }) : response;
  };

const servers: readonly (readonly [string, Examination])[] = [
  ['the reference', { settings }],
  ['a broken server', { settings, wrap: broken }],
  [
    'a server that loses every fifth request',
    {
      settings,
      wrap: (honest) => {
        let count = 0;
        return (request) => {
          count += 1;
          return count > 30 && count % 5 === 0 ? Promise.reject(new Error('reset')) : honest(request);
        };
      },
    },
  ],
];

test.each(servers)(
  '%s: every event is as its schema says, in order, and decides once what the report says',
  async (_, examination) => {
    const { events, report, all } = await eventsOf(examination);
    expect(events.flatMap((one) => violations('event', one))).toEqual([]);
    expect([events[0]?.event, events.at(-1)?.event]).toEqual(['started', 'finished']);
    const times = events.map(({ at }) => Date.parse(at));
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(all('phase').map(({ phase }) => phase)).toEqual(['probe', 'cases', 'clean-up']);
    expect(all('phase').at(-1)?.verdict).toBe(all('finished')[0]?.verdict);
    const [started] = all('started');
    const ended = all('case-finished');
    expect(ended.map(({ done }) => done)).toEqual(ended.map((_one, index) => index + 1));
    expect([ended.length, ended.at(-1)?.share]).toEqual([started?.cases, 1]);
    expect(
      all('case-started')
        .map((one) => one.case)
        .sort(),
    ).toEqual(ended.map((one) => one.case).sort());
    expect(all('cleaned').at(-1)?.done).toBe(all('phase').at(-1)?.things);
    const decided = all('decided').map(({ requirement, verdict }) => [requirement, verdict]);
    expect(Object.fromEntries(decided)).toEqual(
      Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict])),
    );
    expect(decided).toHaveLength(report.requirements.length);
    const lastCase = events.findLastIndex(({ event }) => event === 'case-finished');
    expect(events.findIndex(({ event }) => event === 'decided')).toBeLessThan(lastCase);
    const failed = report.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    expect([...new Set(all('failure').map(({ requirement }) => requirement))].sort()).toEqual(failed.sort());
    expect(all('finished')[0]).toMatchObject({ verdict: report.verdict, totals: report.totals });
  },
);

test('a run with --bail stops after so many failures, cleans up, and says what was not run', async () => {
  const { events, report, all } = await eventsOf({ settings: { ...settings, bail: 1, concurrency: 1 }, wrap: broken });
  const failed = report.requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'failed');
  expect(failed.length).toBeGreaterThanOrEqual(1);
  const why = 'the run stopped after 1 failed MUST requirement, as it was asked to';
  const left = report.requirements.filter(({ reason }) => reason === why);
  expect(left.length).toBeGreaterThan(5);
  expect(left.every(({ verdict }) => verdict === 'inconclusive')).toBe(true);
  expect(report.verdict).toBe('non-conformant');
  const failure = events.findIndex(({ event }) => event === 'failure');
  expect(events.slice(failure).some(({ event }) => event === 'case-started')).toBe(false);
  expect(all('cleaned').at(-1)?.done).toBe(all('phase').at(-1)?.things);
  expect(report.residue.filter(({ kind }) => kind === 'note' || kind === 'key')).toEqual([]);
});

test('a bail that is not reached changes nothing', async () => {
  const { report } = await eventsOf({ settings: { ...settings, bail: 1000 }, wrap: broken });
  const { report: whole } = await eventsOf({ settings, wrap: broken });
  expect(report.totals).toEqual(whole.totals);
});

test('an interrupted run decides everything as its report does', async () => {
  const controller = new AbortController();
  let requests = 0;
  const { report, all } = await eventsOf({
    settings,
    signal: controller.signal,
    wrap: (honest) => (request) => {
      requests += 1;
      if (requests === 40) controller.abort(new Error('interrupted'));
      return honest(request);
    },
  });
  expect(report).toMatchObject({ verdict: 'aborted', reason: 'interrupted' });
  const decided = Object.fromEntries(all('decided').map(({ requirement, verdict }) => [requirement, verdict]));
  expect(decided).toEqual(Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict])));
});
