// The command lines that Covenant prints, as they work where this one was started.
import { relative } from 'node:path';
import type { Environment } from '../configuration/settings-sources.ts';
import type { Again } from '../report/context.ts';
import { profileOption } from '../report/wording.ts';
import type { Report } from '../result.ts';

/** How this process was started, as a console says. */
interface Started {
  readonly environment: Environment;
  readonly entry?: string;
  readonly folder: string;
}

const plain = /^[\w@%+=:,./~\\-]+$/;
export const quoted = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** How to call a command, up to where its options begin. */
function called(command: string, { environment, entry = 'covenant', folder }: Started): string {
  const path = entry.replaceAll('\\', '/');
  // What npx fetched is not installed here, and by its name it would be taken from a registry, whoever owns it there.
  if (path.includes('node_modules/') && !path.includes('/_npx/')) return `npx covenant ${command}`;
  // In a clone npm names its package, and npx starts what was built there last.
  if (environment.npm_package_name === 'covenant-conformance') return `npx covenant ${command}`;
  if (/(?:^|\/)covenant(?:\.cmd)?$/.test(path) && !path.includes('/_npx/')) return `covenant ${command}`;
  return `node ${quoted(relative(folder, entry) || entry)} ${command}`;
}

const commands = [
  'again|certificate|cleanup|compare|doctor|explain|init|keygen|matrix|merge|openapi|report|requirements|run',
  'serve|show|sign|verify|waive|--help',
].join('|');
// One that is written out already is left as it is.
const mention = new RegExp(`(?<!npx (?:--no-install )?)\\bcovenant (${commands})(?![\\w-])`, 'g');

/** A text for people in which each `covenant run` and the like can be copied. */
export const callable = (text: string, started: Started): string =>
  text.replace(mention, (_, command: string) => called(command, started));

/** `address`: the option for the target, where it is another than that of the report. */
function runAnew(console: Started, report: Report, address: string, more: readonly string[]): string {
  const { effort = 'standard' } = report.run.options;
  return [
    called('run', console) + profileOption(report),
    ...(address === '' ? [] : [address]),
    ...(effort === 'standard' ? [] : [`--effort ${effort}`]),
    ...more,
  ].join(' ');
}

const addressOf = ({ target }: Report): string => `--base-url ${quoted(target.base_url)}`;

export const againFrom =
  (console: Started, report: Report, address = addressOf(report)): Again =>
  (requirement, seed) =>
    runAnew(console, report, address, [`--requirement ${requirement}`, `--seed ${seed}`]);

/** The same run as a whole. */
export const wholeRun = (console: Started, report: Report): string =>
  runAnew(console, report, addressOf(report), [`--seed ${report.run.seed}`]);
