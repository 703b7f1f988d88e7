// `covenant verify`: judges a recorded run anew, offline, and says whether what was found follows from its evidence.
import { basename } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../configuration/settings.ts';
import { type Controls, greenMusts } from '../evidence/controls.ts';
import { Damaged, type Evidence } from '../evidence/read.ts';
import { type Expected, examineSignature, type Signature } from '../evidence/signature.ts';
import { fingerprintIn, publicKeyFrom } from '../evidence/statement.ts';
import { type Verification, verify, verifyCode, verifyCodes } from '../evidence/verify.ts';
import { profileOf } from '../report/wording.ts';
import { defined } from '../runtime/defined.ts';
import { counted, duration, sha256, visible } from '../runtime/text.ts';
import { version } from '../runtime/version.ts';
import { documentText } from '../schema/schema.ts';
import type { GuardedConsole } from './console.ts';
import { addFormat, type Finish, type FormatOptions, formatFrom, textOrJson } from './options.ts';
import { envelopeOf, evidenceOf, isThere, located, namedFile, reportOf } from './out-folder.ts';
import type { Parts } from './parts.ts';
import { displayOf, Ticker } from './progress.ts';

export interface VerifyOptions extends FormatOptions {
  readonly report?: string;
  readonly signature?: string;
  readonly key?: string;
  readonly controls?: boolean;
}

const listMax = 20;

/** Text from a file, on one line and printable, so that it cannot pass for our own. */
const plain = (said: unknown): string => visible(String(said)).replaceAll(/\s+/g, ' ');

/** A list for people, cut off where it gets long. */
export function listed(troubles: readonly string[]): string {
  const shown = troubles.slice(0, listMax).map((one) => `  - ${plain(one)}\n`);
  return `${shown.join('')}${troubles.length > listMax ? `  - and ${troubles.length - listMax} more\n` : ''}`;
}

/** What the file is, before what is said of it. */
function described({ header, exchanges, found, sha256 }: Evidence): string {
  const { suite } = header;
  const { run, target } = found?.report ?? {};
  const lines = [
    // Of a file that was cut, or is of another format, only the header is read.
    found
      ? `Evidence: ${counted(exchanges.length, 'exchange')} with ${plain(target?.base_url)}, ${plain(run?.started_at)}`
      : 'Evidence',
    `  recorded with Covenant ${plain(suite?.version)}${run ? `, seed ${run.seed}, effort ${run.options.effort}` : ''}`,
    `  SHA-256 ${sha256}`,
    '',
  ];
  return lines.join('\n');
}

/** `held`: the report that was held against it. */
function concluded(
  { outcome, verdict, troubles, report, asRecorded }: Verification,
  evidence: Evidence,
  held: string | undefined,
): string {
  if (outcome === 'follows') {
    const count = counted(report?.requirements.length ?? 0, 'requirement');
    const profile = report && profileOf(report);
    const where = profile === undefined ? '' : ` in the ${profile}`;
    const kept = asRecorded.length > 0 ? ` (of ${asRecorded.length} as the run itself checked them)` : '';
    const whole = `It is whole, and the verdict of each of ${count} follows from it${kept}: the run was ${verdict?.replace('non-', 'not ')}${where}.\n`;
    return held === undefined ? whole : `${whole}${basename(held)} is the report of this run, unaltered.\n`;
  }
  if (outcome === 'broken') return `It does not follow:\n${listed(troubles)}`;
  const { suite, format } = evidence.header;
  // This very version is what cannot.
  const able = suite?.version === version ? undefined : suite?.version;
  return `This version cannot verify it; covenant-conformance ${plain(able ?? `that reads ${format}`)} can:\n${listed(troubles)}`;
}

function unreadable(error: unknown): Damaged {
  if (error instanceof Damaged) return error;
  throw error;
}

/** The key or fingerprint that --key names. */
async function expectedFrom(key: string, { folder }: GuardedConsole): Promise<Expected> {
  const fingerprint = fingerprintIn(key);
  if (fingerprint !== undefined) return { fingerprint };
  if (!(await isThere(folder, key)))
    throw new UsageError(
      `${key} (--key) is neither a fingerprint, which has 64 hexadecimal digits, nor a file; give what covenant keygen printed, or the file of the public key.`,
    );
  return { key: publicKeyFrom(await namedFile(folder, key), key) };
}

function signedBy({ signer, troubles }: Signature, expected: Expected | undefined): string {
  if (troubles.length > 0) return '';
  if (signer === undefined) return 'It is not signed.\n';
  const hint = expected ? '' : '; compare that with what the signer says of their key, or name it with --key';
  return `It is signed by sha256:${signer}${hint}.\n`;
}

/** Which requirements were seen to fail, with a line now and then, for it takes a while. */
export function controlsOf(
  { evidence, verification: { outcome, report } }: Awaited<ReturnType<typeof examined>>,
  console: GuardedConsole,
  { controls, clock }: Parts,
): Controls | undefined {
  if (outcome !== 'follows' || report === undefined) return undefined;
  const begun = clock.now();
  const musts = counted(greenMusts(report).length, 'MUST');
  let shown = 0;
  const ticker = new Ticker(displayOf(console, clock), (now) => [
    `live controls: ${shown} of ${musts} seen to fail, ${duration(now - begun)}`,
  ]);
  ticker.start();
  ticker.tick();
  try {
    return controls(evidence, (count) => {
      shown = count;
      ticker.tick();
    });
  } finally {
    ticker.stop();
  }
}

/** How many requirements were seen to fail, and which were not. */
function controlled({ musts, shown, notShown }: Controls): string {
  const share = musts === 0 ? '' : ` (${((100 * shown) / musts).toFixed(1)} %)`;
  const named = notShown.length === 0 ? '' : `Not shown:\n${notShown.map((one) => `  - ${one}\n`).join('')}`;
  return `Live controls: of ${counted(musts, 'MUST')} that passed, ${shown}${share} were seen to fail once replies were changed.\n${named}`;
}

/** The file, what follows from it, and its signature: all that is wrong named together. */
export async function examined(file: string, options: VerifyOptions, console: GuardedConsole, parts: Parts) {
  const path = await located(console.folder, file);
  const expected = options.key === undefined ? undefined : await expectedFrom(options.key, console);
  const evidence = await evidenceOf(path, console);
  const held = options.report === undefined ? undefined : await reportOf(options.report, console);
  const envelope = await envelopeOf(path, options.signature, console);
  const verification = verify({ evidence, ...parts.judge(), ...(held && { held }) });
  const files = {
    [basename(path)]: evidence.sha256,
    ...(options.report !== undefined && held ? { [basename(options.report)]: sha256(held.bytes) } : {}),
  };
  const { report } = verification;
  const signature = examineSignature({ envelope, files, ...(expected && { expected }), ...(report && { report }) });
  const outcome = signature.troubles.length > 0 ? 'broken' : verification.outcome;
  const troubles = [...signature.troubles, ...verification.troubles];
  return { evidence, expected, signature, verification: { ...verification, outcome, troubles } as Verification };
}

/**
 * Verifies, and says the exit code.
 * @throws UsageError on a file that is no evidence, report, envelope or key.
 */
async function verifyFile(
  path: string,
  options: VerifyOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const asJson = formatFrom(options, textOrJson) === 'json';
  const found = await examined(path, options, console, parts).catch(unreadable);
  if (found instanceof Damaged) {
    console.stderr(`covenant: ${found.message}\n`);
    return verifyCodes.doesNotFollow;
  }
  const { evidence, expected, signature, verification } = found;
  const { outcome, verdict, troubles, moved, asRecorded } = verification;
  // Said before it is shown that it could have been otherwise, which takes much longer.
  if (!asJson) {
    const conclusion = concluded(verification, evidence, options.report);
    console.stdout(`${described(evidence)}\n${conclusion}${signedBy(signature, expected)}`);
  }
  const controls = options.controls ? controlsOf(found, console, parts) : undefined;
  if (asJson) {
    const { header, sha256 } = evidence;
    const { signer } = signature;
    const said = {
      outcome,
      verdict,
      sha256,
      signer,
      suite: header.suite,
      troubles,
      moved,
      as_recorded: asRecorded,
      ...defined({ controls }),
    };
    console.stdout(documentText('verification', { format: 'covenant-verification/2', ...said }));
  } else if (controls) console.stdout(controlled(controls));
  return verifyCode(verification);
}

export function addVerify(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('verify <file>')
    .description('recompute the verdict of a run from its evidence, offline; exits with 3 where it does not follow');
  addFormat(command)
    .option('--report <file>', 'a report.json to hold against it')
    .option('--signature <file>', 'the envelope; without it evidence.dsse.json beside the file, if it is there')
    .option('--key <key>', 'whose signature it must be: a public key in PEM, or its fingerprint')
    .option('--controls', 'change recorded replies, and say which requirements were seen to fail on them')
    .action((file: string, options: VerifyOptions) => finish(verifyFile(file, options, console, parts)));
}
