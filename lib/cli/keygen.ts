// `covenant keygen`: makes a key to sign with, which nobody else may read, and the public key that belongs to it.

import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import { fingerprintOf } from '../evidence/keys.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { callable } from './again.ts';
import type { Console } from './console.ts';

export interface KeygenOptions {
  readonly out: string;
}

/** Where the public half of a key goes. */
const publicPath = (path: string): string => path.replace(/(?:\.pem)?$/, '.pub.pem');

async function writeNew(path: string, shown: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { mode, flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = code === 'EEXIST' ? 'is there already and is not overwritten' : `cannot be written (${code})`;
    throw new UsageError(`${shown} ${why}; name another file with --out.`);
  }
}

/** @throws UsageError where a file is there already or cannot be written. */
export async function keygen({ out }: KeygenOptions, console: Console): Promise<number> {
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
