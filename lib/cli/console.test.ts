// Words for people and shells, and where they end: colours are for terminals, and each command line can be copied.
import { describe, expect, test } from 'vitest';
import { callable } from './command-lines.ts';
import { styleOf } from './console.ts';
import { keptConsole } from './trial.test-data.ts';

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

const text =
  'See covenant requirements, or covenant --help; covenant runs, covenant-key.pem, covenant: covenant run --seed 1';
const said = (words: string, run = words): string =>
  `See ${words} requirements, or ${words} --help; covenant runs, covenant-key.pem, covenant: ${run} run --seed 1`;

describe('a command in a text is called', () => {
  test.each<[string, string, string, string?]>([
    ['npx in a project', '/home/me/project/node_modules/.bin/covenant', said('npx covenant')],
    ['npx in a project on Windows', 'C:\\me\\node_modules\\covenant-conformance\\dist\\main.js', said('npx covenant')],
    [
      'npx elsewhere',
      '/home/me/.npm/_npx/5a1/node_modules/.bin/covenant',
      said('node ../home/me/.npm/_npx/5a1/node_modules/.bin/covenant'),
    ],
    ['its name where it is installed for all', '/usr/local/bin/covenant', said('covenant')],
    ['node in the repository', '/work/covenant/dist/lib/cli/main.js', said('node covenant/dist/lib/cli/main.js')],
    ['node from elsewhere, quoted', '/work/my suite/main.js', said("node 'my suite/main.js'")],
  ])('%s', (_, entry, expected) => {
    expect(callable(text, { environment: {}, entry, folder: '/work' })).toBe(expected);
  });

  test('once, however often the text passes', () => {
    const started = { environment: {}, entry: '/work/node_modules/.bin/covenant', folder: '/work' };
    expect(callable(callable(text, started), started)).toBe(said('npx covenant'));
  });

  test.each([
    ['a script', '/work/dist/lib/cli/main.js'],
    ['npx', '/home/me/.npm/_npx/5a1/node_modules/.bin/covenant'],
  ])('with npx in a clone, where %s started it', (_, entry) => {
    const environment = { npm_package_name: 'covenant-conformance' };
    expect(callable(text, { entry, folder: '/work', environment })).toBe(said('npx covenant'));
  });
});
