// One result of every kind, by name: what every view must be able to show.
import type { JudgedTotals, RunResult } from '../result.ts';
import { changed, conformant, hostile, incomplete, pools, sample } from './sample.test-data.ts';

const nothing: JudgedTotals = { passed: 0, failed: 0, not_tested: 0, inconclusive: 0 };

const [firstId = '', secondId = ''] = sample()
  .report.requirements.filter((row) => row.level === 'must' && row.verdict === 'failed')
  .map((row) => row.id);

/** With a plan, and with waivers in every state. */
const waived = (): RunResult =>
  changed(sample(), {
    plan: {
      requests: pools.map((pool) => ({ ...pool, requests: 40 })),
      residue: [{ kind: 'company', count: 1 }],
      duration_ms: 60_000,
    },
    waivers: [
      {
        requirement: firstId,
        reason: hostile,
        owner: 'payments',
        link: 'https://example.com/1',
        expires: '2026-06-30',
        state: 'applied',
      },
      {
        requirement: secondId,
        operation: 'GET /me',
        reason: 'known',
        owner: hostile,
        expires: '2026-01-01',
        state: 'expired',
        note: 'renew it',
      },
      { requirement: 'no-such-requirement', reason: 'known', owner: 'payments', expires: '2026-06-30', state: 'idle' },
      {
        requirement: 'envelope-success-object',
        reason: 'was broken',
        owner: 'payments',
        expires: '2026-06-30',
        state: 'stale',
      },
    ],
  });

/** What needs a session is out of its scope. */
export const ofProfile = (): RunResult => {
  const result = conformant();
  const { run, requirements } = result.report;
  const isForeign = ({ id }: { readonly id: string }) => id.startsWith('account-');
  return changed(result, {
    run: { ...run, options: { ...run.options, profile: 'server-to-server' } },
    requirements: requirements.filter((row) => !isForeign(row)),
    out_of_scope: requirements
      .filter(isForeign)
      .map(({ id, level, area, section, statement }) => ({ id, level, area, section, statement })),
  });
};

export const results: Readonly<Record<string, () => RunResult>> = {
  'of every verdict': () => sample(),
  'with a plan and waivers': waived,
  'that is a certificate': conformant,
  'that is incomplete': incomplete,
  'of a profile': ofProfile,
  'that was aborted before anything was judged': () =>
    changed(
      { report: sample().report, transcript: [] },
      {
        verdict: 'aborted',
        reason: `the target could not be reached: ${hostile}`,
        totals: { must: nothing, should: nothing, observe: { observed: 0, not_tested: 0 } },
        requirements: [],
        observations: [],
        exchanges: [],
        budget: [],
        residue: [],
        latency: [],
        traffic: [],
      },
    ),
};
