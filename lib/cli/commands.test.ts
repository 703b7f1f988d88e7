// `covenant serve`, `requirements`, `explain` and help: what goes to which stream, how a command is called there, and how they end.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../schema/schema.ts';
import { compose } from './compose.ts';
import { callable, styleOf } from './console.ts';
import { exampleOf } from './examples.ts';
import type { Listening } from './parts.ts';
import { expectRefused, keptConsole, trial } from './trial.test-data.ts';

const refusing = (code: string) => async (): Promise<Listening> => {
  throw Object.assign(new Error(code), { code });
};

describe('serve', () => {
  test('covenant serve prints a .env and nothing else, and stops cleanly on Ctrl-C', async () => {
    let closed = 0;
    const ended = await trial(['serve', '--minute-ms', '900', '--seed', '3'], {
      serve: async (_, stop) => {
        setImmediate(stop);
        const env = {
          COVENANT_BASE_URL: 'http://127.0.0.1:4010',
          COVENANT_API_KEY: 'svc_sk_1',
          COVENANT_ORIGIN_APP: 'a b',
        };
        return { url: env.COVENANT_BASE_URL, env, close: async () => void closed++ };
      },
    });
    expect(ended.served).toEqual([{ port: 4010, host: '127.0.0.1', minuteMs: 900, seed: 3 }]);
    expect(ended.out).toBe(
      'COVENANT_BASE_URL=http://127.0.0.1:4010\nCOVENANT_API_KEY=svc_sk_1\nCOVENANT_ORIGIN_APP="a b"\n',
    );
    expect(ended.stderr).toContain('listens on http://127.0.0.1:4010');
    expect([ended.code, closed]).toEqual([0, 1]);
  });

  test('--limits are those of every account', async () => {
    const { served } = await trial(['serve', '--limits', '200,30, 10'], { serve: refusing('EACCES') });
    expect(served[0]?.limits).toEqual({ read: 200, write: 30, validate: 10 });
  });

  test.each([
    [['serve'], 'EADDRINUSE', '127.0.0.1:4010 is already in use'],
    [['serve', '--port', '80'], 'EACCES', '80'],
    [['serve', '--host', '203.0.113.1'], 'EADDRNOTAVAIL', '203.0.113.1'],
  ])('%j: %s is one sentence', async (words, errno, why) => {
    expectRefused({ ...(await trial(words, { serve: refusing(errno) })), served: [] }, why);
  });

  test.each([
    [['serve', '--port', '65536'], '--port'],
    [['serve', '--port', 'http'], '--port'],
    [['serve', '--minute-ms', '0'], '--minute-ms'],
    [['serve', '--host', ''], '--host'],
    [['serve', '--prot', '1'], '--port'],
    [['serve', '--limits', '200,30'], '--limits'],
    [['serve', '--limits', '200,0,10'], '--limits'],
    [['serve', '--limits', '200,30,10,1'], '--limits'],
    [['serve', '--limits', 'many'], 'for example 200,30,10'],
  ])('%j is refused', async (words, why) => {
    expectRefused(await trial(words), why);
  });
});

describe('help', () => {
  const commands = async () => {
    const { out } = await trial(['--help']);
    return [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  };

  test('every command has a group, examples and exit codes', async () => {
    const names = await commands();
    expect(names).toEqual(expect.arrayContaining(['run', 'openapi']));
    expect((await trial(['--help'])).out).not.toContain('Commands:');
    for (const name of names) {
      const { code, out } = await trial([name, '--help']);
      expect([name, code]).toEqual([name, 0]);
      expect(out).toContain(`\nExamples:\n  covenant ${name}`);
      expect(out).toMatch(/\nExit codes:\n {4}0 {2}\w/);
    }
  });

  test('every option of a run stands in a group', async () => {
    const { out } = await trial(['run', '--help']);
    const rest = out.slice(out.indexOf('\nOptions:'), out.indexOf('\nExamples:'));
    expect(rest.match(/--[a-z0-9-]+/g)).toEqual(['--help']);
  });
});

describe('doctor', () => {
  test('covenant doctor --format json keeps to its schema, also where nothing answers', async () => {
    const environment = { COVENANT_BASE_URL: 'http://127.0.0.1:9', COVENANT_API_KEY: 'svc_sk_1' };
    const { code, out } = await trial(['doctor', '--format', 'json'], { environment });
    expect(code).toBe(4);
    expect(violations('diagnosis', JSON.parse(out))).toEqual([]);
  });
});

describe('explain', () => {
  test('covenant explain says what a requirement means, how it is tested, and what a failure looks like', async () => {
    const { code, out } = await trial(['explain', 'billing-summary-scope']);
    expect(code).toBe(0);
    expect(out).toMatchSnapshot();
  });

  test('nothing is shown of what no run can test', async () => {
    const { code, out } = await trial(['explain', 'idempotency-life']);
    expect([code, out]).toEqual([0, expect.stringContaining('no run lasts that long')]);
    for (const part of ['tested', 'to run it', 'looks like']) expect(out).not.toContain(part);
  });

  test.each([
    ['billing-sumary-scope', 'did you mean billing-summary-scope?'],
    ['billing-summary', 'there are billing-summary-scope.'],
    ['zzzzzz', '. See covenant requirements --search WORD.'],
  ])('%s is one sentence', async (id, why) => {
    expectRefused(await trial(['explain', id]), why);
  });

  test('the laboratory shows a failure of a requirement by a mutant', async () => {
    const found = await exampleOf('billing-summary-scope');
    expect(found?.mutant).toBe('billing-shows-summary-without-scope');
    expect(found?.result.cases.some(({ failure }) => failure !== undefined)).toBe(true);
  });
});

describe('requirements', () => {
  test('covenant requirements prints a table by area', async () => {
    const { code, out } = await trial(['requirements']);
    expect(code).toBe(0);
    expect(out).toMatchSnapshot();
  });

  test('covenant requirements prints JSON that holds everything', async () => {
    const { out } = await trial(['requirements', '--json']);
    expect((await trial(['requirements', '--format', 'json'])).out).toBe(out);
    const document: { requirements: { id: string }[] } = JSON.parse(out);
    expect(violations('catalogue', document)).toEqual([]);
    const rows = document.requirements;
    expect(rows.map(({ id }) => id)).toEqual(['billing-summary-scope', 'notes-order', 'idempotency-life']);
    expect(rows[2]).toMatchObject({ level: 'untestable', reason: 'no run lasts that long' });
  });

  test.each<[string[], string[]]>([
    [['--level', 'observe'], ['notes-order']],
    [['--level', 'must,untestable', '--area', 'idempotency'], ['idempotency-life']],
    [['--search', 'WITH refused'], ['billing-summary-scope']],
    [['--search', 'nothing like it'], []],
  ])('covenant requirements %j prints those', async (words, ids) => {
    const { out } = await trial(['requirements', '--format', 'json', ...words]);
    expect(JSON.parse(out).requirements.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('covenant requirements prints Markdown in which a bar does not end a column', async () => {
    const { out } = await trial(['requirements', '--format', 'markdown', '--area', 'billing']);
    expect(out).toMatchSnapshot();
  });

  test('covenant requirements prints the rulings as JSON that names its schema', async () => {
    const document = JSON.parse((await trial(['requirements', '--rulings', '--format', 'json'])).out);
    expect(document.$schema).toBe('covenant-conformance/schemas/v1/catalogue.schema.json');
    expect(document.rulings).toHaveLength(1);
    expect(violations('catalogue', document)).toEqual([]);
  });

  test.each(['table', 'markdown'])(
    'covenant requirements prints the rulings as %s with the requirements that they concern',
    async (format) => {
      const { out } = await trial(['requirements', '--rulings', '--format', format]);
      expect(out).toMatchSnapshot();
    },
  );

  test.each([
    [['requirements', '--format', 'jsn'], 'did you mean json?'],
    [['requirements', '--format', 'constructor'], 'No format'],
    [['requirements', '--json', '--format', 'markdown'], '--json is short for --format json'],
    [['requirements', '--area', 'notes,,billing'], '"notes,,billing" has an empty name in it'],
    [['run', '--requirement', ''], '"" has an empty name in it'],
    [['requirements', '--area', 'note'], 'did you mean notes?'],
  ])('%j is refused', async (words, why) => {
    expectRefused(await trial(words), why);
  });
});

test('no example names a day that is over', async () => {
  const texts = [readFileSync('docs/gate.md', 'utf8'), (await trial(['waive', '--help'])).out];
  for (const text of texts) expect(text).not.toMatch(/--expires \d/);
});

let sandbox: Listening;
beforeAll(async () => {
  sandbox = await compose().serve({ port: 0, host: '127.0.0.1', minuteMs: 60_000 });
});
afterAll(() => sandbox.close());

test('/openapi.json is what covenant openapi prints for this server', async () => {
  const reply = await fetch(`${sandbox.url}/openapi.json`);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await reply.json()).toEqual(JSON.parse(JSON.stringify(await compose().openapi(sandbox.url))));
});

test('everything else is left to the interface', async () => {
  const answered = async (path: string, method = 'GET') => {
    const reply = await fetch(sandbox.url + path, { method });
    return [reply.status, Object.keys((await reply.json()) as object)];
  };
  expect(await answered('/page')).toEqual([404, ['request_id', 'error']]);
  expect(await answered('/', 'POST')).toEqual([404, ['request_id', 'error']]);
  expect(await answered('/api/external/v2/health')).toEqual([200, ['request_id', 'timestamp', 'data']]);
});

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
