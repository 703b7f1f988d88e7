// `covenant requirements`: prints the catalogue, or the register of rulings.

import type { Command } from 'commander';
import { areas, type Requirement } from '../catalogue/requirement.ts';
import type { Ruling } from '../catalogue/ruling.ts';
import { didYouMean } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import { selectedAreas } from '../configuration/target.ts';
import { wrap } from '../report/terminal/layout.ts';
import { documentText } from '../schema/schema.ts';
import type { Console } from './console.ts';
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

function amounts(entries: readonly CatalogueEntry[]): string {
  const amount = (level: string): number => entries.filter((entry) => entry.level === level).length;
  const named = ['must', 'should', 'observe', 'untestable'].map((level) => `${amount(level)} ${level}`);
  return `${entries.length} requirements: ${named.join(', ')}`;
}

const beside = (label: string, text: string): string => {
  const lines = wrap(text, 64);
  return lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(12)}${line}\n`).join('');
};

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
      .map(({ id, question, readings, ruling, why, requirements }) =>
        [
          `${id}\n`,
          beside('question', question),
          ...readings.map((reading, index) => beside(index === 0 ? 'readings' : '', `- ${reading}`)),
          beside('ruling', ruling),
          beside('because', why),
          beside('concerns', requirements.join(', ')),
        ].join(''),
      )
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

const allLevels: readonly string[] = ['must', 'should', 'observe', 'untestable'];

/** @throws UsageError on a name that is no level. */
function chosenLevels(names: readonly string[] = allLevels): readonly string[] {
  for (const name of names) {
    if (allLevels.includes(name)) continue;
    throw new UsageError(
      `No level is called ${JSON.stringify(name)} (--level)${didYouMean(name, allLevels)} There are ${allLevels.join(', ')}.`,
    );
  }
  return names;
}

/**
 * Prints and says the exit code.
 * @throws UsageError on an unknown format or area.
 */
function requirements(options: RequirementsOptions, console: Console, { catalogue, rulings }: Parts): number {
  const format: Format = formats[formatFrom(options, catalogueFormats)];
  const chosen: readonly string[] = options.area ? selectedAreas(options.area) : areas;
  const levels = chosenLevels(options.level);
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
