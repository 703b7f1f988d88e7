// `covenant sign`: signs evidence and report, once it is sure that the one follows from the other.
import type { KeyObject } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { envelopeOf } from '../evidence/dsse.ts';
import { verifyCode, verifyCodes } from '../evidence/exit-code.ts';
import { fingerprintOf } from '../evidence/keys.ts';
import { statementOf } from '../evidence/statement.ts';
import { verify } from '../evidence/verify.ts';
import { writeWhole } from '../report/folder.ts';
import { sha256 } from '../runtime/digest.ts';
import type { GuardedConsole } from './console.ts';
import { envelopePath, evidenceOf, reportOf, reportPath } from './evidence-of.ts';
import { located } from './out-folder.ts';
import type { Parts } from './parts.ts';
import { signingKey } from './signing-key.ts';
import { listed } from './verify.ts';

export interface SignOptions {
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
  const verification = await verify({ evidence, own, suites, held });
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
export async function sign(file: string, options: SignOptions, console: GuardedConsole, parts: Parts): Promise<number> {
  const path = await located(console.folder, file);
  const key = await signingKey(options.key ?? true, console);
  return signWith({ path, report: options.report ?? reportPath(path), key }, console, parts);
}
