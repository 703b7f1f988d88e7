// docs/track-record.md: defects of real software that users have reported, and which of them a run finds.
import { table } from './matrix/views.ts';
import { survivors } from './mutants/index.ts';
import type { Mutant } from './mutants/mutant.ts';
import { reported, reportedByClass } from './mutants/reported/index.ts';

/** What the page says that stands in no mutant. */
export interface Measured {
  readonly commit: string;
  /** How many a quick run finds. */
  readonly quick: number;
}

const isFound = ({ notFound }: Mutant): boolean => notFound === undefined;
const code = (text: string): string => `\`${text}\``;

const rowOf = ({ id, report, breaks, notFound }: Mutant): readonly string[] => [
  `[${report?.bug}](${report?.url})`,
  `${report?.suffered}`,
  notFound ?? breaks.map(code).join(', '),
  code(`npm run lab -- --mutant ${id}`),
];

const classes = (some: (mutant: Mutant) => boolean, third: string): string[] =>
  Object.entries(reportedByClass).flatMap(([name, mutants]) => {
    const rows = mutants.filter(some).map(rowOf);
    return rows.length === 0
      ? []
      : ['', `### ${name}`, '', ...table(['real defect', 'what users had of it', third, 'see it'], rows)];
  });

export function trackRecord({ commit, quick }: Measured): string {
  const found = reported.filter(isFound).length;
  const lines = [
    '# Track record',
    '',
    `A standard run finds **${found} of ${reported.length}** real defects, and a quick run ${quick} of them. Measured on commit ${code(commit)} by`,
    '',
    '```sh',
    'npm run lab -- --track-record',
    '```',
    '',
    'Each row is a defect that somebody has reported in public of other software: the link leads to the thread. For each there is a mutant in',
    '`lab/mutants/reported/`, a server for this interface that behaves as the report says. The mutants were written from the reports and the',
    'document, without a look at the checks. One that was not found was left as it was.',
    '',
    '## Found',
    ...classes(isFound, 'found by'),
    '',
    '## Not found yet',
    '',
    'The laboratory runs these as well, and says so when one is found after all.',
    ...classes((mutant) => !isFound(mutant), 'why not'),
    '',
    '### Without a public report',
    '',
    ...table(
      ['mutant', 'why not'],
      survivors.map(({ id, notFound }) => [code(id), `${notFound}`]),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
