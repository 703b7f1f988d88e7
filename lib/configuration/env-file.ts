// Reads the text of a .env file, strictly where it is about Covenant: a line that cannot be understood is an error, not a setting that silently is not there.
import { parse } from 'dotenv';
import { UsageError } from './settings.ts';

/** One setting of a `.env` file and the line on which it starts, counted from 1. */
export interface EnvEntry {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const assignment = /^\s*(?:export\s+)?[\w.-]+\s*=\s*(.*)$/;
/** What other programs keep in the same file may be written in other ways. */
const ours = /^\s*(?:export\s+)?COVENANT_/;

/** How many lines a value takes that begins with a quote; 0 where the quote is never closed. */
function linesOfValue(lines: readonly string[], start: number, value: string): number {
  const quote = value[0];
  if (quote === undefined || !`'"\``.includes(quote)) return 1;
  if (value.indexOf(quote, 1) > 0) return 1;
  const end = lines.findIndex((line, index) => index > start && line.includes(quote));
  return end < 0 ? 0 : end - start + 1;
}

/** What is wrong with a line of ours; undefined where nothing is. */
function complaint(value: string | undefined, taken: number): string | undefined {
  if (value === undefined) return 'is not a setting; write NAME=value, or begin the line with # to make it a comment.';
  if (taken === 0) return 'opens a quote that is never closed; close it at the end of the value.';
  return /^[^'"`].*\S#/.test(value)
    ? 'has a # inside a value without quotes, which would be cut off there; put the value in quotes.'
    : undefined;
}

function entryAt(lines: readonly string[], start: number, file: string): { entries: EnvEntry[]; taken: number } {
  const text = lines[start] ?? '';
  const value = assignment.exec(text)?.[1];
  const taken = value === undefined ? 1 : linesOfValue(lines, start, value);
  const wrong = ours.test(text) ? complaint(value, taken) : undefined;
  if (wrong !== undefined) throw new UsageError(`Line ${start + 1} of ${file} ${wrong}`);
  const chunk = value === undefined || taken === 0 ? '' : lines.slice(start, start + taken).join('\n');
  const entries = Object.entries(parse(chunk)).map(([name, parsed]) => ({ name, value: parsed, line: start + 1 }));
  return { entries, taken: taken || 1 };
}

/**
 * The settings of a `.env` file in their order.
 * @throws UsageError naming the line that cannot be understood; never its content, which may be a secret.
 */
export function parseEnvFile(text: string, file = '.env'): readonly EnvEntry[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const found: EnvEntry[] = [];
  for (let line = 0; line < lines.length; ) {
    const { entries, taken } = entryAt(lines, line, file);
    found.push(...entries);
    line += taken;
  }
  return found;
}
