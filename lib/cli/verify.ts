// `covenant verify`: judges a recorded run anew, offline, and says whether what was found follows from its evidence.
import { verifyCode, verifyCodes } from '../evidence/exit-code.ts';
import { Damaged, type Evidence, readEvidence } from '../evidence/read.ts';
import { type HeldReport, type Verification, verify } from '../evidence/verify.ts';
import { readReport } from '../report/read.ts';
import { counted, moment } from '../runtime/text.ts';
import type { GuardedConsole } from './console.ts';
import { namedBytes } from './named-file.ts';
import type { Parts } from './parts.ts';

export interface VerifyOptions {
  readonly report?: string;
  readonly json?: boolean;
}

/** @throws UsageError where the file cannot be read or is something else. */
export async function evidenceFrom(path: string, { folder }: GuardedConsole): Promise<Evidence> {
  return readEvidence(await namedBytes(folder, path), path);
}

async function reportFrom(path: string, { folder }: GuardedConsole): Promise<HeldReport> {
  const bytes = await namedBytes(folder, path);
  return { bytes, report: readReport(new TextDecoder().decode(bytes), path) };
}

const listMax = 20;

function listed(troubles: readonly string[]): string {
  const shown = troubles.slice(0, listMax).map((one) => `  - ${one}\n`);
  return `${shown.join('')}${troubles.length > listMax ? `  - and ${troubles.length - listMax} more\n` : ''}`;
}

const runWords: Readonly<Record<string, string>> = {
  conformant: 'conformant',
  'non-conformant': 'not conformant',
  incomplete: 'incomplete',
  aborted: 'aborted',
};

/** What the file is, before what is said of it. */
export function described({ header, entries, sha256 }: Evidence): string {
  const { suite, target, settings } = header;
  const first = entries[0]?.now?.[0];
  const begun = first === undefined ? '' : `, ${moment(new Date(first).toISOString())}`;
  const requests = entries.filter((entry) => 'ask' in entry).length;
  return [
    `Evidence: ${counted(requests, 'request')} to ${target?.baseUrl}${begun}`,
    `  recorded with Covenant ${suite?.version}, seed ${settings?.seed}, effort ${settings?.effort}`,
    `  SHA-256 ${sha256}`,
    '',
  ].join('\n');
}

function concluded({ outcome, verdict, troubles, report }: Verification, evidence: Evidence): string {
  if (outcome === 'follows') {
    const count = counted(report?.requirements.length ?? 0, 'requirement');
    return `It is whole, and the verdict of each of ${count} follows from it: the run was ${runWords[verdict ?? '']}.\n`;
  }
  if (outcome === 'broken') return `It does not follow:\n${listed(troubles)}`;
  const { suite, format } = evidence.header;
  return `This version cannot verify it; covenant-conformance ${suite?.version ?? `that reads ${format}`} can:\n${listed(troubles)}`;
}

function unreadable(error: unknown): Damaged {
  if (error instanceof Damaged) return error;
  throw error;
}

/**
 * Verifies, and says the exit code.
 * @throws UsageError on a file that is no evidence or no report.
 */
export async function verifyFile(
  path: string,
  options: VerifyOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const evidence = await evidenceFrom(path, console).catch(unreadable);
  if ('message' in evidence) {
    console.stderr(`covenant: ${evidence.message}\n`);
    return verifyCodes.doesNotFollow;
  }
  const held = options.report === undefined ? undefined : await reportFrom(options.report, console);
  const verification = await verify({ evidence, ...parts.judge(), ...(held && { held }) });
  const { outcome, verdict, troubles, moved } = verification;
  if (options.json) {
    const { header, sha256 } = evidence;
    const told = { format: 'covenant-verification/1', outcome, verdict, sha256, suite: header.suite, troubles, moved };
    console.stdout(`${JSON.stringify(told, null, 2)}\n`);
  } else console.stdout(`${described(evidence)}\n${concluded(verification, evidence)}`);
  return verifyCode(verification);
}
