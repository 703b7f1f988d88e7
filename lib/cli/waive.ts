// `covenant waive`: writes a waiver into the file, checked before, whole or not at all.

import { resolve } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { checkWaiver, endOf, readWaivers, sameSubject, type Waiver, writtenWaivers } from '../gate/waivers.ts';
import { writeWhole } from '../report/folder.ts';
import { defined } from '../runtime/defined.ts';
import { callable } from './again.ts';
import type { GuardedConsole } from './console.ts';
import { isThere, namedFile } from './named-file.ts';
import type { Parts } from './parts.ts';

export interface WaiveOptions {
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
  readonly operation?: string;
  readonly link?: string;
  readonly file: string;
}

function checkExpiry({ expires }: Waiver, now: number): void {
  const end = endOf(expires);
  if (end !== undefined && end > now) return;
  throw new UsageError(`--expires ${expires} is over already; give a day from today on, as YYYY-MM-DD.`);
}

/** Somebody may have put a credential into the reason. */
function checkSecrets(waiver: Waiver, console: GuardedConsole): void {
  const text = JSON.stringify(waiver);
  if (console.redact(text) === text) return;
  throw new UsageError(
    'The waiver contains a credential, and its file is made to be shared; leave the credential out.',
  );
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeWhole(path, text);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`${path} cannot be written (${code}); check its folder and permissions.`);
  }
}

/**
 * Adds the waiver, or renews the one for the same requirement and operation.
 * @throws UsageError where it is about nothing known, or already over, or the file cannot be read or written.
 */
export async function waive(
  requirement: string,
  options: WaiveOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const { file, reason, owner, expires, operation, link } = options;
  const waiver: Waiver = {
    requirement,
    reason,
    owner,
    expires,
    ...defined({ operation, link }),
  };
  checkWaiver(waiver, parts.catalogue, 'The waiver');
  checkExpiry(waiver, parts.clock.now());
  checkSecrets(waiver, console);
  const there = await isThere(console.folder, file);
  const before = there ? readWaivers(await namedFile(console.folder, file), file, parts.catalogue) : [];
  const others = before.filter((other) => !sameSubject(waiver, other));
  await write(resolve(console.folder, file), writtenWaivers([...others, waiver]));
  const done = others.length < before.length ? 'renewed' : 'written';
  const use = callable(`covenant run --waivers ${file}`, console);
  console.stdout(`Waiver ${done}: ${file}. It holds until ${expires}, and only where it is named: ${use}\n`);
  return exitCodes.conformant;
}
