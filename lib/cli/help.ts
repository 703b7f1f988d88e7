// What --help says beside commands and options: which options belong together, examples, and exit codes.
import type { Command } from 'commander';

interface Help {
  /** Options by the heading that they stand under; those that are not named stay under commander's own. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Without the name of the program. */
  readonly examples: readonly string[];
  readonly codes: Readonly<Record<number, string>>;
}

const usage = 'wrong usage, one sentence says why';
const shown = { 0: 'shown', 2: usage };
const written = { 0: 'written', 2: usage };

/** By the names of the commands; every command has its own. */
const helps: Readonly<Record<string, Help>> = {
  run: {
    groups: {
      'What is examined:': [
        '--base-url',
        '--bundled',
        '--header',
        '--profile',
        '--area',
        '--requirement',
        '--suite',
        '--shard',
      ],
      'What may be sent:': ['--read-only', '--no-exhaustion', '--effort', '--concurrency', '--max-minutes', '--plan'],
      'Repeating and ending:': ['--seed', '--repeat', '--last-failed', '--bail', '--resume'],
      'What is written:': ['--out', '--reporter', '--quiet', '--format', '--json'],
      'The gate:': ['--allow-incomplete', '--strict', '--baseline', '--waivers'],
      'Evidence:': ['--evidence', '--sign'],
    },
    examples: [
      'run',
      'run --base-url https://staging.example.com',
      'run --area billing,notes --no-exhaustion',
      'run --requirement billing-summary-scope --seed 42',
      'run --out reports/nightly --reporter html,junit',
      'run --plan',
    ],
    codes: {
      0: 'conformant: every selected MUST was tested and holds',
      1: 'non-conformant: at least one MUST does not hold',
      2: `${usage}; nothing was sent`,
      3: 'incomplete: none failed, but a selected MUST is open, or nothing was selected',
      4: 'could not judge: nobody answers, or the primary key is refused',
      130: 'interrupted; what was created was taken back',
    },
  },
  serve: {
    examples: ['serve > .env', 'serve --minute-ms 1000 --port 0'],
    codes: { 0: 'stopped by Ctrl-C', 2: usage },
  },
  openapi: {
    examples: ['openapi > openapi.json', 'openapi --base-url https://staging.example.com'],
    codes: { 0: 'printed', 2: usage },
  },
  requirements: {
    examples: [
      'requirements --area notes --level must',
      'requirements --search "idempotency key"',
      'requirements --rulings',
    ],
    codes: shown,
  },
  explain: {
    examples: ['explain notes-delete-effect'],
    codes: { 0: 'shown', 2: 'no requirement has that identifier' },
  },
  doctor: {
    examples: ['doctor', 'doctor --base-url https://staging.example.com --format json'],
    codes: {
      0: 'everything is there that a full run needs',
      2: `${usage}; nothing was sent`,
      3: 'something will not be tested',
      4: 'nobody answers, or the primary key is refused',
    },
  },
  report: {
    examples: ['report reports/report.json --reporter html', 'report reports/report.json --baseline last-release.json'],
    codes: { 0: 'shown, whatever the verdict of the run was', 2: usage },
  },
  show: {
    examples: ['show', 'show --out reports/nightly'],
    codes: { 0: 'opened, or its path printed', 2: 'there is no report' },
  },
  compare: {
    examples: ['compare last-release.json reports/report.json', 'compare old.json new.json --format json'],
    codes: {
      0: 'nothing is worse',
      1: 'a MUST newly fails and is not waived, or a waiver is expired or stale',
      2: usage,
      3: 'a MUST that was judged is not judged any more, or there is nothing to compare',
    },
  },
  again: {
    examples: ['again billing-summary-scope', 'again billing-summary-scope --out reports/'],
    codes: {
      0: 'FIXED: it holds now',
      1: 'STILL: it fails again',
      2: `${usage}; it did not fail in that report`,
      3: 'CANNOT: it was not judged, and why',
      4: 'nobody answers, or the primary key is refused',
    },
  },
  merge: {
    examples: ['merge shard-1/report.json shard-2/report.json --out reports/'],
    codes: {
      0: 'conformant, as of a run',
      1: 'non-conformant',
      2: `${usage}, or shards that do not belong together`,
      3: 'incomplete',
      4: 'a shard could not judge',
    },
  },
  matrix: { examples: ['matrix vendor-a/report.json vendor-b/report.json --out matrix'], codes: written },
  waive: {
    examples: ["waive billing-summary-scope --reason 'repaired in May' --owner 'billing team' --expires YYYY-MM-DD"],
    codes: written,
  },
  cleanup: {
    examples: ['cleanup', 'cleanup --out reports/ --base-url https://staging.example.com'],
    codes: {
      0: 'nothing is left that could be taken back',
      2: usage,
      3: 'something is left',
      4: 'the target cannot be reached',
    },
  },
  verify: {
    examples: ['verify reports/evidence.jsonl.gz --key FINGERPRINT', 'verify reports/evidence.jsonl.gz --controls'],
    codes: {
      0: 'every verdict follows, and the run was conformant',
      1: 'every verdict follows, but the run was not conformant',
      2: usage,
      3: 'it does not follow',
      4: 'another version recorded it',
    },
  },
  sign: {
    examples: ['sign reports/evidence.jsonl.gz --key covenant-key.pem'],
    codes: { 0: 'signed', 2: usage, 3: 'not signed, because it does not follow', 4: 'another version recorded it' },
  },
  keygen: { examples: ['keygen --out covenant-key.pem'], codes: written },
  certificate: {
    examples: ['certificate reports/evidence.jsonl.gz --key covenant-key.pub.pem'],
    codes: {
      0: 'issued',
      1: 'ruled out',
      2: usage,
      3: 'the evidence does not follow',
      4: 'another version recorded it',
    },
  },
  init: {
    examples: ['init', 'init --base-url https://staging.example.com --gitlab'],
    codes: {
      0: 'written, or nothing was left to write',
      2: `${usage}; nothing was written`,
      4: 'a file could not be written after all',
    },
  },
};

function footer(program: string, { examples, codes }: Help): string {
  return [
    '',
    'Examples:',
    ...examples.map((example) => `  ${program} ${example}`),
    '',
    'Exit codes:',
    ...Object.entries(codes).map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`),
    '',
  ].join('\n');
}

const overview: Readonly<Record<string, readonly string[]>> = {
  'Examining a target:': ['init', 'run', 'again', 'doctor', 'cleanup'],
  'Reading a result:': ['show', 'report', 'compare', 'merge', 'matrix', 'waive'],
  'Evidence and certificates:': ['verify', 'sign', 'keygen', 'certificate'],
  'Knowing what is asked:': ['requirements', 'explain'],
  'Developing against the interface:': ['serve', 'openapi'],
};

/** Adds to every command what it has of this. */
export function addHelp(program: Command): void {
  for (const command of program.commands) {
    const help = helps[command.name()];
    const [group] = Object.entries(overview).find(([, names]) => names.includes(command.name())) ?? [];
    if (group !== undefined) command.helpGroup(group);
    if (help === undefined) continue;
    for (const [heading, names] of Object.entries(help.groups ?? {})) {
      for (const option of command.options) if (names.includes(option.long ?? '')) option.helpGroup(heading);
    }
    command.addHelpText('after', footer(program.name(), help));
  }
  program
    .commandsGroup('Help:')
    .helpCommand(true)
    .addHelpText(
      'after',
      `\nWithout a command it is run. covenant COMMAND --help has examples and exit codes.\nWithout COVENANT_BASE_URL or --base-url the bundled reference is examined.\n`,
    );
}
