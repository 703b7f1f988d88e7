// The commands about evidence: verifying it, signing it, making a key, issuing the certificate.
import type { Command } from 'commander';
import { type CertificateOptions, certificate } from './certificate.ts';
import type { GuardedConsole } from './console.ts';
import { addFormat } from './format.ts';
import type { Finish } from './gate-commands.ts';
import { type KeygenOptions, keygen } from './keygen.ts';
import type { Parts } from './parts.ts';
import { type SignOptions, sign } from './sign.ts';
import { type VerifyOptions, verifyFile } from './verify.ts';

export function addVerify(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('verify <file>')
    .description('recompute the verdict of a run from its evidence, offline; exits with 3 where it does not follow');
  addFormat(command)
    .option('--report <file>', 'a report.json to hold against it')
    .option('--signature <file>', 'the envelope; without it evidence.dsse.json beside the file, if it is there')
    .option('--key <key>', 'whose signature it must be: a public key in PEM, or its fingerprint')
    .option('--controls', 'put mutants into the recorded replies, and say which checks were seen to fail')
    .action((file: string, options: VerifyOptions) => finish(verifyFile(file, options, console, parts)));
}

export function addSign(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('sign <file>')
    .description('sign evidence and report, once one is seen to follow from the other')
    .option('--key <file>', 'Ed25519 private key, PKCS#8 PEM; without it COVENANT_SIGNING_KEY')
    .option('--report <file>', 'the report.json that belongs to it; without it the one beside the file')
    .action((file: string, options: SignOptions) => finish(sign(file, options, console, parts)));
}

export function addKeygen(program: Command, console: GuardedConsole, _: Parts, finish: Finish): void {
  program
    .command('keygen')
    .description('make a key to sign with')
    .option('--out <file>', 'where the private key goes; the public one goes beside it', 'covenant-key.pem')
    .action((options: KeygenOptions) => finish(keygen(options, console)));
}

export function addCertificate(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('certificate <file>')
    .description('issue the certificate of a run whose evidence verifies, or say what rules it out')
    .option('--product <file>', 'what was examined, by whom it is offered', 'covenant.product.json')
    .option('--out <folder>', 'where it goes', 'reports/')
    .option('--no-controls', 'leave out the figures of the live controls')
    .option('--key <key>', 'whose signature it must be: a public key in PEM, or its fingerprint')
    .option('--report <file>', 'the report.json that belongs to it; without it the one beside the file')
    .action((file: string, options: CertificateOptions) => finish(certificate(file, options, console, parts)));
}
