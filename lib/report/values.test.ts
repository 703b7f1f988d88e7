// What was expected and received is JSON in every format: a text does not look like a number, a word, or nothing.
import { expect, test } from 'vitest';
import { script } from '../reproduce/script.ts';
import type { Failure, Report } from '../result.ts';
import { annotations } from './github.ts';
import { exchange, failedCase, report, requirement } from './terminal/example.test-data.ts';
import { styled } from './terminal/layout.ts';
import { terminal } from './terminal.ts';
import { views } from './views.ts';

const body = JSON.stringify({ data: { valid: 'true', name: '', city: 'a  b', code: '401' } });

function failing(message: string, expected: unknown, actual: unknown): Report {
  const failure: Failure = { message, expected, actual, exchanges: [12], curl: [] };
  const row = requirement('failed', { cases: [failedCase({ failure })] });
  return report([row], { exchanges: [exchange(12, 'COVENANT_API_KEY', body)] });
}

/** Every format as plain text, entities and escapes undone. */
function everyFormat(of: Report): readonly (readonly [string, string])[] {
  const [row] = of.requirements;
  const failure = row?.cases[0]?.failure;
  if (row === undefined || failure === undefined) throw new Error('nothing failed');
  const plain = (text: string): string =>
    text
      .replaceAll(/\\?"/g, '"')
      .replaceAll('&quot;', '"')
      .replaceAll('&#34;', '"')
      .replaceAll('\\n', '\n')
      .replaceAll(/<[^>]*>/g, '');
  const shown = Object.entries(views)
    .filter(([name]) => ['html', 'junit', 'markdown', 'ctrf'].includes(name))
    .map(([name, view]) => [name, String(view.render({ report: of, transcript: [] }, {}))] as const);
  const reader = { ruling: () => undefined, again: () => 'covenant run' };
  return [
    ...shown,
    ['terminal', terminal(of, reader, styled(false))] as const,
    ['github', annotations(of)] as const,
    ['script', script({ requirement: row, failure }, of)] as const,
  ].map(([name, text]) => [name, plain(text)]);
}

test.each([
  ['valid should be true', true, 'true', '"true"'],
  ['The name should be kept', 'a name', '', '""'],
  ['The city should be kept', 'a city', 'a  b', '"a  b"'],
  ['The code should be a number', 401, '401', '"401"'],
])('%s: a received text stands in quotes', (message, expected, actual, quoted) => {
  for (const [name, text] of everyFormat(failing(message, expected, actual))) {
    // On GitHub all is one line, with single blanks.
    const wanted = name === 'github' ? quoted.replace('  ', ' ') : quoted;
    const found = [...text.matchAll(/received(?: in the run)?[:\s]*(?:```text\s*)?("[^"]*")/gi)].map(([, one]) => one);
    expect([name, ...new Set(found)]).toEqual([name, wanted]);
  }
});

test('an expected text stands in quotes, and a sentence of the suite does not', () => {
  const found = failing('error.code should be "UNAUTHORIZED"', 'UNAUTHORIZED', 'absent');
  for (const [name, text] of everyFormat(found)) {
    expect([name, text.includes('"UNAUTHORIZED"')]).toEqual([name, true]);
    if (name !== 'ctrf') expect([name, text.includes('"absent"')]).toEqual([name, false]);
  }
});
