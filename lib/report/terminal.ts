// A finished run as text for people: summary first, then what was not tested, warnings, and failures last.
import type { Report } from '../result.ts';
import { failures, type Reader } from './terminal/failures.ts';
import { waivers } from './terminal/gate.ts';
import type { Style } from './terminal/layout.ts';
import { ownRules } from './terminal/own.ts';
import { summary } from './terminal/summary.ts';
import { causes, untested } from './terminal/untested.ts';

/** What an aborted run did not come to is not listed: its one reason is in the summary. */
export function terminal(report: Report, reader: Reader, style: Style): string {
  const parts = [
    summary(report, style),
    causes(report, style),
    report.verdict === 'aborted' ? [] : untested(report, style),
    waivers(report, style),
    failures(report, 'should', reader, style),
    failures(report, 'must', reader, style),
    ownRules(report, style),
  ].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`;
}
