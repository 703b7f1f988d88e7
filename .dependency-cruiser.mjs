// Holds the import table with dependency-cruiser (`npm run imports`), and what every file keeps, whatever its room.
import { rows } from './import-table.mjs';

/** Tests look at everything from outside, so no row governs what they import. */
const tests = '\\.test(-data)?(\\.d)?\\.m?[jt]s$';

/** What is started by a person, a script, a user's import or another thread. */
const started =
  '^(lib/runner/index|lib/runner/vitest|lib/runner/node-test|lib/cli/main|lib/cli/github-main|lib/cli/controls-thread|lab/[^/]+|lab/bench/bench|lab/reference/index|lab/(evidence|matrix|network)/worker|lab/matrix/conditional-worker)\\.ts$';

const exactly = (name) => name.replaceAll('.', '\\.');

/** A name of a row as what dependency-cruiser sees once it has found the file. */
function pattern(name) {
  if (name === 'npm:*') return '(^|/)node_modules/';
  if (name.startsWith('npm:')) return `(^|/)node_modules/${exactly(name.slice(4))}/`;
  if (name.startsWith('node:')) return `^(node:)?${exactly(name.slice(5))}$`;
  return name.endsWith('.ts') ? `^${exactly(name)}$` : `^${exactly(name)}/`;
}

const anyBuiltIn = 'node:*';

const rooms = rows.map(({ room, may, instead }) => ({
  name: room,
  severity: 'error',
  comment: instead,
  from: { path: pattern(room), pathNot: tests },
  to: {
    pathNot: [...(room.endsWith('.ts') ? [] : [room]), ...may.filter((name) => name !== anyBuiltIn)].map(pattern),
    ...(may.includes(anyBuiltIn) ? { dependencyTypesNot: ['core'] } : {}),
  },
}));

/** What every file keeps, whatever its room. */
const everywhere = [
  {
    name: 'without a row',
    comment: 'no row of the import table says what this file may import: give its room one in import-table.mjs',
    from: {
      path: '^(lib|suites|lab)/',
      pathNot: [tests, '^lab/[^/]+\\.ts$', ...rows.map(({ room }) => pattern(room))],
    },
    to: {},
  },
  {
    name: 'area',
    comment: 'an area of the suites knows no other: move what both need into suites/shared, or into lib/model',
    from: { path: '^suites/([^/]+)/', pathNot: tests },
    to: { path: '^suites/[^/]+/', pathNot: '^suites/($1|shared|walk)/' },
  },
  {
    name: 'circle',
    comment: 'files that import each other are one file in pieces: move what both need into a third, also for a type',
    from: {},
    to: { circular: true },
  },
  {
    name: 'not there',
    comment: 'the import leads to no file and no package: correct the path, or install and declare the package',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'undeclared package',
    comment: 'this file is published and runs where devDependencies are not installed: declare it in dependencies',
    from: { path: '^(lib|suites|lab/reference)/', pathNot: tests },
    to: { path: 'node_modules/', dependencyTypesNot: ['npm', 'npm-peer'] },
  },
  {
    name: 'test as a library',
    comment: 'only tests may use a test: move what is shared into a file without .test in its name',
    from: { pathNot: [tests] },
    to: { path: tests },
  },
  {
    name: 'generated mutants',
    comment: 'a mutant written by hand knows no generated one: let lab/matrix put them together',
    from: { path: '^lab/mutants/(?!generated/)' },
    to: { path: '^lab/mutants/generated/' },
  },
  {
    name: 'orphan',
    comment: 'nothing that is started leads to this file: import it where it is needed, or delete it',
    from: { path: started, pathNot: tests },
    to: { path: '^(lib|suites|lab)/', pathNot: [tests, started], reachable: false },
  },
].map((rule) => ({ severity: 'error', ...rule }));

export default {
  forbidden: [...rooms, ...everywhere],
  options: {
    // TypeScript 7 has no interface that dependency-cruiser could parse with; swc sees type-only imports as well.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
