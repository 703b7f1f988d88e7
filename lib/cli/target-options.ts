// The options of every command that speaks with a target: its address and the way to it.
import type { Command } from 'commander';
import { profileNames } from '../catalogue/profiles.ts';
import type { NetworkFlags } from '../configuration/network.ts';
import { defined } from '../runtime/defined.ts';

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
    )
    .option('--public-header <name:value>', 'the same, shown in reports', each)
    .option('--http2', 'use HTTP/2 where the target offers it');

/** Of `run` and `doctor`. */
export const profileHelp = `what the target offers: ${profileNames.join(' or ')}; before what covenant.product.json says`;

/** These options alone, of a command that has more. */
export const networkOptions = ({ baseUrl, profile, header, publicHeader, http2 }: TargetOptions): TargetOptions =>
  defined({ baseUrl, profile, header, publicHeader, http2 });
