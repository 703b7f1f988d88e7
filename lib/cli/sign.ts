// `covenant sign`, `keygen` and `certificate`: signs evidence and report, once the one is seen to follow from the other; makes a key; issues the certificate.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { jsonIn } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import { parseEnvFile, variableLookup } from '../configuration/settings-sources.ts';
import { envelopeOf } from '../evidence/signature.ts';
import { fingerprintOf, privateKeyFrom, statementOf } from '../evidence/statement.ts';
import { verify, verifyCode, verifyCodes } from '../evidence/verify.ts';
import { exitCodes } from '../gate/exit-code.ts';
import {
  type Certified,
  certificateOf,
  certificatePage,
  type Product,
  ruledOut,
} from '../report/certificate/certificate.ts';
import { writeWhole } from '../report/folder.ts';
import { defined } from '../runtime/defined.ts';
import { codeOf } from '../runtime/disk.ts';
import { sha256 } from '../runtime/text.ts';
import { documentText, violations } from '../schema/schema.ts';
import { type Console, callable, type GuardedConsole } from './console.ts';
import type { Finish } from './options.ts';
import {
  envelopePath,
  envText,
  evidenceOf,
  isThere,
  located,
  namedFile,
  reportOf,
  reportPath,
  writeAll,
} from './out-folder.ts';
import type { Parts } from './parts.ts';
import { controlsOf, examined, listed } from './verify.ts';

interface SignOptions {
  readonly key?: string;
  readonly report?: string;
}

interface Signing {
  readonly path: string;
  readonly report: string;
  readonly key: KeyObject;
}

/**
 * Writes the envelope beside the evidence, and says the exit code of its verification.
 * Nobody signs what does not follow: then nothing is written.
 */
export async function signWith({ path, report, key }: Signing, console: GuardedConsole, parts: Parts): Promise<number> {
  const evidence = await evidenceOf(path, console);
  const held = await reportOf(report, console);
  const { own, suites } = parts.judge();
  const verification = verify({ evidence, own, suites, held });
  if (verification.outcome !== 'follows' || verification.report === undefined) {
    console.stderr(`covenant: ${path} was not signed, because it does not follow:\n${listed(verification.troubles)}`);
    return verifyCode(verification);
  }
  const files = { [basename(path)]: evidence.sha256, [basename(report)]: sha256(held.bytes) };
  const statement = statementOf({ report: verification.report, code: own.code, files }, key);
  const written = envelopePath(path);
  await writeWhole(resolve(console.folder, written), `${JSON.stringify(envelopeOf(statement, key))}\n`);
  console.stdout(`Written: ${written}\nSigned by sha256:${fingerprintOf(key)}\n`);
  return verifyCodes.conformant;
}

/** @throws UsageError on a file or key that cannot be used. */
async function sign(file: string, options: SignOptions, console: GuardedConsole, parts: Parts): Promise<number> {
  const path = await located(console.folder, file);
  const key = await signingKey(options.key ?? true, console);
  return signWith({ path, report: options.report ?? reportPath(path), key }, console, parts);
}

const othersMayRead = 0o077;

async function keyInFile(path: string, { folder }: GuardedConsole): Promise<KeyObject> {
  const pem = await namedFile(folder, path);
  const { mode } = await stat(resolve(folder, path));
  // Windows keeps no such mode.
  if (process.platform !== 'win32' && (mode & othersMayRead) !== 0) {
    throw new UsageError(`The key in ${path} may be read by others than you; chmod 600 ${path}, or make a new one.`);
  }
  return privateKeyFrom(pem, path);
}

/**
 * `named`: the file that --sign or --key names, or true where it names none.
 * @throws UsageError where there is no key, or none that may be used.
 */
export async function signingKey(named: string | true, console: GuardedConsole): Promise<KeyObject> {
  if (named !== true) return keyInFile(named, console);
  const found = variableLookup(
    console.environment,
    parseEnvFile((await envText(console.folder)) ?? ''),
  )('COVENANT_SIGNING_KEY');
  if (found === undefined) {
    throw new UsageError('No key to sign with; name its file, or put it into COVENANT_SIGNING_KEY.');
  }
  return privateKeyFrom(found.value, found.where);
}

interface KeygenOptions {
  readonly out: string;
}

/** Where the public half of a key goes. */
const publicPath = (path: string): string => path.replace(/(?:\.pem)?$/, '.pub.pem');

async function writeNew(path: string, shown: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { mode, flag: 'wx' });
  } catch (error) {
    const code = codeOf(error);
    const why = code === 'EEXIST' ? 'is there already and is not overwritten' : `cannot be written (${code})`;
    throw new UsageError(`${shown} ${why}; name another file with --out.`);
  }
}

/** @throws UsageError where a file is there already or cannot be written. */
async function keygen({ out }: KeygenOptions, console: Console): Promise<number> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const open = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await writeNew(resolve(console.folder, out), out, secret, 0o600);
  await writeNew(resolve(console.folder, publicPath(out)), publicPath(out), open, 0o644);
  console.stdout(
    [
      `Private key: ${out} (keep it secret; sign with ${callable('covenant run', console)} --evidence --sign ${out})`,
      `Public key:  ${publicPath(out)} (hand it to those who verify)`,
      `Fingerprint: sha256:${fingerprintOf(publicKey)}`,
      '',
    ].join('\n'),
  );
  return exitCodes.conformant;
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

interface CertificateOptions {
  readonly product: string;
  readonly out: string;
  readonly key?: string;
  readonly report?: string;
  /** False after `--no-controls`. */
  readonly controls: boolean;
}

const example = '{ "implementation": "...", "version": "...", "vendor": "...", "contact": "..." }';

/** @throws UsageError where the file is not there, is broken, or lacks something. */
async function productFrom(path: string, { folder }: GuardedConsole): Promise<Product> {
  if (!(await isThere(folder, path))) {
    throw new UsageError(`A certificate names its product; write ${path} like ${example}.`);
  }
  const value = jsonIn(await namedFile(folder, path), `${path} is not JSON; write it like ${example}.`);
  const wrong = violations('product', value).map(
    ({ pointer, expected }) => `${pointer.slice(1) || 'the whole'} should be ${expected}`,
  );
  if (wrong.length > 0) throw new UsageError(`${path} is not complete: ${wrong.join('; ')}.`);
  return value as Product;
}

/**
 * Writes certificate.html and certificate.json, and says the exit code: 0 issued, 1 ruled out, 3 or 4 as verify.
 * @throws UsageError on a file that cannot be used.
 */
async function certificate(
  file: string,
  options: CertificateOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const product = await productFrom(options.product, console);
  const path = await located(console.folder, file);
  console.stderr('Recomputing every verdict from the evidence.\n');
  const held = options.report ?? reportPath(path);
  const found = await examined(path, { report: held, ...defined({ key: options.key }) }, console, parts);
  const { report, outcome, troubles } = found.verification;
  if (outcome !== 'follows' || report === undefined) {
    console.stderr(`covenant: no certificate, because the evidence does not follow:\n${listed(troubles)}`);
    return verifyCode(found.verification);
  }
  const { signer } = found.signature;
  const against = ruledOut({ report, product, ...defined({ signer }) });
  if (against.length > 0) {
    console.stderr(`covenant: no certificate; what rules it out:\n${listed(against)}`);
    return exitCodes.nonConformant;
  }
  const tried = options.controls ? controlsOf(found, console, parts) : undefined;
  const controls = tried && { musts: tried.musts, shown: tried.shown, notShown: tried.notShown };
  const evidence = { name: basename(path), sha256: found.evidence.sha256 };
  const certified: Certified = {
    report,
    product,
    evidence,
    code: parts.judge().own.code,
    ...defined({ signer, controls }),
  };
  const issued = certificateOf(certified);
  await writeAll(
    resolve(console.folder, options.out),
    { 'certificate.html': certificatePage(issued), 'certificate.json': documentText('certificate', issued) },
    console,
  );
  return exitCodes.conformant;
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
