// Which room of the source may import what, and what every file keeps, whatever its room; held by dependency-cruiser (`npm run imports`).

/** Tests look at everything from outside, so no row governs what they import. */
const tests = '\\.test(-data)?(\\.d)?\\.m?[jt]s$';

/** What is started by a person, a script, a user's import or another thread. */
const started =
  '^(lib/runner/index|lib/runner/vitest|lib/cli/main|lib/cli/github-main|lab/[^/]+|lab/bench/bench|lab/reference/index)\\.ts$';

const exactly = (name) => name.replaceAll('.', '\\.');

/** A name of a row as what dependency-cruiser sees once it has found the file. */
function pattern(name) {
  if (name === 'npm:*') return '(^|/)node_modules/';
  if (name.startsWith('npm:')) return `(^|/)node_modules/${exactly(name.slice(4))}/`;
  if (name.startsWith('node:')) return `^(node:)?${exactly(name.slice(5))}$`;
  return name.endsWith('.ts') ? `^${exactly(name)}$` : `^${exactly(name)}/`;
}

/** What is open to those who wrap the reference from outside. */
const outside =
  'lab/reference/index.ts lib/catalogue/index.ts lib/catalogue/operations.ts lib/catalogue/requirement.ts lib/runtime/virtual-clock.ts schemas';

/**
 * The rooms from the bottom to the top: what their files may import besides each other, and what to do instead.
 * A name is a folder, a file of the project, `node:` and a built-in module, or `npm:` and a package; `*` is any of them.
 * A room that is not named is forbidden: that is what keeps the rooms in order.
 */
const rooms = {
  'lib/runtime': {
    may: 'node:crypto node:events node:fs node:module node:v8 node:vm node:worker_threads',
    instead: 'time, chance and text know nothing of the suite: take what you need as an argument',
  },
  'lib/secrets': {
    may: '',
    instead: 'hiding secrets knows nothing of the suite: take what is secret as an argument',
  },
  'lib/catalogue/requirement.ts': {
    may: '',
    instead: 'it is a leaf: give it what it needs as an argument',
  },
  'lib/catalogue': {
    may: 'node:crypto',
    instead: 'the catalogue is the document, not the program: move what computes into another room',
  },
  'lib/schema': {
    may: 'lib/catalogue npm:ajv npm:ajv-formats node:module',
    instead: 'a schema judges a value, whoever sent it: pass the value, not the request',
  },
  'lib/result.ts': {
    may: 'lib/catalogue',
    instead: 'the shape of a report is what every later room reads: let the room that fills it import it',
  },
  'lib/events.ts': {
    may: 'lib/catalogue lib/result.ts',
    instead: 'what a run reports is read by every later room: let the room that knows it emit it',
  },
  'lib/configuration': {
    may: 'lib/catalogue lib/runtime node:crypto node:net npm:dotenv npm:fastest-levenshtein',
    instead: 'settings are read before anything runs: let lib/cli bring the texts and use the result',
  },
  'lib/client': {
    may: `lib/catalogue lib/configuration lib/events.ts lib/result.ts lib/runtime lib/schema/instant.ts
      lib/secrets npm:p-limit npm:undici node:tls node:util node:zlib`,
    instead: 'the client sends and records and does not judge: put judgement into lib/expect',
  },
  'lib/expect': {
    may: 'lib/catalogue lib/client lib/runtime lib/schema npm:fast-check node:util',
    instead: 'an assertion sees replies only: give it the record or the setting as an argument',
  },
  'lib/fixtures': {
    may: 'lib/catalogue lib/client lib/configuration lib/expect lib/runtime lib/secrets',
    instead: 'fixtures are there before any case: let lib/case.ts or lib/run hand them over',
  },
  'lib/model': {
    may: 'lib/catalogue lib/client lib/expect lib/fixtures/slugs.ts lib/runtime lib/schema',
    instead: 'the model judges what was sent and received, whoever sent it: give it the exchanges, not the run',
  },
  'lib/case.ts': {
    may: 'lib/catalogue lib/client lib/configuration lib/fixtures lib/model lib/runtime',
    instead: 'a case says what it wants, and lib/run performs it: import this file there, not the other way round',
  },
  'lib/doctor': {
    may: 'lib/catalogue lib/client lib/configuration lib/fixtures lib/runtime lib/secrets',
    instead: 'the doctor looks at the target before a run: it needs no case, no verdict and no printing',
  },
  'lib/index.ts': {
    may: 'lib/case.ts lib/catalogue lib/client lib/expect lib/fixtures lib/model lib/runtime lib/schema',
    instead: 'this is the door of the suites: what a suite cannot use is not offered here',
  },
  'lib/reproduce': {
    may: 'lib/catalogue lib/client lib/configuration lib/result.ts lib/runtime lib/secrets',
    instead: 'lines that show a failure again follow from what was sent: take the exchanges, not the run',
  },
  'lib/run': {
    may: `lib/case.ts lib/catalogue lib/client lib/configuration lib/events.ts lib/doctor lib/expect
      lib/fixtures lib/model lib/reproduce lib/result.ts lib/runtime lib/schema lib/secrets npm:p-limit`,
    instead: 'the engine knows neither suites nor command line: take it as a parameter, and let lib/cli compose',
  },
  'lib/evidence': {
    may: `lib/case.ts lib/catalogue lib/client lib/configuration lib/result.ts lib/run lib/runtime lib/schema
      lib/secrets node:crypto node:events node:util node:zlib`,
    instead:
      'evidence is recorded and judged anew as data: let lib/cli read and write the files and lib/report word it',
  },
  'lib/gate': {
    may: 'lib/catalogue lib/client lib/configuration lib/result.ts lib/run lib/runtime lib/schema',
    instead: 'the gate judges finished reports: return the judgement as data and let lib/report word it',
  },
  'lib/report': {
    may: `lib/catalogue lib/client lib/configuration lib/events.ts lib/gate lib/reproduce lib/result.ts
      lib/runtime lib/schema npm:hono npm:picocolors node:crypto node:fs/promises node:path`,
    instead: 'a report shows what lib/result.ts holds: add the fact there and let lib/run fill it in',
  },
  'lib/openapi': {
    may: 'lib/catalogue lib/schema lib/report node:crypto npm:hono',
    instead:
      'the description follows from catalogue and schemas: let lib/cli bring examples and the page’s credentials',
  },
  'lib/runner': {
    may: `lib/index.ts lib/catalogue lib/client lib/configuration lib/events.ts lib/result.ts lib/run
      lib/runtime lib/schema lib/secrets suites/index.ts npm:vitest node:crypto node:fs`,
    instead: 'the library reads only what its options name, prints nothing and knows no command: let lib/cli do that',
  },
  'lib/cli': {
    may: `lib suites/index.ts lab/mutants/index.ts lab/mutants/generated/index.ts lab/reference/index.ts npm:*
      node:*`,
    instead: 'the command line composes what is published: suites, reference and mutants by their index, no more',
  },
  suites: {
    may: 'lib/index.ts npm:fast-check node:crypto',
    instead: 'suites have one door: export what they need from lib/index.ts',
  },
  'lab/reference': {
    may: 'npm:* node:*',
    instead: 'examiner and examinee share only the interface document: write it again, from the document',
  },
  'lab/second-reading': {
    may: 'npm:libphonenumber-js node:*',
    instead: 'the second reading knows only the interface document: write it again, from the document',
  },
  'lab/mutants': {
    may: `${outside} lib/runtime/random.ts node:crypto npm:libphonenumber-js`,
    instead: 'mutants wrap the reference from outside: use its handler type and its public options',
  },
  'lab/mutants/generated': {
    may: `lab/mutants/declared.ts lab/mutants/mutant.ts lab/mutants/wrappers ${outside}`,
    instead: 'generated mutants come from the catalogue and the schemas alone: of the written ones use only the tools',
  },
  'lab/variants': {
    may: `lab/mutants/mutant.ts lab/mutants/wrappers ${outside} npm:libphonenumber-js`,
    instead: 'variants wrap the reference from outside: use its handler type and its public options',
  },
  'lab/conditional': {
    may: 'lab lib/catalogue lib/cli/console.ts lib/client/reply.ts lib/configuration lib/report/terminal.ts lib/runtime',
    instead: 'conditional mutants are drawn and judged by whole runs: start them through lab/examine.ts',
  },
  'lab/matrix': {
    may: `lab lib/catalogue lib/configuration lib/run/build-report.ts lib/runtime/engine.ts`,
    instead: 'the matrix starts runs through lab/examine.ts and counts their reports: do the rest there',
  },
  'lab/bench': {
    may: 'lab lib suites/index.ts npm:playwright-core node:*',
    instead: 'what is measured is measured from outside: let the room that is slow offer what it takes',
  },
  'lab/evidence': {
    may: 'lab lib suites/index.ts node:zlib',
    instead: 'records are made over HTTP and judged by lib/evidence: do the rest there',
  },
  'lab/network': {
    may: 'lab lib suites/index.ts node:events',
    instead: 'a bad network stands in the way of a transport: look at the server only through its interface',
  },
};

const roomRules = Object.entries(rooms).map(([room, { may, instead }]) => {
  const names = may.split(/\s+/).filter(Boolean);
  return {
    name: room,
    comment: instead,
    from: { path: pattern(room), pathNot: tests },
    to: {
      pathNot: [...(room.endsWith('.ts') ? [] : [room]), ...names.filter((name) => name !== 'node:*')].map(pattern),
      ...(names.includes('node:*') ? { dependencyTypesNot: ['core'] } : {}),
    },
  };
});

/** What every file keeps, whatever its room. */
const everywhere = [
  {
    name: 'without a row',
    comment: 'no room is known that this file is in: say in .dependency-cruiser.mjs what its room may import',
    from: {
      path: '^(lib|suites|lab)/',
      pathNot: [tests, '^lab/[^/]+\\.ts$', ...Object.keys(rooms).map(pattern)],
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
];

export default {
  forbidden: [...roomRules, ...everywhere].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no interface that dependency-cruiser could parse with; swc sees type-only imports as well.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
