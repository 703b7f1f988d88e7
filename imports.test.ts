// The import rules at work: a small false project with one wrong import for every rule, and every one is refused.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** By rule: a file of the false project, and what it must not import. */
const wrong: Readonly<Record<string, readonly [file: string, imported: string]>> = {
  'lib/runtime': ['lib/runtime/a.ts', 'lib/catalogue/index.ts'],
  'lib/secrets': ['lib/secrets/a.ts', 'node:crypto'],
  'lib/catalogue/requirement.ts': ['lib/catalogue/requirement.ts', 'lib/catalogue/index.ts'],
  'lib/catalogue': ['lib/catalogue/a.ts', 'node:fs'],
  'lib/schema': ['lib/schema/a.ts', 'lib/client/b.ts'],
  'lib/result.ts': ['lib/result.ts', 'lib/run/b.ts'],
  'lib/events.ts': ['lib/events.ts', 'lib/run/b.ts'],
  'lib/configuration': ['lib/configuration/a.ts', 'lib/client/b.ts'],
  'lib/client': ['lib/client/a.ts', 'lib/expect/b.ts'],
  'lib/expect': ['lib/expect/a.ts', 'lib/fixtures/b.ts'],
  'lib/fixtures': ['lib/fixtures/a.ts', 'lib/case.ts'],
  'lib/model': ['lib/model/a.ts', 'lib/run/b.ts'],
  'lib/case.ts': ['lib/case.ts', 'lib/run/b.ts'],
  'lib/doctor': ['lib/doctor/a.ts', 'lib/report/b.ts'],
  'lib/index.ts': ['lib/index.ts', 'lib/secrets/b.ts'],
  'lib/run': ['lib/run/a.ts', 'suites/index.ts'],
  'lib/reproduce': ['lib/reproduce/a.ts', 'lib/run/b.ts'],
  'lab/bench': ['lab/bench/a.ts', 'suites/billing.ts'],
  'lab/evidence': ['lab/evidence/a.ts', 'suites/billing.ts'],
  'lab/network': ['lab/network/a.ts', 'suites/notes/b.ts'],
  'lib/evidence': ['lib/evidence/a.ts', 'lib/cli/b.ts'],
  'lib/gate': ['lib/gate/a.ts', 'lib/report/b.ts'],
  'lib/report': ['lib/report/a.ts', 'lib/run/b.ts'],
  'lib/openapi': ['lib/openapi/a.ts', 'lib/run/b.ts'],
  'lib/runner': ['lib/runner/a.ts', 'lib/report/b.ts'],
  'lib/cli': ['lib/cli/a.ts', 'lab/matrix/b.ts'],
  suites: ['suites/notes/a.ts', 'lib/run/b.ts'],
  'lab/reference': ['lab/reference/a.ts', 'lib/catalogue/operations.ts'],
  'lab/second-reading': ['lab/second-reading/a.ts', 'lab/reference/index.ts'],
  'lab/mutants': ['lab/mutants/a.ts', 'lab/reference/store.ts'],
  'lab/mutants/generated': ['lab/mutants/generated/a.ts', 'lab/mutants/b.ts'],
  'lab/variants': ['lab/variants/a.ts', 'lib/run/b.ts'],
  'lab/conditional': ['lab/conditional/a.ts', 'suites/billing.ts'],
  'lab/matrix': ['lab/matrix/a.ts', 'lib/cli/b.ts'],
  'without a row': ['lib/attic/a.ts', 'lib/run/b.ts'],
  area: ['suites/notes/b.ts', 'suites/billing/b.ts'],
  circle: ['lib/run/c.ts', 'lib/run/d.ts'],
  'not there': ['lib/run/e.ts', 'lib/run/gone.ts'],
  'undeclared package': ['lab/reference/c.ts', 'vitest'],
  'test as a library': ['lib/gate/c.ts', 'lib/gate/c.test-data.ts'],
  'generated mutants': ['lab/mutants/c.ts', 'lab/mutants/generated/b.ts'],
};

/** What no rule may refuse, for a table that refuses everything would pass as well. */
const right: readonly (readonly [file: string, imported: string])[] = [
  ['lib/run/right.ts', 'lib/client/b.ts'],
  ['lib/client/right.ts', 'undici'],
  ['lib/client/right.test.ts', 'suites/index.ts'],
  ['lib/cli/right.ts', 'suites/index.ts'],
  ['suites/notes/right.ts', 'lib/index.ts'],
  ['lab/examine.ts', 'lib/run/b.ts'],
];

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
}
interface Cruise {
  readonly summary: {
    readonly violations: readonly Violation[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string; readonly comment?: string }[] };
  };
}

const folder = mkdtempSync(join(tmpdir(), 'imports-'));
const isPackage = (name: string): boolean => !name.endsWith('.ts') && !name.startsWith('node:');

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Of a type only, because that is the kind of import that a parser is most likely to lose. */
function statement(file: string, imported: string): string {
  const path = imported.endsWith('.ts') ? `./${relative(dirname(file), imported)}` : imported;
  return `import type { A } from '${path}';\n`;
}

function writeProject(): void {
  const imports = [...Object.values(wrong), ...right];
  for (const imported of imports.map(([, name]) => name)) {
    if (imported.endsWith('.ts') && imported !== wrong['not there']?.[1]) write(imported, 'export type A = 1;\n');
    if (isPackage(imported)) write(`node_modules/${imported}/package.json`, `{ "name": "${imported}" }`);
    if (isPackage(imported)) write(`node_modules/${imported}/index.js`, '');
  }
  for (const [file, imported] of imports) write(file, statement(file, imported));
  const [first, second] = wrong.circle ?? ['', ''];
  write(second, statement(second, first));
  write('package.json', '{ "dependencies": { "undici": "*" }, "devDependencies": { "vitest": "*" } }');
}

const program = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

function cruise(): Cruise {
  const config = resolve('.dependency-cruiser.mjs');
  const parts = [program, '--config', config, '--output-type', 'json', 'lib', 'suites', 'lab'];
  const { stdout, stderr } = spawnSync(process.execPath, parts, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

let found: Cruise['summary'];
beforeAll(() => {
  writeProject();
  found = cruise().summary;
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every rule has a wrong import here, and says what to do instead', () => {
  const names = found.ruleSetUsed.forbidden.map(({ name }) => name);
  expect([...Object.keys(wrong), 'orphan']).toEqual(expect.arrayContaining(names));
  expect(found.ruleSetUsed.forbidden.filter(({ comment = '' }) => comment.length < 20)).toEqual([]);
});

test.each(Object.entries(wrong))('%s: refuses %j', (rule, [file]) => {
  expect(found.violations.filter((one) => one.rule.name === rule).map(({ from }) => from)).toContain(file);
});

test.each(right)('%s may import %s', (file) => {
  expect(found.violations.filter(({ from, rule }) => from === file && rule.name !== 'orphan')).toEqual([]);
});

test('a file that nothing leads to is an orphan', () => {
  expect(found.violations.filter(({ rule }) => rule.name === 'orphan').map(({ from }) => from)).toContain(
    'lib/run/c.ts',
  );
});
