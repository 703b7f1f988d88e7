// Lays out text for a terminal: wrapping, labelled lines, tables; nothing in it can move the cursor.
import picocolors from 'picocolors';
import { visible } from '../../runtime/text.ts';

export interface Style {
  readonly colors: ReturnType<typeof picocolors.createColors>;
  /** Columns. */
  readonly width: number;
}

export const styled = (colors: boolean, width = 80): Style => ({ colors: picocolors.createColors(colors), width });

/** Text of a target or a person on one line; what could move the cursor is spelled out. */
export const inert = (text: string): string => visible(text).replace(/[\t\r\n]/g, ' ');

const labelWidth = 12;
const narrowest = 20;

/** Breaks at white space; a word that is longer than a line stays whole, so that it can be copied. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of visible(text).split('\n')) {
    let line = '';
    // Runs of blanks stay: in a value they may be what is wrong.
    for (const word of paragraph.trim().split(/\s/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && longer.length > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    if (line !== '') lines.push(line);
  }
  return lines;
}

export const indented = (text: string, style: Style, indent: number): string[] =>
  wrap(text, Math.max(narrowest, style.width - indent)).map((line) => ' '.repeat(indent) + line);

/** The label, then the text beside it on as many lines as it needs; nothing where the text is empty. */
export function labelled(label: string, text: string, style: Style, indent = 2): string[] {
  const lines = wrap(text, Math.max(narrowest, style.width - indent - labelWidth));
  return lines.map((line, index) => {
    const head = index === 0 ? label : '';
    return `${' '.repeat(indent)}${style.colors.dim(head.padEnd(labelWidth))}${line}`;
  });
}

/** As `labelled`, on one line however long it is, so that it can be copied. */
export const unwrapped = (label: string, text: string, style: Style): string =>
  `  ${style.colors.dim(label.padEnd(labelWidth))}${visible(text)}`;

/** First column to the left, the others to the right; `paint` colours a finished row. */
export function table(rows: readonly (readonly string[])[], paint: (line: string, row: number) => string): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const aligned = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row, index) => paint(`  ${row.map(aligned).join('   ')}`.trimEnd(), index));
}

/** `a, b and 7 more`. */
export function listed(items: readonly string[], most: number): string {
  const head = items.length > most + 1 ? items.slice(0, most) : items;
  const rest = items.length - head.length;
  return rest === 0 ? head.join(', ') : `${head.join(', ')} and ${rest} more`;
}
