// Evidence: what was reported follows from what was recorded, and whatever is done to either is noticed.
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { mutants } from '../../lab/mutants/index.ts';
import { forged, judge, type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import { countedFrom } from '../../lab/variants/identifiers.ts';
import { badTokenIds } from '../../suites/authentication/rules.ts';
import { suites } from '../../suites/index.ts';
import type { Handler } from '../client/transports/handler.ts';
import { type Rule, rules } from '../model/judge.ts';
import { controlsOf } from './controls.ts';
import { Damaged, readEvidence } from './read.ts';
import { verifyCode } from './verify.ts';

const few = { effort: 'quick', areas: ['billing', 'api-keys', 'public'], exhaustion: false } as const;

let honest: RecordedRun;
beforeAll(async () => {
  honest = await recordedRun({ settings: few });
});

describe('what was recorded follows', () => {
  test.each(['billing-shows-summary-without-scope', 'api-keys-lists-secret'])('also of the mutant %s', async (id) => {
    const found =
      mutants.find((one) => one.id === id) ?? mutants.find(({ breaks }) => breaks.includes('api-keys-list-no-secret'));
    if (found === undefined) throw new Error(`no mutant ${id}`);
    const { file, reportFile, built } = await recordedRun({ wrap: found.wrap, settings: few });
    const { outcome, troubles, verdict } = judge(file, reportFile);
    expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'non-conformant' });
    expect(built.brief.requirements.filter((one) => one.verdict === 'failed').length).toBeGreaterThan(0);
  });

  test('and where the verdict was not green, the exit code says so', () => {
    expect(verifyCode({ outcome: 'follows', verdict: 'conformant' })).toBe(0);
    expect(verifyCode({ outcome: 'follows', verdict: 'incomplete' })).toBe(1);
    expect(verifyCode({ outcome: 'broken', verdict: 'conformant' })).toBe(3);
    expect(verifyCode({ outcome: 'other-version' })).toBe(4);
  });
});

/** A line as a forger sees it. */
interface Line {
  readonly id?: number;
  readonly request: { url: string };
  readonly report: RecordedRun['built']['report'];
  readonly suite: { version: string; code: string };
  status: number;
  text: string;
  interface: string;
  sha256OfReport: string;
  doubt?: string;
}
type Forge = (lines: Line[]) => void;

const exchange = (lines: readonly Line[], fits: (line: Line) => boolean): Line => {
  const line = lines.find((one) => one.id !== undefined && fits(one));
  if (line === undefined) throw new Error('no such exchange');
  return line;
};
const reportOf = (lines: readonly Line[]): Line['report'] => (lines.at(-1) as Line).report;
const resultOf = (lines: readonly Line[], id: string) => {
  const found = reportOf(lines).requirements.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};
const isDeletion = ({ text }: Line): boolean => text.includes('"deleted":true');

/** What somebody makes of a file who knows how it is sealed, and what is said of it. */
const cheats: Readonly<Record<string, readonly [words: RegExp, forge: Forge]>> = {
  'a status changed': [
    /^billing-summary-scope: recorded as passed, but failed follows/,
    (lines) => {
      exchange(lines, ({ status, request }) => status === 403 && request.url.endsWith('/billing/summary')).status = 200;
    },
  ],
  'a body changed': [
    /^api-keys-delete-result: recorded as passed, but failed follows/,
    (lines) => {
      const line = exchange(lines, isDeletion);
      line.text = line.text.replace('"deleted":true', '"deleted":false');
    },
  ],
  'an exchange dropped': [/^line 22 is not exchange 21 of the run$/, (lines) => void lines.splice(21, 1)],
  'an exchange doubled': [
    /^line 23 is not exchange 22 of the run$/,
    (lines) => void lines.splice(21, 0, lines[21] as Line),
  ],
  'two exchanges in another order': [
    /^line 22 is not exchange 21 of the run$/,
    (lines) => void lines.splice(21, 2, lines[22] as Line, lines[21] as Line),
  ],
  'a verdict changed': [
    /^billing-summary-scope: recorded as failed, but passed follows/,
    (lines) => void Object.assign(resultOf(lines, 'billing-summary-scope'), { verdict: 'failed' }),
  ],
  'the verdict of the run changed': [
    /^the run is recorded as incomplete, but conformant follows/,
    (lines) => void Object.assign(reportOf(lines), { verdict: 'incomplete' }),
  ],
  'totals changed': [
    /^the report does not follow at \/totals\/must\/failed$/,
    (lines) => void Object.assign(reportOf(lines).totals.must, { failed: 3 }),
  ],
  'a requirement left out': [
    /^billing-summary-scope was selected, and the report leaves it out$/,
    (lines) => {
      const report = reportOf(lines);
      const requirements = report.requirements.filter(({ id }) => id !== 'billing-summary-scope');
      Object.assign(report, { requirements });
    },
  ],
  'fewer areas': [
    /^billing-summary-scope was not selected, and the report has it$/,
    (lines) => void Object.assign(reportOf(lines).run.options, { area: ['public'] }),
  ],
  'another suite': [
    /whose code is 000000000000…, but names 111111111111…$/,
    ([header]) => void Object.assign(header?.suite ?? {}, { code: '1'.repeat(64) }),
  ],
  'another interface': [
    /whose interface is 2026-03, but names 2027-01$/,
    ([header]) => void Object.assign(header ?? {}, { interface: '2027-01' }),
  ],
  'another digest of the report': [
    /^the report is not the one that was sealed with the evidence$/,
    (lines) => void Object.assign(lines.at(-1) ?? {}, { sha256OfReport: 'a'.repeat(64) }),
  ],
};

const changedLines =
  (forge: Forge) =>
  (all: string[]): string[] => {
    const lines = all.map((line): Line => JSON.parse(line));
    forge(lines);
    return lines.map((line) => `${JSON.stringify(line)}\n`);
  };

describe('cheats', () => {
  test.each(Object.entries(cheats))('%s', (_, [words, forge]) => {
    const clumsy = judge(forged(honest.lines, changedLines(forge), false));
    expect(verifyCode(clumsy)).toBe(3);
    expect(clumsy.troubles).toContain('the lines are not those that were sealed');
    const careful = judge(forged(honest.lines, changedLines(forge), true), honest.reportFile);
    expect(verifyCode(careful)).toBe(3);
    expect(careful.troubles).toContainEqual(expect.stringMatching(words));
    expect(careful.troubles).not.toContain('the lines are not those that were sealed');
  });
});

test('a file whose bytes are scratched is damaged', () => {
  const scratched = Uint8Array.from(honest.file).fill(0, 2000, 2050);
  expect(() => readEvidence(scratched, 'x')).toThrow(Damaged);
});

test('what Ctrl-C stops follows as well', async () => {
  let sent = 0;
  const controller = new AbortController();
  const stopping =
    (handler: Handler): Handler =>
    async (request) => {
      sent += 1;
      if (sent === 60) controller.abort(new Error('interrupted'));
      return handler(request);
    };
  const { file, reportFile, built } = await recordedRun(
    { wrap: stopping, settings: few },
    {},
    { signal: controller.signal },
  );
  expect(built.report.verdict).toBe('aborted');
  const { outcome, troubles, verdict } = judge(file, reportFile);
  expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'aborted' });
});

test('identifiers beyond 2^53 stand in ledger, evidence and report as the target sent them', async () => {
  const wrap = countedFrom(2n ** 60n);
  const settings = { effort: 'quick', areas: ['notes'], exhaustion: false } as const;
  const { built, file, reportFile, lines } = await recordedRun({ wrap, settings });
  const digits = [...lines.join('').matchAll(/\\"id\\":(\d{17,})/g)].map(([, id]) => id);
  expect(digits.length).toBeGreaterThan(10);
  const { residue } = built.report;
  expect(residue.length).toBeGreaterThan(0);
  expect(residue.map(({ id }) => digits.includes(id))).not.toContain(false);
  const { outcome, troubles, verdict } = judge(file, reportFile);
  expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'conformant' });
});

test('no credential and no made key stands in it', () => {
  const text = gunzipSync(honest.file).toString();
  const { keys } = honest;
  expect(keys.length).toBeGreaterThan(5);
  for (const secret of [...Object.values(honest.env).filter((one) => one.startsWith('svc_sk_')), ...keys]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.slice(-16));
    expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4));
  }
  const signature = honest.env.COVENANT_JWT?.split('.')[2] ?? '';
  expect(signature.length).toBeGreaterThan(30);
  expect(text).not.toContain(signature.slice(0, 20));
});

/** A request that got no reply is in no history, a contact may lack an identifier, a session is put back before others go on. */
const alsoByCases: readonly string[] = [
  'errors-malformed-json-envelope',
  'errors-strange-input-envelope',
  ...badTokenIds,
  'authentication-refused-effect',
  'contacts-create-once',
  'contacts-list-contains',
];

test('a requirement is decided in one place, by the exchanges of a run; few are decided by a case as well', async () => {
  const { file, built } = await recordedRun({ settings: { effort: 'quick' } });
  expect(judge(file).asRecorded).toEqual([]);
  const isDecided = ({ verdict }: { readonly verdict: string }): boolean => ['passed', 'failed'].includes(verdict);
  const byCases = built.report.requirements.filter(({ cases }) => cases.some((one) => one.case && isDecided(one)));
  expect(byCases.map(({ id }) => id).filter((id) => !alsoByCases.includes(id))).toEqual([]);
});

describe('live controls', () => {
  const evidence = () => readEvidence(honest.file, 'x');

  test('nearly every MUST that passed is seen to fail once replies are changed', () => {
    const counts: number[] = [];
    const { musts, shown, notShown } = controlsOf(evidence(), suites, (count) => counts.push(count));
    expect(musts).toBeGreaterThan(30);
    expect(shown + notShown.length).toBe(musts);
    expect(shown / musts).toBeGreaterThan(0.9);
    expect(counts.at(-1)).toBe(shown);
  });

  test('what nothing judges is not shown, and neither is what cannot fail', () => {
    const blind = suites.map((suite) => ({ ...suite, cases: [], rules: rules(['billing-summary-scope'], countAll) }));
    const { shown, notShown } = controlsOf(evidence(), blind);
    expect([shown, notShown.includes('billing-summary-scope')]).toEqual([0, true]);
  });
});

const countAll: Rule<'billing-summary-scope'> = ({ replies }, { count }) => {
  for (const reply of replies) count('billing-summary-scope', reply);
};
