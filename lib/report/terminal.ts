// A finished run as text for people: summary first, then what was not tested, warnings, and failures last.
import type { Report } from './model.ts';
import { failures, type RulingText } from './terminal/failures.ts';
import type { Style } from './terminal/layout.ts';
import { summary } from './terminal/summary.ts';
import { untested } from './terminal/untested.ts';

export function terminal(report: Report, ruling: RulingText, style: Style): string {
  const parts = [
    summary(report, style),
    untested(report, style),
    failures(report, 'should', ruling, style),
    failures(report, 'must', ruling, style),
  ].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`;
}
