// The matrix as Markdown: implementations against areas, and where their choices differ.
import { defaultProfile } from '../../catalogue/profiles.ts';
import { short } from '../../runtime/text.ts';
import { text } from '../markdown-text.ts';
import { countsOf, type Matrix } from './model.ts';

const mostOfAnswer = 120;
/** Columns of the table of choices; more of them nobody reads in Markdown. */
const columnsShown = 8;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export function matrixMarkdown(matrix: Matrix): string {
  const areas = [...new Set(matrix.requirements.map(({ area }) => area))];
  const rows = matrix.columns.map((column) => [
    text(column.name),
    column.profile === defaultProfile ? column.verdict : `${column.verdict} (${column.profile} profile)`,
    ...countsOf(matrix, column).map(({ passed, failed, open }) =>
      failed > 0 ? `**${failed} failed**` : open > 0 ? `${open} open` : passed > 0 ? String(passed) : '',
    ),
  ]);
  const shown = matrix.columns.slice(0, columnsShown);
  const choices = matrix.questions.flatMap(({ question, answers }, index) => {
    const given = shown.map((column) => column.answers[index] ?? -1);
    if (new Set(given).size < 2) return [];
    return [[text(question), ...given.map((number) => text(short(answers[number] ?? '', mostOfAnswer)))]];
  });
  return [
    '# Conformance matrix',
    'MUST requirements: a number says how many hold, where none failed and none is open.',
    table(['Implementation', 'Verdict', ...areas], rows),
    ...(choices.length === 0
      ? []
      : ['## Choices that differ', table(['Question', ...shown.map(({ name }) => text(name))], choices)]),
    '',
  ].join('\n\n');
}
