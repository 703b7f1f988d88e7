// Where a setting comes from: a flag beats the environment, the environment beats the .env file.
import type { EnvEntry } from './env-file.ts';
import { didYouMean } from './nearest.ts';
import { UsageError } from './settings.ts';
import { isHeaderVariable, variableNames } from './variables.ts';

/** A value and where it was found, in words that a person can look up. */
export interface Found {
  readonly value: string;
  readonly where: string;
}

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
