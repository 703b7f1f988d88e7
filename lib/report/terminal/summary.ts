// What a person reads of a run first: the verdict, the totals, the areas, the cost, the waivers and what changed.
import { documentedMinuteMs } from '../../catalogue/operations.ts';
import type { Changes } from '../../gate/changes.ts';
import { attribution, type ChangeLine, changeSections } from '../../gate/compare.ts';
import { gateSentence, stateOf, subjectOf, termsOf } from '../../gate/waivers.ts';
import type { JudgedTotals, Report, RequirementResult } from '../../result.ts';
import { counted, moment, short, visible } from '../../runtime/text.ts';
import { byArea, filters, profileOf, strictSentence, targetOf, took, verdictSentence } from '../wording.ts';
import { plannedSentence } from './before.ts';
import { indented, type Style, table } from './layout.ts';

function banner(report: Report, { colors }: Style): string {
  const paint = {
    conformant: colors.green,
    'non-conformant': colors.red,
    incomplete: colors.yellow,
    aborted: colors.red,
  };
  const word = colors.bold(colors.inverse(paint[report.verdict](` ${report.verdict.toUpperCase()} `)));
  return [word, visible(targetOf(report)), profileOf(report)].filter((one) => one !== undefined).join(' ');
}

function sentences(report: Report): string[] {
  const left = filters(report);
  const { minute_ms: minute, clock_rate: rate } = report.run;
  const hurry =
    rate === undefined ? '' : `, of a clock ${rate} times as fast as the machine’s that stood still during requests`;
  const { repeat } = report.run.options;
  const { shards } = report.run;
  return [
    verdictSentence(report),
    ...[strictSentence(report)].filter((one) => one !== undefined),
    ...(left.length === 0 ? [] : [`This is a part of the suite: ${left.join('; ')}.`]),
    ...(shards === undefined ? [] : [`Joined from ${shards.length} shards: runs ${shards.join(', ')}.`]),
    ...(repeat === undefined
      ? []
      : [`Everything was run ${repeat} times with seeds of their own; the worst verdict stands.`]),
    ...(minute === documentedMinuteMs || report.verdict === 'aborted'
      ? []
      : [
          `The rate-limit minute lasted ${minute} ms instead of ${documentedMinuteMs}${hurry}: no certificate can rest on this run.`,
        ]),
  ];
}

function totalsTable({ totals, requirements }: Report, { colors }: Style): string[] {
  const { must, should, observe } = totals;
  // What a target lawfully does not offer is observed, also where a MUST speaks of it.
  const notOffered = (level: string): number =>
    requirements.filter((result) => result.level === level && result.verdict === 'observed').length;
  const row = (name: string, { passed, failed, not_tested, inconclusive }: JudgedTotals): string[] => [
    name,
    ...[passed, failed, not_tested, inconclusive, notOffered(name.toLowerCase()) || ''].map(String),
  ];
  const rows = [
    ['', 'passed', 'failed', 'not tested', 'inconclusive', 'observed'],
    row('MUST', must),
    row('SHOULD', should),
    ['OBSERVE', '', '', String(observe.not_tested), '', String(observe.observed)],
  ];
  return table(rows, (line, index) => (index === 0 ? colors.dim(line) : line));
}

function areaRow(area: string, results: readonly RequirementResult[]): string[] {
  const amount = (level: string, ...verdicts: readonly string[]): number =>
    results.filter((result) => result.level === level && verdicts.includes(result.verdict)).length;
  const share = (level: string, good: string): string => {
    const all = results.filter((result) => result.level === level).length;
    return all === 0 ? '-' : `${amount(level, good)}/${all}`;
  };
  const warnings = amount('should', 'failed');
  const notes: readonly (readonly [number, string])[] = [
    [amount('must', 'failed'), 'failed'],
    [amount('must', 'not-tested', 'inconclusive'), 'open'],
    [warnings, warnings === 1 ? 'warning' : 'warnings'],
    [amount('must', 'observed') + amount('should', 'observed'), 'not offered'],
  ];
  const state = notes.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return [
    area,
    share('must', 'passed'),
    share('should', 'passed'),
    share('observe', 'observed'),
    state.join(', ') || 'ok',
  ];
}

function areasTable(report: Report, { colors }: Style): string[] {
  const rows = [...byArea(report)].map(([area, results]) => areaRow(area, results));
  return table([['area', 'MUST', 'SHOULD', 'OBSERVE', ''], ...rows], (line, index) => {
    if (index === 0) return colors.dim(line);
    if (line.includes(' failed')) return colors.red(line);
    return / open| warning/.test(line) ? colors.yellow(line) : line;
  });
}

function spent({ budget, run }: Report): string {
  const sum = (pick: (spending: Report['budget'][number]) => number): number =>
    budget.reduce((total, spending) => total + pick(spending), 0);
  const sent = (rate: string): number => sum((spending) => (spending.class === rate ? spending.sent : 0));
  const throttled = sum((spending) => spending.throttled);
  const requests = `${counted(sent('read'), 'read')}, ${counted(sent('write'), 'write')} and ${counted(sent('validate'), 'validation')}`;
  const refused = throttled === 0 ? '' : `; ${counted(throttled, 'unexpected 429')} waited out`;
  return `Sent ${requests} in ${took(run)}${refused}.`;
}

function leftBehind({ residue }: Report): string {
  const kinds = [...new Set(residue.map(({ kind }) => kind))];
  const amounts = kinds.map((kind) => `${residue.filter((item) => item.kind === kind).length} × ${kind}`);
  return `Left behind, because the interface takes none of it back: ${amounts.join(', ')}.`;
}

/** How the way to the target was, where something went wrong on it. */
function networkSentence({ network }: Report): string[] {
  if (network === undefined) return [];
  const { troubles, absences, repeated, undecided } = network;
  const seen = [...troubles]
    .sort((one, other) => other.count - one.count)
    .map(({ what, count }) => `${count} × ${what}`);
  const away = absences.map(({ from, until }) => `${from.slice(11, 19)} to ${until?.slice(11, 19) ?? 'the end'}`);
  const open = undecided === 0 ? '' : ` It left ${counted(undecided, 'requirement')} open.`;
  return [
    `Network: ${seen.slice(0, 4).join(', ')}${seen.length > 4 ? ' and more' : ''}; ${counted(repeated, 'request')} sent again.${open}`,
    ...(away.length === 0 ? [] : [`The target answered nothing from ${away.slice(0, 4).join(', ')} (UTC).`]),
  ];
}

/** Tables of nothing would only look like a result. */
function tables(report: Report, style: Style): string[] {
  const judged = report.requirements.some(({ verdict }) => verdict !== 'not-tested' && verdict !== 'inconclusive');
  if (report.requirements.length === 0 || (report.verdict === 'aborted' && !judged)) return [];
  return [...totalsTable(report, style), '', ...areasTable(report, style), ''];
}

export function summary(report: Report, style: Style): string[] {
  const planned = report.verdict === 'aborted' ? undefined : plannedSentence(report);
  const costs = [
    spent(report),
    ...(planned === undefined ? [] : [planned]),
    ...(report.residue.length === 0 ? [] : [leftBehind(report)]),
    ...networkSentence(report),
  ];
  return [
    banner(report, style),
    '',
    ...sentences(report).flatMap((sentence) => indented(sentence, style, 2)),
    '',
    ...tables(report, style),
    ...costs.flatMap((sentence) => indented(sentence, style, 2)),
  ];
}

const mostOfText = 400;
/** Lines shown of one section; a long list of what was left out by choice helps nobody. */
const mostOfSection = 12;

/** Every waiver that the run got, with what it came to; nothing where it got none. */
export function waivers(report: Report, style: Style): string[] {
  const sentence = gateSentence(report);
  if (sentence === undefined || report.waivers === undefined) return [];
  const { colors } = style;
  const lines = report.waivers.flatMap((waived) => [
    `  ${waived.state === 'applied' || waived.state === 'idle' ? '-' : colors.red('✗')} ${colors.bold(subjectOf(waived))}: ${stateOf(waived)}`,
    ...indented(termsOf(waived), style, 4),
    ...(waived.state === 'applied' ? [] : indented(waived.note ?? '', style, 4)),
  ]);
  return [colors.bold('Waivers'), '', ...lines, ...(lines.length === 0 ? [] : ['']), ...indented(sentence, style, 2)];
}

/** What changed since the earlier report, section by section. */
export function changed(found: Changes, before: Report, after: Report, style: Style): string[] {
  const { colors } = style;
  const item = ({ id, text }: ChangeLine): string[] => {
    const [head = '', ...rest] = indented(short(id === undefined ? text : `${id}: ${text}`, mostOfText), style, 6);
    return [`    - ${head.trimStart()}`, ...rest];
  };
  const sections = changeSections(found, after).flatMap(({ title, lines }) => {
    const named = lines.filter(({ must }, index) => must || index < mostOfSection);
    const left = lines.length - named.length;
    return [
      '',
      `  ${colors.bold(title)}${lines.length > mostOfSection ? ` (${lines.length})` : ''}`,
      ...named.flatMap(item),
      ...(left > 0 ? [`    - and ${left} more; covenant compare --format json names all`] : []),
    ];
  });
  return [
    colors.bold(`Changed since ${moment(before.run.started_at)}`),
    '',
    ...indented(attribution(found), style, 2),
    ...sections,
  ];
}
