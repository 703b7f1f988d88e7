// The gate on a terminal: what the waivers came to, and what changed since an earlier run.
import type { Changes } from '../../gate/changes.ts';
import { attribution, type ChangeLine, changeSections } from '../../gate/compare.ts';
import { gateSentence, stateOf, subjectOf, termsOf } from '../../gate/waivers.ts';
import type { Report } from '../../result.ts';
import { moment, short } from '../../runtime/text.ts';
import { indented, type Style } from './layout.ts';

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
