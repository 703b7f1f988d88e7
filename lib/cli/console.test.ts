// Colours are for terminals, unless the variables that other programs know say otherwise.
import { expect, test } from 'vitest';
import { keptConsole } from './console.test-data.ts';
import { styleOf } from './console.ts';

test.each([
  [false, {}, false],
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('on a terminal (%s) with %j there are colours: %s', (stdoutIsTerminal, environment, colours) => {
  const { console } = keptConsole({ environment });
  const { colors } = styleOf({ ...console, stdoutIsTerminal });
  expect(colors.red('x') !== 'x').toBe(colours);
});
