// Where a setting comes from: a flag beats the environment, the environment beats the .env file, of which a line about Covenant that cannot be understood is an error.

import { parse } from 'dotenv';
import { didYouMean } from './checked.ts';
import { type Found, UsageError } from './settings.ts';
import { isHeaderVariable, variableNames } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a service runs this, and nobody sits before it. */
export const isCi = ({ CI = '' }: Environment): boolean => !['', 'false', '0'].includes(CI);

export interface Lookup {
  (name: string): Found | undefined;
  /** All that is set, ours or not. */
  readonly names: readonly string[];
}

/** Reads a file that a setting names, as text. @throws Error with the system's code where it cannot. */
export type ReadFile = (path: string) => string;

function refuseUnknown(name: string, where: string): void {
  if (!name.startsWith('COVENANT_') || isHeaderVariable(name)) return;
  if ((variableNames as readonly string[]).includes(name)) return;
  throw new UsageError(`${name} ${where} is not a variable of Covenant${didYouMean(name, variableNames)}`);
}

/**
 * Looks a variable up; an empty one counts as not set.
 * @throws UsageError where a variable that begins with COVENANT_ is not one of ours: a mistyped credential would leave its checks untested.
 */
export function variableLookup(environment: Environment, file: readonly EnvEntry[], fileName = '.env'): Lookup {
  for (const name of Object.keys(environment)) refuseUnknown(name, 'in the environment');
  for (const entry of file) refuseUnknown(entry.name, `on line ${entry.line} of ${fileName}`);
  const find = (name: string): Found | undefined => {
    const set = environment[name];
    if (set !== undefined && set !== '') return { value: set, where: `the environment variable ${name}` };
    const entry = file.findLast((candidate) => candidate.name === name && candidate.value !== '');
    return entry && { value: entry.value, where: `${name} on line ${entry.line} of ${fileName}` };
  };
  const names = [...new Set([...Object.keys(environment), ...file.map(({ name }) => name)])];
  return Object.assign(find, { names });
}

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
