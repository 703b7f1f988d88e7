// `covenant requirements` and `covenant explain`: the catalogue, the register of rulings, and all that is known of one requirement.
import type { Command } from 'commander';
import { areas, type Requirement, type Ruling } from '../catalogue/requirement.ts';
import { didYouMean, oneOf } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import { selectedAreas } from '../configuration/target.ts';
import { meaningOf, variablesIn } from '../configuration/variables.ts';
import { behind } from '../fixtures/fixtures.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { failureLines } from '../report/terminal/failures.ts';
import { indented, labelled, listed, type Style, styled } from '../report/terminal/layout.ts';
import { counted } from '../runtime/text.ts';
import { documentText } from '../schema/schema.ts';
import { type Console, callable, type GuardedConsole, styleOf } from './console.ts';
import { addFormat, type Finish, type FormatOptions, formatFrom, list } from './options.ts';
import type { Parts } from './parts.ts';

interface RequirementsOptions extends FormatOptions {
  readonly rulings?: boolean;
  readonly area?: readonly string[];
  readonly level?: readonly string[];
  readonly search?: string;
}

type CatalogueEntry = { readonly id: string } & Requirement;
type RulingEntry = { readonly id: string; readonly requirements: readonly string[] } & Ruling;
interface Format {
  requirements(entries: readonly CatalogueEntry[]): string;
  rulings(entries: readonly RulingEntry[]): string;
}

const byArea = (entries: readonly CatalogueEntry[]): [string, CatalogueEntry[]][] =>
  areas
    .map((area): [string, CatalogueEntry[]] => [area, entries.filter((entry) => entry.area === area)])
    .filter(([, found]) => found.length > 0);

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const markdownRow = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |\n`;

const allLevels: readonly string[] = ['must', 'should', 'observe', 'untestable'];

function amounts(entries: readonly CatalogueEntry[]): string {
  const amount = (level: string): number => entries.filter((entry) => entry.level === level).length;
  const named = allLevels.map((level) => `${amount(level)} ${level}`);
  return `${entries.length} requirements: ${named.join(', ')}`;
}

/** A list with its label before the first of it. */
const labelledEach = (label: string, texts: readonly string[], style: Style): string[] =>
  texts.flatMap((text, index) => labelled(index === 0 ? label : '', text, style));

const rulingLines = ({ question, readings, ruling, why }: Ruling, style: Style): string[] => [
  ...labelled('question', question, style),
  ...labelledEach(
    'readings',
    readings.map((reading) => `- ${reading}`),
    style,
  ),
  ...labelled('ruling', ruling, style),
  ...labelled('because', why, style),
];

/** For a file as well as for a terminal. */
const plain = styled(false, 78);

const table: Format = {
  requirements: (entries) => {
    const width = Math.max(0, ...entries.map(({ id }) => id.length));
    const line = ({ id, level, statement, reason }: CatalogueEntry): string =>
      `${id.padEnd(width)}  ${level.padEnd(10)}  ${statement}${reason ? ` (${reason})` : ''}\n`;
    const blocks = byArea(entries).map(([area, found]) => `# ${area}\n${found.map(line).join('')}\n`);
    return `${blocks.join('')}${amounts(entries)}\n`;
  },
  rulings: (entries) =>
    entries
      .map((entry) => {
        const concerns = labelled('concerns', entry.requirements.join(', '), plain);
        return `${[entry.id, ...rulingLines(entry, plain), ...concerns].join('\n')}\n`;
      })
      .join('\n'),
};

const markdown: Format = {
  requirements: (entries) => {
    const block = ([area, found]: [string, CatalogueEntry[]]): string =>
      `## ${area}\n\n${markdownRow('Requirement', 'Level', 'Section', 'Statement')}${markdownRow('---', '---', '---', '---')}${found
        .map(({ id, level, section, statement, reason }) =>
          markdownRow(`\`${id}\``, level, section, reason ? `${statement} (${reason})` : statement),
        )
        .join('')}`;
    return `# Requirements\n\n${amounts(entries)}.\n\n${byArea(entries).map(block).join('\n')}`;
  },
  rulings: (entries) =>
    `# Rulings\n\n${entries
      .map(
        ({ id, question, readings, ruling, why, requirements }) =>
          `## ${id}\n\n**Question.** ${question}\n\n${readings.map((reading) => `- ${reading}\n`).join('')}\n**Ruling.** ${ruling} ${why}\n\n**Concerns.** ${requirements.map((name) => `\`${name}\``).join(', ')}\n`,
      )
      .join('\n')}`,
};

const asJson = (value: object): string => documentText('catalogue', { format: 'covenant-catalogue/1', ...value });
const json: Format = {
  requirements: (requirements) => asJson({ requirements }),
  rulings: (rulings) => asJson({ rulings }),
};
const formats = { table, json, markdown } satisfies Readonly<Record<string, Format>>;
const catalogueFormats = ['table', 'json', 'markdown'] as const satisfies (keyof typeof formats)[];

/**
 * Prints and says the exit code.
 * @throws UsageError on an unknown format, area or level.
 */
function requirements(options: RequirementsOptions, console: Console, { catalogue, rulings }: Parts): number {
  const format: Format = formats[formatFrom(options, catalogueFormats)];
  const chosen: readonly string[] = options.area ? selectedAreas(options.area) : areas;
  const levels = (options.level ?? allLevels).map((name) => oneOf(name, allLevels, 'level', ' (--level)'));
  const words = (options.search ?? '').toLowerCase().split(/\s+/);
  const entries = Object.entries(catalogue)
    .map(([id, requirement]) => ({ id, ...requirement }))
    .filter(({ area, level }) => chosen.includes(area) && levels.includes(level))
    .filter(({ id, statement, section }) => {
      const text = `${id} ${section} ${statement}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  const ruled = Object.entries(rulings)
    .map(([id, ruling]) => ({
      id,
      ...ruling,
      requirements: entries.filter((entry) => entry.rulings?.includes(id)).map((entry) => entry.id),
    }))
    .filter((ruling) => entries.length === Object.keys(catalogue).length || ruling.requirements.length > 0);
  console.stdout(options.rulings ? format.rulings(ruled) : format.requirements(entries));
  return 0;
}

export function addRequirements(program: Command, console: Console, parts: Parts, finish: Finish): void {
  const command = program.command('requirements').description('print the catalogue of requirements');
  addFormat(command, catalogueFormats)
    .option('--rulings', 'print how the document is read where it can be read in two ways')
    .option('--area <names>', 'only these areas, separated by commas', list)
    .option('--level <names>', 'only must, should, observe or untestable, separated by commas', list)
    .option('--search <words>', 'only those in whose identifier, section or statement all words stand')
    .action((options: RequirementsOptions) => finish(requirements(options, console, parts)));
}

const meanings: Readonly<Record<Requirement['level'], string>> = {
  must: 'the interface document says it; a target that does otherwise is not conformant',
  should: 'the interface document recommends it; a target that does otherwise gets a warning',
  observe: 'the interface document is silent; what a target does is recorded and never judged',
  untestable: 'no run from outside can show it',
};

function needs(id: string, { needsOf }: Parts, style: Style): string[] {
  const known: Readonly<Record<string, string>> = { ...behind, foreignSlug: 'COVENANT_FOREIGN_SLUG' };
  const names = new Set(['COVENANT_API_KEY', ...needsOf(id).flatMap((need) => known[need] ?? [])]);
  const meanings = [...names].flatMap(variablesIn).map((name) => `${name}: ${meaningOf(name)}`);
  return labelledEach('needs', meanings, style);
}

function rulings({ rulings: ids = [] }: Requirement, parts: Parts, style: Style): string[] {
  return ids.flatMap((id) => {
    const found = parts.rulings[id];
    return found === undefined ? [] : rulingLines(found, style);
  });
}

function tested(id: string, parts: Parts, style: Style): string[] {
  const { everyReply, cases, writes, exhausts } = parts.testOf(id);
  const ways = [
    ...(everyReply ? ['on every reply of these operations, whichever case asked for it'] : []),
    ...(cases > 0 ? [`by ${counted(cases, 'case')}${writes ? ', with writes' : ''}`] : []),
    ...(exhausts ? ['by exceeding a limit on purpose'] : []),
  ];
  return labelled('tested', ways.join('; '), style);
}

/** As a run would report it, without the lines to copy: there is no such server to send them to. */
async function example(id: string, parts: Parts, style: Style): Promise<string[]> {
  const found = await parts.example(id);
  const failed = found?.result.cases.find(({ failure }) => failure !== undefined);
  if (found === undefined || failed?.failure === undefined) return [];
  const shown = { ...failed, failure: { ...failed.failure, curl: [] } };
  return [
    '',
    style.colors.bold('What a failure looks like'),
    ...labelled('server', `${found.mutant}, a mutant of the laboratory, as a run reports it`, style),
    ...failureLines(shown, found.report, style),
  ];
}

const namesShown = 4;

/** Those that begin so, or the nearest. */
function meant(id: string, known: readonly string[]): string {
  const longer = known.filter((one) => id.length > 2 && one.includes(id));
  if (longer.length > 0) return `; there are ${listed(longer, namesShown)}.`;
  return `${didYouMean(id, known)} See covenant requirements --search WORD.`;
}

/**
 * Prints and says the exit code.
 * @throws UsageError where no requirement has that identifier.
 */
async function explain(id: string, console: Console, parts: Parts): Promise<number> {
  const found = Object.hasOwn(parts.catalogue, id) ? parts.catalogue[id] : undefined;
  if (found === undefined) {
    throw new UsageError(`No requirement is called ${JSON.stringify(id)}${meant(id, Object.keys(parts.catalogue))}`);
  }
  const style = styleOf(console);
  const operations = parts.operationsOf(id);
  const lines = [
    style.colors.bold(id),
    ...indented(found.statement, style, 2),
    '',
    ...labelled('level', `${found.level.toUpperCase()}: ${meanings[found.level]}`, style),
    ...labelled('section', found.section, style),
    ...labelled('reason', found.reason ?? '', style),
    ...labelled('operations', operations.join(', '), style),
    ...(found.level === 'untestable' ? [] : needs(id, parts, style)),
    ...(found.level === 'untestable' ? [] : tested(id, parts, style)),
    ...labelled('impact', found.impact ?? '', style),
    ...rulings(found, parts, style),
    ...(found.level === 'untestable' ? [] : await example(id, parts, style)),
    '',
    ...(found.level === 'untestable' ? [] : labelled('to run it', `covenant run --requirement ${id}`, style)),
  ];
  console.stdout(callable(`${lines.join('\n')}\n`, console));
  return exitCodes.conformant;
}

export function addExplain(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('explain <requirement>')
    .description(
      'say what a requirement means, how it is tested, how the document is read, and what a failure looks like',
    )
    .action((requirement: string) => finish(explain(requirement, console, parts)));
}
