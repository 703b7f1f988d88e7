// Rules of one's own: after everything that the document asks for, and apart from it.
import type { Report } from '../../result.ts';
import { counted } from '../../runtime/text.ts';
import { failureLines } from './failures.ts';
import { indented, labelled, type Style } from './layout.ts';

const marks = {
  passed: 'ok',
  failed: 'FAILED',
  'not-tested': 'not tested',
  inconclusive: 'open',
  observed: 'seen',
} as const;

export function ownRules(report: Report, style: Style): string[] {
  if (report.own === undefined) return [];
  const { requirements, observations, totals } = report.own;
  const failed = totals.must.failed + totals.should.failed;
  return [
    style.colors.bold('Rules of your own'),
    ...indented(
      `${counted(requirements.length, 'rule')}, ${failed} failed; no verdict and no certificate counts them.`,
      style,
      2,
    ),
    ...requirements.flatMap(({ id, statement, verdict, reason, cases }) => {
      const answer = observations.find((one) => one.id === id)?.answer;
      const more = [answer, verdict === 'failed' ? undefined : reason].filter(Boolean).join('; ');
      const words = `${id}: ${statement}${more === '' ? '' : ` (${more})`}`;
      const shown = cases.filter(({ failure }) => failure).flatMap((one) => failureLines(one, report, style));
      return [...labelled(marks[verdict], words, style), ...shown];
    }),
  ];
}
