// Which room of the source may import what, as data: .dependency-cruiser.mjs makes rules of it.

/** What is open to those who wrap the reference from outside. */
const outside = [
  'lab/reference/index.ts',
  'lib/catalogue/index.ts',
  'lib/catalogue/operations.ts',
  'lib/catalogue/requirement.ts',
  'lib/runtime/virtual-clock.ts',
  'schemas',
];

/**
 * One row a room, from the bottom to the top: what its files may import besides each other, and what to do instead.
 * A name is a folder, a file of the project, `node:` and a built-in module, or `npm:` and a package; `*` is any of them.
 * A room that a row does not name is forbidden to it: that is what keeps the rooms in order.
 */
export const rows = [
  {
    room: 'lib/runtime',
    may: ['node:crypto', 'node:events', 'node:fs', 'node:module', 'node:v8', 'node:vm', 'node:worker_threads'],
    instead: 'time, chance and text know nothing of the suite: take what you need as an argument',
  },
  {
    room: 'lib/secrets',
    may: [],
    instead: 'hiding secrets knows nothing of the suite: take what is secret as an argument',
  },
  {
    room: 'lib/catalogue/requirement.ts',
    may: [],
    instead: 'it is a leaf: give it what it needs as an argument',
  },
  {
    room: 'lib/catalogue',
    may: ['node:crypto'],
    instead: 'the catalogue is the document, not the program: move what computes into another room',
  },
  {
    room: 'lib/schema',
    may: ['lib/catalogue', 'npm:ajv', 'npm:ajv-formats', 'node:module'],
    instead: 'a schema judges a value, whoever sent it: pass the value, not the request',
  },
  {
    room: 'lib/result.ts',
    may: ['lib/catalogue', 'lib/secrets'],
    instead: 'the shape of a report is what every later room reads: let the room that fills it import it',
  },
  {
    room: 'lib/events.ts',
    may: ['lib/catalogue', 'lib/result.ts'],
    instead: 'what a run reports is read by every later room: let the room that knows it emit it',
  },
  {
    room: 'lib/configuration',
    may: ['lib/catalogue', 'lib/runtime', 'node:crypto', 'node:net', 'npm:dotenv', 'npm:fastest-levenshtein'],
    instead: 'settings are read before anything runs: let lib/cli bring the texts and use the result',
  },
  {
    room: 'lib/client',
    may: [
      'lib/catalogue',
      'lib/configuration',
      'lib/events.ts',
      'lib/result.ts',
      'lib/runtime',
      'lib/schema/instant.ts',
      'lib/secrets',
      'npm:p-limit',
      'npm:undici',
      'node:tls',
      'node:util',
      'node:zlib',
    ],
    instead: 'the client sends and records and does not judge: put judgement into lib/expect',
  },
  {
    room: 'lib/expect',
    may: ['lib/catalogue', 'lib/client', 'lib/runtime', 'lib/schema', 'npm:fast-check', 'node:util'],
    instead: 'an assertion sees replies only: give it the record or the setting as an argument',
  },
  {
    room: 'lib/fixtures',
    may: ['lib/catalogue', 'lib/client', 'lib/configuration', 'lib/expect', 'lib/runtime', 'lib/secrets'],
    instead: 'fixtures are there before any case: let lib/case.ts or lib/run hand them over',
  },
  {
    room: 'lib/model',
    may: ['lib/catalogue', 'lib/client', 'lib/expect', 'lib/fixtures/slugs.ts', 'lib/runtime', 'lib/schema'],
    instead: 'the model judges what was sent and received, whoever sent it: give it the exchanges, not the run',
  },
  {
    room: 'lib/case.ts',
    may: ['lib/catalogue', 'lib/client', 'lib/configuration', 'lib/fixtures', 'lib/model', 'lib/runtime'],
    instead: 'a case says what it wants, and lib/run performs it: import this file there, not the other way round',
  },
  {
    room: 'lib/doctor',
    may: ['lib/catalogue', 'lib/client', 'lib/configuration', 'lib/fixtures', 'lib/runtime', 'lib/secrets'],
    instead: 'the doctor looks at the target before a run: it needs no case, no verdict and no printing',
  },
  {
    room: 'lib/index.ts',
    may: [
      'lib/case.ts',
      'lib/catalogue',
      'lib/client',
      'lib/expect',
      'lib/fixtures',
      'lib/model',
      'lib/runtime',
      'lib/schema',
    ],
    instead: 'this is the door of the suites: what a suite cannot use is not offered here',
  },
  {
    room: 'lib/reproduce',
    may: ['lib/catalogue', 'lib/client', 'lib/configuration', 'lib/result.ts', 'lib/runtime', 'lib/secrets'],
    instead: 'lines that show a failure again follow from what was sent: take the exchanges, not the run',
  },
  {
    room: 'lib/run',
    may: [
      'lib/case.ts',
      'lib/catalogue',
      'lib/client',
      'lib/configuration',
      'lib/events.ts',
      'lib/doctor',
      'lib/expect',
      'lib/fixtures',
      'lib/model',
      'lib/reproduce',
      'lib/result.ts',
      'lib/runtime',
      'lib/schema',
      'lib/secrets',
      'npm:p-limit',
    ],
    instead: 'the engine knows neither suites nor command line: take it as a parameter, and let lib/cli compose',
  },
  {
    room: 'lib/evidence',
    may: [
      'lib/case.ts',
      'lib/catalogue',
      'lib/client',
      'lib/configuration',
      'lib/result.ts',
      'lib/run',
      'lib/runtime',
      'lib/schema',
      'lib/secrets',
      'node:crypto',
      'node:events',
      'node:util',
      'node:zlib',
    ],
    instead:
      'evidence is recorded and judged anew as data: let lib/cli read and write the files and lib/report word it',
  },
  {
    room: 'lib/gate',
    may: ['lib/catalogue', 'lib/client', 'lib/configuration', 'lib/result.ts', 'lib/run', 'lib/runtime', 'lib/schema'],
    instead: 'the gate judges finished reports: return the judgement as data and let lib/report word it',
  },
  {
    room: 'lib/report',
    may: [
      'lib/catalogue',
      'lib/client',
      'lib/configuration',
      'lib/events.ts',
      'lib/gate',
      'lib/reproduce',
      'lib/result.ts',
      'lib/runtime',
      'lib/schema',
      'npm:hono',
      'npm:picocolors',
      'node:crypto',
      'node:fs/promises',
      'node:path',
    ],
    instead: 'a report shows what lib/result.ts holds: add the fact there and let lib/run fill it in',
  },
  {
    room: 'lib/openapi',
    may: ['lib/catalogue', 'lib/schema', 'lib/report', 'node:crypto', 'npm:hono'],
    instead:
      'the description follows from catalogue and schemas: let lib/cli bring examples and the page’s credentials',
  },
  {
    room: 'lib/runner',
    may: [
      'lib/index.ts',
      'lib/catalogue',
      'lib/client',
      'lib/configuration',
      'lib/events.ts',
      'lib/result.ts',
      'lib/run',
      'lib/runtime',
      'lib/schema',
      'lib/secrets',
      'suites/index.ts',
      'npm:vitest',
      'node:crypto',
      'node:fs',
      'node:test',
    ],
    instead: 'the library reads only what its options name, prints nothing and knows no command: let lib/cli do that',
  },
  {
    room: 'lib/cli',
    may: [
      'lib',
      'suites/index.ts',
      'lab/mutants/index.ts',
      'lab/mutants/generated/index.ts',
      'lab/reference/index.ts',
      'npm:*',
      'node:*',
    ],
    instead: 'the command line composes what is published: suites, reference and mutants by their index, no more',
  },
  {
    room: 'suites',
    may: ['lib/index.ts', 'npm:fast-check', 'node:crypto'],
    instead: 'suites have one door: export what they need from lib/index.ts',
  },
  {
    room: 'lab/reference',
    may: ['npm:*', 'node:*'],
    instead: 'examiner and examinee share only the interface document: write it again, from the document',
  },
  {
    room: 'lab/second-reading',
    may: ['npm:libphonenumber-js', 'node:*'],
    instead: 'the second reading knows only the interface document: write it again, from the document',
  },
  {
    room: 'lab/mutants',
    may: [...outside, 'lib/runtime/random.ts', 'node:crypto', 'npm:libphonenumber-js'],
    instead: 'mutants wrap the reference from outside: use its handler type and its public options',
  },
  {
    room: 'lab/mutants/generated',
    may: ['lab/mutants/mutant.ts', 'lab/mutants/wrappers', ...outside],
    instead: 'generated mutants come from the catalogue and the schemas alone: of the written ones use only the tools',
  },
  {
    room: 'lab/variants',
    may: ['lab/mutants/mutant.ts', 'lab/mutants/wrappers', ...outside, 'npm:libphonenumber-js'],
    instead: 'variants wrap the reference from outside: use its handler type and its public options',
  },
  {
    room: 'lab/matrix',
    may: [
      'lab',
      'lib/catalogue',
      'lib/configuration',
      'lib/run/build-report.ts',
      'lib/runtime/threads.ts',
      'node:worker_threads',
    ],
    instead: 'the matrix starts runs through lab/examine.ts and counts their reports: do the rest there',
  },
  {
    room: 'lab/evidence',
    may: ['lab', 'lib', 'suites/index.ts', 'node:worker_threads', 'node:zlib'],
    instead: 'records are made over HTTP and judged by lib/evidence: do the rest there',
  },
  {
    room: 'lab/network',
    may: ['lab', 'lib', 'suites/index.ts', 'node:events', 'node:worker_threads'],
    instead: 'a bad network stands in the way of a transport: look at the server only through its interface',
  },
];
