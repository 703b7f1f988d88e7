// The commands about evidence: verifying it, signing it, making a key, issuing the certificate.
import type { Command } from 'commander';
import type { GuardedConsole } from './console.ts';
import type { Finish } from './gate-commands.ts';
import type { Parts } from './parts.ts';
import { type VerifyOptions, verifyFile } from './verify.ts';

export function addVerify(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('verify <file>')
    .description('recompute the verdict of a run from its evidence, offline; exits with 3 where it does not follow')
    .option('--report <file>', 'a report.json to hold against it')
    .option('--json', 'print the result as JSON')
    .action((file: string, options: VerifyOptions) => finish(verifyFile(file, options, console, parts)));
}
