// Evidence: what was recorded judges itself again to the letter, and whatever is done to it is noticed.
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { mutants } from '../../lab/mutants/index.ts';
import { forged, judge, type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import type { Handler } from '../client/transports/handler.ts';
import { verifyCode } from './exit-code.ts';
import { Damaged, readEvidence } from './read.ts';

const few = { effort: 'quick', areas: ['billing', 'api-keys', 'public'], exhaustion: false } as const;

let honest: RecordedRun;
let other: RecordedRun;
beforeAll(async () => {
  honest = await recordedRun({ settings: few });
  other = await recordedRun({ settings: few }, { seed: 2 });
});

describe('what was recorded follows', () => {
  test('to the letter of its report', async () => {
    const { outcome, troubles, verdict } = await judge(honest.file, honest.reportFile);
    expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'conformant' });
  });

  test.each(['billing-shows-summary-without-scope', 'api-keys-lists-secret'])('also of the mutant %s', async (id) => {
    const found =
      mutants.find((one) => one.id === id) ?? mutants.find(({ breaks }) => breaks.includes('api-keys-list-no-secret'));
    if (found === undefined) throw new Error(`no mutant ${id}`);
    const { file, reportFile, built } = await recordedRun({ wrap: found.wrap, settings: few });
    const { outcome, troubles, verdict } = await judge(file, reportFile);
    expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'non-conformant' });
    expect(built.brief.requirements.filter((one) => one.verdict === 'failed').length).toBeGreaterThan(0);
  });

  test('also where the run is written down while it goes on, to be resumed', async () => {
    let checkpoints = 0;
    const onCheckpoint = () => {
      checkpoints += 1;
    };
    const { file, reportFile } = await recordedRun({ settings: few }, {}, { onCheckpoint });
    expect(checkpoints).toBeGreaterThan(0);
    const { outcome, troubles } = await judge(file, reportFile);
    expect({ outcome, troubles }).toEqual({ outcome: 'follows', troubles: [] });
  });

  test('and where the verdict was not green, the exit code says so', () => {
    expect(verifyCode({ outcome: 'follows', verdict: 'conformant' })).toBe(0);
    expect(verifyCode({ outcome: 'follows', verdict: 'incomplete' })).toBe(1);
    expect(verifyCode({ outcome: 'broken', verdict: 'conformant' })).toBe(3);
    expect(verifyCode({ outcome: 'other-version' })).toBe(4);
  });
});

type Change = (lines: string[]) => readonly string[];
const lineOf = (lines: readonly string[], has: string, from = 0): number =>
  lines.findIndex((line, index) => index > from && line.includes(has));
const at = (lines: string[], index: number, line: string): string[] => lines.with(index, line);
const replyAt = (lines: string[]): number => lineOf(lines, '"status":200', 40);

const cheats: Readonly<Record<string, Change>> = {
  'a status changed': (lines) => {
    const index = replyAt(lines);
    return at(lines, index, (lines[index] ?? '').replace('"status":200', '"status":500'));
  },
  'a body changed': (lines) => {
    const index = lineOf(lines, String.raw`\"deleted\":true`, 40);
    return at(lines, index, (lines[index] ?? '').replace(String.raw`\"deleted\":true`, String.raw`\"deleted\":false`));
  },
  'an exchange dropped': (lines) => {
    const asked = lineOf(lines, '"ask":20,');
    const replied = lineOf(lines, '"reply":20,');
    return lines.filter((_, index) => index !== asked && index !== replied);
  },
  'an exchange doubled': (lines) => {
    const asked = lineOf(lines, '"ask":20,');
    const replied = lineOf(lines, '"reply":20,');
    return lines.flatMap((line, index) => (index === replied ? [line, lines[asked] ?? '', line] : [line]));
  },
  'an exchange moved': (lines) => {
    const [one, two] = [lineOf(lines, '"reply":20,'), lineOf(lines, '"reply":40,')];
    return lines.with(one, lines[two] ?? '').with(two, lines[one] ?? '');
  },
  'an exchange invented': (lines) =>
    lines.toSpliced(-1, 0, '{"ask":9999,"case":"x","request":{"method":"GET","url":"http://x.test/","headers":{}}}\n'),
  'a clock reading moved': (lines) => {
    const index = lineOf(lines, '"now":[0', 60);
    return at(lines, index, (lines[index] ?? '').replace('"now":[0', '"now":[7000'));
  },
  'another seed in the header': (lines) => at(lines, 0, (lines[0] ?? '').replace('"seed":1', '"seed":2')),
  'a header that claims another suite': (lines) => at(lines, 0, (lines[0] ?? '').replace('"code":"0', '"code":"1')),
  'a verdict changed in the record': (lines) =>
    at(lines, lines.length - 1, (lines.at(-1) ?? '').replace('"passed"', '"not-tested"')),
};

describe('cheats', () => {
  test.each(Object.entries(cheats))('%s', async (_, change) => {
    const altered = change(honest.lines.slice(0, -1));
    expect(altered.join('')).not.toBe(honest.lines.slice(0, -1).join(''));
    const clumsy = await judge(forged(honest.lines, change, false));
    expect([verifyCode(clumsy), clumsy.troubles]).toEqual([3, expect.arrayContaining([expect.any(String)])]);
    expect(clumsy.troubles).toContain('the lines are not those that were sealed');
    const careful = await judge(forged(honest.lines, change, true), honest.reportFile);
    expect([verifyCode(careful), careful.troubles]).toEqual([3, expect.arrayContaining([expect.any(String)])]);
    expect(careful.troubles).not.toContain('the lines are not those that were sealed');
  });

  test('a verdict edited in the report', async () => {
    const report = JSON.parse(honest.reportFile);
    report.requirements[0].verdict = 'failed';
    const { outcome, troubles } = await judge(honest.file, JSON.stringify(report));
    expect(outcome).toBe('broken');
    expect(troubles).toContain('the report is not the one that was sealed with the evidence');
    expect(troubles.join()).toContain(`${report.requirements[0].id}: failed in the report, but passed follows`);
  });

  test('a file of another seed', async () => {
    expect(verifyCode(await judge(other.file, honest.reportFile))).toBe(3);
  });

  test.each([0.3, 0.9, 0.999])('a file cut at %d of its length', async (share) => {
    const cut = honest.file.subarray(0, Math.floor(honest.file.length * share));
    const { outcome, troubles } = await judge(cut);
    expect({ outcome, troubles }).toEqual({
      outcome: 'broken',
      troubles: ['the file was cut: its last line, the seal, is missing'],
    });
    const lines = gzipSync(honest.lines.slice(0, -1).join(''));
    expect(verifyCode(await judge(lines))).toBe(3);
  });
});

describe('what is not for this version', () => {
  test('a later format', async () => {
    const later = (lines: string[]) =>
      at(lines, 0, (lines[0] ?? '').replace('covenant-evidence/1', 'covenant-evidence/2'));
    expect(verifyCode(await judge(forged(honest.lines, later, true)))).toBe(4);
  });

  test('something else than evidence', () => {
    for (const bytes of [Buffer.from('{}'), gzipSync('{}'), gzipSync('')])
      expect(() => readEvidence(bytes, 'x')).toThrow(/^x is not an evidence file/);
    const scratched = Uint8Array.from(honest.file).fill(0, 2000, 2050);
    expect(() => readEvidence(scratched, 'x')).toThrow(Damaged);
  });
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
  const { outcome, troubles, verdict } = await judge(file, reportFile);
  expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'aborted' });
});

test('a reply is written whole, however long it is and however wide its characters are', async () => {
  const lengths = [300_000, 50_000, 600_000];
  const padded = (handler: Handler): Handler => {
    let count = 0;
    return async (request) => {
      const reply = await handler(request);
      const length = lengths[count - 20];
      count += 1;
      if (length === undefined) return reply;
      return new Response(`${await reply.text()}${'€'.repeat(length)}`, reply);
    };
  };
  const { file, reportFile, lines } = await recordedRun({ wrap: padded, settings: few });
  const long = lines.flatMap((line) => line.match(/€+/)?.[0].length ?? []);
  expect(long.sort()).toEqual(lengths.toSorted());
  const { outcome, troubles } = await judge(file, reportFile);
  expect({ outcome, troubles }).toEqual({ outcome: 'follows', troubles: [] });
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
