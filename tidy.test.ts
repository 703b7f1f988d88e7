// The house rules, held as data and checked against every source file: who may import whom, and how long, how pure, how reachable a file is.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { areas } from './lib/catalogue/requirement.ts';
import manifest from './package.json' with { type: 'json' };

interface Rule {
  /** Whose imports it governs; the first rule that fits a file decides. */
  readonly files: RegExp;
  /** What these may import: files of the project, `package:` and its name, `node:` modules. */
  readonly may: readonly RegExp[];
  readonly instead: string;
}

const anything = [/./];
const packages = [/^package:/, /^node:/];

/** The import table. */
const importTable: readonly Rule[] = [
  { files: /\.test(-data)?\.ts$/, may: anything, instead: '' },
  { files: /^[^/]+\.ts$/, may: anything, instead: '' },
  { files: /^lib\/cli\//, may: anything, instead: '' },
  {
    files: /^lib\/catalogue\/requirement\.ts$/,
    may: [],
    instead: 'it is a leaf: give it what it needs as an argument',
  },
  {
    files: /^lib\/catalogue\//,
    may: [/^lib\/catalogue\//, /^node:crypto$/],
    instead: 'the catalogue is the document, not the program: move what computes into lib/',
  },
  {
    files: /^lib\//,
    may: [/^lib\/(?!cli\/)/, /^schemas\//, /^package\.json$/, ...packages],
    instead:
      'the engine knows neither suites nor laboratory nor command line: take it as a parameter, and let lib/cli compose',
  },
  {
    files: /^suites\//,
    may: [/^lib\/index\.ts$/, /^suites\//, /^package:fast-check$/],
    instead: 'suites have one door: export what they need from lib/index.ts',
  },
  {
    files: /^lab\/reference\//,
    may: [/^lab\/reference\//, ...packages],
    instead: 'examiner and examinee share only the interface document: write it again, from the document',
  },
  {
    files: /^lab\/(faults|oddities)\//,
    may: [
      /^lab\/(faults|oddities)\//,
      /^lab\/reference\/index\.ts$/,
      /^lib\/(catalogue\/(index|operations|requirement)|runtime\/virtual-clock)\.ts$/,
      /^schemas\//,
      ...packages,
    ],
    instead: 'faults and oddities wrap the reference from outside: use its handler type and its public options',
  },
  { files: /^lab\//, may: anything, instead: '' },
];

const folders = ['lib', 'suites', 'lab'];
const linesMax = 300;
const functionLinesMax = 70;

const sources = [
  ...readdirSync('.').filter((name) => name.endsWith('.ts')),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((name) => name.endsWith('.ts')),
  ),
].sort();
const textOf = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));
const read = (file: string): string => textOf.get(file) ?? '';
const isTest = (file: string): boolean => /\.test(-data)?\.ts$/.test(file);

const importing = /^(?:import|export)\s+(?:[\w*{][\w\s,{}*]*\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'/gm;

/** What a text imports, as files of the project, `package:name` or `node:name`. */
function importsOf(file: string, text: string): string[] {
  const found = [...text.matchAll(importing)].map((match) => match[1] ?? match[2] ?? '');
  return found.map((name) => {
    if (name.startsWith('.')) return normalize(join(dirname(file), name));
    if (name.startsWith('node:')) return name;
    return `package:${name.split('/', name.startsWith('@') ? 2 : 1).join('/')}`;
  });
}

function forbiddenImports(file: string, text: string): string[] {
  const rule = importTable.find(({ files }) => files.test(file));
  if (rule === undefined) return [`${file}: no rule says what it may import; add one to the import table`];
  return importsOf(file, text)
    .filter((name) => !rule.may.some((may) => may.test(name)))
    .map((name) => `${file} imports ${name}; ${rule.instead}`);
}

const outline =
  /(?:=> \{|^\s*(?:export (?:default )?)?(?:async )?function\b.*\{|^\s*\).*\{|^\s+(?:(?:private|static|override|async|get|set) )*#?\w+\(.*\{)$/;
const noFunction = /^\s*(?:\} )?(?:if|for|while|switch|catch|else|describe)\b|^\(\(\) => \{$/;

/** Functions by the formatter's indentation: each ends at the first closing brace that stands as far left as its beginning. */
function longFunctions(file: string, text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    if (!outline.test(line) || noFunction.test(line)) return [];
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const length = lines.slice(start).findIndex((other, index) => index > 0 && other.startsWith(`${indent}}`)) + 1;
    return length > functionLinesMax ? [`${file}:${start + 1} is a function of ${length} lines; split it`] : [];
  });
}

const impure =
  /\bDate\.now\b|\bnew Date\(\)|\bsetTimeout\b|\bsetInterval\b|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bperformance\.now\b/;
/** Where time and chance enter: the clocks, the sockets, the command line, the browser of a report's reader. */
const entrances =
  /^lib\/(runtime\/clock|client\/transports\/live|report\/html\/script)\.ts$|^lib\/cli\/|^lab\/reference\/(server|clock)\.ts$/;

function impurities(file: string, text: string): string[] {
  if (entrances.test(file)) return [];
  return text.split('\n').flatMap((line, index) => {
    const found = impure.exec(line)?.[0];
    return found && !/^\s*(\/\/|\/?\*)/.test(line)
      ? [`${file}:${index + 1} uses ${found}; take the injected clock or the seeded random instead`]
      : [];
  });
}

/** Files that a text starts as threads, by their compiled names. */
const workersOf = (file: string, text: string): string[] =>
  [...text.matchAll(/new URL\('(\.[^']+)\.js', import\.meta\.url\)/g)].map((match) =>
    normalize(join(dirname(file), `${match[1]}.ts`)),
  );

function reachable(roots: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const open = [...roots];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !textOf.has(file)) continue;
    seen.add(file);
    open.push(...importsOf(file, read(file)), ...workersOf(file, read(file)));
  }
  return seen;
}

/** What the package starts: its command, its exports, its scripts. */
const entries = [
  manifest.bin.covenant,
  ...Object.values(manifest.exports).map((entry) => (typeof entry === 'string' ? entry : entry.default)),
  ...Object.values(manifest.scripts).flatMap((script) => script.match(/dist[\w-]*\/[\w/-]+\.js/g) ?? []),
]
  .map((path) => path.replace(/^(?:\.\/)?dist[\w-]*\//, '').replace(/\.js$/, '.ts'))
  .filter((path) => textOf.has(path));

/** What its users run; the laboratory stays at home. */
const published = entries.filter((path) => !path.startsWith('lab/') || path.startsWith('lab/reference/'));

function orphans(): string[] {
  const inLab = (file: string): boolean => file.startsWith('lab/');
  const used = reachable([...entries, ...sources.filter((file) => inLab(file) && !isTest(file))]);
  const tests = sources.filter((file) => file.endsWith('.test.ts') || file === 'vitest.config.ts');
  const started = reachable([...entries, ...tests]);
  const ofTests = (file: string): boolean => isTest(file) || inLab(file) || !file.includes('/');
  return sources
    .filter((file) => !(ofTests(file) ? started : used).has(file))
    .map((file) => `${file} is used by nothing; import it where it is needed, or delete it`);
}

describe('house rules', () => {
  it('every import is allowed by the import table', () => {
    expect(sources.flatMap((file) => forbiddenImports(file, read(file)))).toEqual([]);
  });

  it('published code imports only declared dependencies', () => {
    const declared = Object.keys(manifest.dependencies).map((name) => `package:${name}`);
    const foreign = [...reachable(published)].flatMap((file) =>
      importsOf(file, read(file))
        .filter((name) => name.startsWith('package:') && !declared.includes(name))
        .map((name) => `${file} imports ${name}; add it to the dependencies of package.json`),
    );
    expect(foreign).toEqual([]);
  });

  it('relative imports name files that exist', () => {
    const missing = sources.flatMap((file) =>
      importsOf(file, read(file))
        .filter((name) => name.endsWith('.ts') && !textOf.has(name))
        .map((name) => `${file} imports ${name}, which is not there`),
    );
    expect(missing).toEqual([]);
  });

  it(`no file is longer than ${linesMax} lines`, () => {
    const long = sources.filter((file) => read(file).split('\n').length - 1 > linesMax);
    expect(long.map((file) => `${file} is too long; move what belongs together into a file of its own`)).toEqual([]);
  });

  it(`no function is longer than ${functionLinesMax} lines`, () => {
    expect(sources.flatMap((file) => longFunctions(file, read(file)))).toEqual([]);
  });

  it('every file begins with a comment that says what it is', () => {
    const silent = sources.filter((file) => !/^(#!.*\n)?\/\/ \S/.test(read(file)));
    expect(silent.map((file) => `${file}: begin it with // and one sentence`)).toEqual([]);
  });

  it('only the command line, and what the scripts of the laboratory start, write to a console', () => {
    const loud = sources.filter(
      (file) =>
        !file.startsWith('lib/cli/') &&
        !(file.startsWith('lab/') && entries.includes(file)) &&
        /\bconsole\.(?:log|error|warn|info|debug|dir|table|trace)\(|\bprocess\.std(out|err)\b/.test(read(file)),
    );
    expect(loud.map((file) => `${file} writes to a console; return the text and let lib/cli print it`)).toEqual([]);
  });

  it('time and chance are injected', () => {
    const pure = sources.filter((file) => /^(lib|suites|lab\/\w+)\//.test(file) && !isTest(file));
    expect(pure.flatMap((file) => impurities(file, read(file)))).toEqual([]);
  });

  it('every suite stands in suites/index.ts, and every area has one', () => {
    const listed = importsOf('suites/index.ts', read('suites/index.ts'));
    const written = sources.filter((file) => /^export default suite\(/m.test(read(file)));
    const wanted = [...new Set([...written, ...areas.map((area) => `suites/${area}.ts`)])];
    expect(wanted.filter((file) => !listed.includes(file))).toEqual([]);
  });

  it('nothing lies about unused', () => {
    expect(orphans()).toEqual([]);
  });
});

describe('the rules themselves notice', () => {
  it('a forbidden import, with what to do instead', () => {
    const text =
      "import { a } from '../lib/index.ts';\nimport {\n  b,\n} from '../lib/run/run.ts';\nexport { c } from 'undici';";
    expect(forbiddenImports('suites/notes.ts', text)).toEqual([
      expect.stringMatching(/lib\/run\/run\.ts; suites have one door/),
      expect.stringContaining('package:undici'),
    ]);
    expect(forbiddenImports('lab/reference/x.ts', "import '../../lib/catalogue/operations.ts';")).toHaveLength(1);
    expect(forbiddenImports('lib/run/run.ts', `await ${'import'}('../../suites/index.ts');`)).toHaveLength(1);
    expect(forbiddenImports('lib/catalogue/requirement.ts', "import { x } from 'node:fs';")).toHaveLength(1);
  });

  it.each([
    'function f() {',
    'const f = async (a: string): Promise<void> => {',
    '  private async f(): Promise<void> {',
    '): string {',
  ])('a long function that begins with %j', (line) => {
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const body = (lines: number): string =>
      [line, ...Array.from({ length: lines }, () => `${indent}  x();`), `${indent}}`].join('\n');
    expect(longFunctions('a.ts', body(functionLinesMax - 2))).toEqual([]);
    expect(longFunctions('a.ts', body(functionLinesMax - 1))).toHaveLength(1);
  });

  it('a clock on the wall, and a die', () => {
    expect(impurities('lib/run/run.ts', 'const now = Date.now();\nconst x = Math.random();')).toHaveLength(2);
    expect(impurities('lib/run/run.ts', '// Date.now() is not used here')).toEqual([]);
    expect(impurities('lib/runtime/clock.ts', 'Date.now()')).toEqual([]);
  });
});
