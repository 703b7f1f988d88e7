// The options that several commands share: lists, formats, the target's address and the way to it; and where the configuration comes from.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { profileNames } from '../catalogue/profiles.ts';
import { at } from '../client/reply.ts';
import { jsonIn, oneOf } from '../configuration/checked.ts';
import type { NetworkFlags } from '../configuration/network.ts';
import { UsageError } from '../configuration/settings.ts';
import { configuration, type RunFlags, type Sources } from '../configuration/target.ts';
import { defined } from '../runtime/defined.ts';
import type { Console, GuardedConsole } from './console.ts';
import { envText, isThere, namedFile } from './out-folder.ts';
import type { Parts } from './parts.ts';

export interface TargetOptions extends NetworkFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
}

/** A value may hold commas, so each is given by an option of its own. */
export const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const addTargetOptions = (command: Command): Command =>
  command
    .option('--base-url <url>', 'the target')
    .option(
      '--header <name:value>',
      'a header for a gateway in front of the target, kept secret; may be repeated',
      each,
    );

/** Of `run` and `doctor`. */
export const profileHelp = `what the target offers: ${profileNames.join(' or ')}; before what covenant.product.json says`;

/** These options alone, of a command that has more. */
export const networkOptions = ({ baseUrl, profile, header }: TargetOptions): TargetOptions =>
  defined({ baseUrl, profile, header });

/**
 * `a,b` and a repeated option both add up.
 * @throws UsageError where nothing stands before, between or behind commas: a variable may have been empty there.
 */
export function list(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(',').map((item) => item.trim());
  if (names.includes(''))
    throw new UsageError(`${JSON.stringify(value)} has an empty name in it; write names with one comma between them.`);
  return [...before, ...names];
}

export interface FormatOptions {
  readonly format?: string;
  readonly json?: boolean;
}

export const textOrJson = ['text', 'json'] as const;

/** `more` says what is printed for programs, where that is not the result. */
export const addFormat = (command: Command, formats: readonly string[] = textOrJson, more = ''): Command =>
  command
    .option('--format <format>', `${formats.join(', ').replace(/, (?=\w+$)/, ' or ')}; ${formats[0]} by default${more}`)
    .option('--json', 'short for --format json');

/** @throws UsageError on a format that is none of these, and on two of them. */
export function formatFrom<T extends string>({ format, json }: FormatOptions, formats: readonly [T, ...T[]]): T {
  if (json && format !== undefined && format !== 'json')
    throw new UsageError(`--json is short for --format json; leave it off, or --format ${format}.`);
  return oneOf(json ? 'json' : (format ?? formats[0]), formats, 'format', ' (--format)');
}

/** Takes the exit code of a command, or the promise of one. */
export type Finish = (code: number | Promise<number>) => Promise<void>;

export const productFile = 'covenant.product.json';

/** @throws UsageError where the file is there and is no JSON. */
async function declaredProfile(folder: string): Promise<Sources['profile']> {
  if (!(await isThere(folder, productFile))) return undefined;
  const sentence = `${productFile} is not JSON; mend it, or remove it.`;
  const profile = at(jsonIn(await namedFile(folder, productFile), sentence), 'profile');
  return profile === undefined ? undefined : { value: String(profile), where: `profile in ${productFile}` };
}

/**
 * A configuration that has a target; its secrets are concealed.
 * @throws UsageError where there is none: `otherwise` says what to do.
 */
export async function targetFrom(flags: RunFlags, console: GuardedConsole, parts: Parts, otherwise: string) {
  const { target, ...configured } = configuration(await sourcesFrom(flags, console, parts));
  if (target === undefined) throw new UsageError(otherwise);
  console.conceal({ ...target.credentials, ...configured.network.secrets });
  return { ...configured, target };
}

/** @throws UsageError where a `.env` or a product's file is there and cannot be read. */
export async function sourcesFrom(flags: RunFlags, console: Console, parts: Parts): Promise<Sources> {
  const envFile = await envText(console.folder);
  return {
    flags,
    environment: console.environment,
    ...defined({ envFile, profile: await declaredProfile(console.folder) }),
    readFile: (path) => readFileSync(resolve(console.folder, path), 'utf8'),
    freshSeed: parts.freshSeed(),
    requirements: parts.catalogue,
  };
}
