// The house rules that no tool holds for us: how long and how pure a file is, how it begins, and that every suite is listed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { areas } from './lib/catalogue/requirement.ts';

const linesMax = 300;

/** What git keeps, or would keep if it were added. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
  .sort();
const sources = files.filter((file) => /\.(?:ts|mjs)$/.test(file));

const textOf = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));
const read = (file: string): string => textOf.get(file) ?? '';
const isTest = (file: string): boolean => /\.test(-data)?(?:\.d)?\.m?ts$|\.test-data\.mjs$/.test(file);

/** The lines of a text that a pattern fits, as `path:line` and what was found. */
function hits(file: string, text: string, pattern: RegExp): { readonly place: string; readonly found: string }[] {
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line)?.[0];
    return found === undefined ? [] : [{ place: `${file}:${index + 1}`, found }];
  });
}

/** Members and calls of globals, which Biome cannot restrict; biome.json holds the globals as such. */
const impure =
  /\bDate\.now\b|\bDate\(\)|\bnew Date\b(?!\()|\bMath\.random\b|\.random(?:Bytes|Int|UUID)\b|\bglobalThis\.(?:crypto|performance|process|set\w+)\b/;

/** Where time and chance enter: the clocks and the command line. */
const entrances =
  /^lib\/runtime\/clock\.ts$|^lib\/cli\/|^lab\/(?:reference|second-reading)\/clock\.ts$|^lab\/bench\/bench\.ts$/;

function impurities(file: string, text: string): string[] {
  if (isTest(file) || entrances.test(file)) return [];
  const code = text.replaceAll(/^[ \t]*(?:\/\/|\/?\*).*$/gm, '');
  return hits(file, code, impure).map(
    ({ place, found }) => `${place} uses ${found}; take the injected clock or the seeded random instead`,
  );
}

/** The parser behind the import rules does not see types that are imported in the middle of a line. */
const importedInside = /(?<!await )\bimport\('/;

describe('house rules', () => {
  test(`no file is longer than ${linesMax} lines`, () => {
    const long = sources.filter((file) => read(file).split('\n').length - 1 > linesMax);
    expect(long.map((file) => `${file} is too long; move what belongs together into a file of its own`)).toEqual([]);
  });

  test('every file begins with a comment that says what it is', () => {
    const silent = sources.filter((file) => !/^(#!.*\n)?\/\/ \S/.test(read(file)));
    expect(silent.map((file) => `${file}: begin it with // and one sentence`)).toEqual([]);
  });

  test('time and chance are injected', () => {
    const pure = sources.filter((file) => /^(?:lib|suites|lab)\//.test(file));
    expect(pure.flatMap((file) => impurities(file, read(file)))).toEqual([]);
  });

  test('imports stand where the import rules see them', () => {
    const unseen = sources.flatMap((file) => hits(file, read(file), importedInside));
    expect(unseen.map(({ place }) => `${place}: import the type at the top of the file`)).toEqual([]);
  });

  test('every suite stands in suites/index.ts, and every area has one', () => {
    const listed = [...read('suites/index.ts').matchAll(/ from '\.\/([^']+)'/g)].map((match) => `suites/${match[1]}`);
    const written = sources.filter((file) => !isTest(file) && /^export default suite\(/m.test(read(file)));
    const wanted = [...new Set([...written, ...areas.map((area) => `suites/${area}.ts`)])];
    expect(wanted.filter((file) => !listed.includes(file))).toEqual([]);
  });
});

describe('the rules themselves notice', () => {
  test.each([
    'const now = Date.now();',
    'const now = new Date();',
    'const now = String(new Date);',
    'const x = Math.random();',
    'const x = crypto.randomUUID();',
    'globalThis.setTimeout(f);',
  ])('%s', (line) => {
    expect(impurities('lib/run/run.ts', `f();\n${line}`)).toEqual([expect.stringContaining('lib/run/run.ts:2 uses')]);
    expect(impurities('lib/run/run.ts', `// ${line}`)).toEqual([]);
    expect(impurities('lib/runtime/clock.ts', line)).toEqual([]);
  });

  test('no time in a given date', () => {
    expect(impurities('lib/run/run.ts', 'new Date(ms).toISOString();')).toEqual([]);
  });

  test('a type imported in the middle of a line', () => {
    const inside = `type T = ${'import'}('./a.ts').T;`;
    expect(hits('a.ts', inside, importedInside)).toHaveLength(1);
    expect(hits('a.ts', `await ${'import'}('./a.ts');`, importedInside)).toEqual([]);
  });
});
