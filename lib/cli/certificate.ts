// `covenant certificate`: issues the certificate of a run whose evidence verifies, or says what rules it out.
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../configuration/settings.ts';
import { verifyCode } from '../evidence/exit-code.ts';
import { exitCodes } from '../gate/exit-code.ts';
import {
  type Certified,
  certificateOf,
  certificatePage,
  type Product,
  ruledOut,
} from '../report/certificate/certificate.ts';
import { prepareFolder, writeWhole } from '../report/folder.ts';
import { defined } from '../runtime/defined.ts';
import { documentText, violations } from '../schema/schema.ts';
import type { GuardedConsole } from './console.ts';
import { reportPath } from './evidence-file.ts';
import { isThere, namedFile } from './named-file.ts';
import type { Finish } from './options.ts';
import { located, outFolder } from './out-folder.ts';
import type { Parts } from './parts.ts';
import { controlsOf, examined, listed } from './verify.ts';

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
  let value: unknown;
  try {
    value = JSON.parse(await namedFile(folder, path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} is not JSON; write it like ${example}.`);
  }
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
  const out = outFolder(options.out, console.folder);
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
  const controls = tried && {
    musts: tried.musts,
    shown: tried.shown,
    notShown: tried.notShown,
  };
  const evidence = { name: basename(path), sha256: found.evidence.sha256 };
  const certified: Certified = {
    report,
    product,
    evidence,
    code: parts.judge().own.code,
    ...defined({ signer, controls }),
  };
  const issued = certificateOf(certified);
  const folder = out.of(report);
  const files = {
    'certificate.html': certificatePage(issued),
    'certificate.json': documentText('certificate', issued),
  };
  await prepareFolder(folder, Object.keys(files));
  for (const [name, text] of Object.entries(files)) {
    await writeWhole(resolve(folder, name), text);
    console.stdout(`Written: ${resolve(folder, name)}\n`);
  }
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
