// Reads an evidence file, and checks that it is complete: every line, and the seal over all of them.
import { constants, gunzipSync } from 'node:zlib';
import { LargeIntegers } from '../client/large-integers.ts';
import type { Allowances } from '../client/limits.ts';
import { type RecordedHistory, readingOf } from '../client/recorder.ts';
import { at, type Reply, type Sent } from '../client/reply.ts';
import { UsageError } from '../configuration/settings.ts';
import type { Report } from '../result.ts';
import { sha256 as digestOf } from '../runtime/text.ts';
import { violations } from '../schema/schema.ts';

export interface Evidence {
  readonly header: Header;
  readonly exchanges: readonly Exchange[];
  /** Absent where the file was cut, or holds lines of another shape. */
  readonly found?: Found;
  /** SHA-256 of the file as it lies on the disk. */
  readonly sha256: string;
  /** Why it is not as it was written; empty where it is whole. */
  readonly damage: readonly string[];
}

/** More than hours of a run produce; a larger file was made to exhaust the reader's memory. */
const bytesMax = 256 * 1024 * 1024;
const linesMax = 2_000_000;
/** Of lines that are wrong so many are named. */
const wrongMax = 5;
const lineBreak = 0x0a;

const notOurs = (where: string): UsageError =>
  new UsageError(
    `${where} is not an evidence file of Covenant; give an evidence.jsonl.gz that covenant run --evidence has written.`,
  );

/** An evidence file of which nothing can be read any more. */
export class Damaged extends UsageError {}

interface Unpacked {
  readonly content: Buffer;
  /** Whether the file held all of it. */
  readonly whole: boolean;
}

const isTooLong = (error: unknown): boolean => at(error, 'code') === 'ERR_BUFFER_TOO_LARGE';

function unpacked(bytes: Uint8Array, where: string): Unpacked {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw notOurs(where);
  const unpack = (options: { readonly finishFlush?: number }): Buffer =>
    gunzipSync(bytes, { maxOutputLength: bytesMax, ...options });
  const tooLong = new Damaged(`${where} unpacks to more than any run comes to; it was not written by covenant run.`);
  try {
    return { content: unpack({}), whole: true };
  } catch (error) {
    if (isTooLong(error)) throw tooLong;
    // Of a file that was cut as much as is there is read, to say what it was.
  }
  try {
    return { content: unpack({ finishFlush: constants.Z_SYNC_FLUSH }), whole: false };
  } catch (error) {
    if (isTooLong(error)) throw tooLong;
    throw new Damaged(`${where} was altered: it cannot be unpacked any more; take the file as covenant run wrote it.`);
  }
}

/** @throws Damaged where there are more than any run writes. */
function linesIn({ content, whole }: Unpacked, where: string): string[] {
  let count = 0;
  for (let at = content.indexOf(lineBreak); at >= 0; at = content.indexOf(lineBreak, at + 1)) count += 1;
  if (count > linesMax) throw new Damaged(`${where} has more lines than any run; it was not written by covenant run.`);
  try {
    return new TextDecoder('utf-8', { fatal: whole, ignoreBOM: true }).decode(content).split('\n');
  } catch {
    throw new Damaged(`${where} was altered: it holds bytes that are no text; take the file as covenant run wrote it.`);
  }
}

/** The length stands at the end of what gzip has packed, if nothing stands behind it. */
const isOnePiece = (bytes: Uint8Array, { content }: Unpacked): boolean =>
  Buffer.from(bytes).readUInt32LE(bytes.length - 4) === content.length;

function parsed(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}

/** @throws UsageError where the first line is not the header of such a file. */
function headerOf(line: string | undefined, where: string): Header {
  const header = parsed(line);
  const found = at(header, 'format');
  if (typeof found !== 'string' || !found.startsWith('covenant-evidence/')) {
    throw notOurs(where);
  }
  return header as Header;
}

/** Otherwise a line could say one thing to us and another to somebody else: where a member stands twice, say. */
function isAsWritten(value: unknown, line: string | undefined): boolean {
  try {
    return JSON.stringify(value) === line;
  } catch {
    // Deeper than anything that is ever written.
    return false;
  }
}

/** What is wrong with a line, for whoever must find it. */
function misshapen(value: unknown, line: string | undefined, number: number): string[] {
  const [first] = violations('evidence', value);
  if (first !== undefined) return [`line ${number}${first.pointer} should be ${first.expected}`];
  return isAsWritten(value, line) ? [] : [`line ${number} is not written as Covenant writes it`];
}

/**
 * The lines of a file, whatever state it is in.
 * @throws UsageError where it is something else than evidence.
 */
export function readEvidence(bytes: Uint8Array, where: string): Evidence {
  const content = unpacked(bytes, where);
  const lines = linesIn(content, where);
  const header = headerOf(lines[0], where);
  const sha256 = digestOf(bytes);
  // A later format may have other lines: its version is said before anything else of it is judged.
  if (header.format !== format) return { header, exchanges: [], sha256, damage: [] };
  const damaged = (damage: readonly string[]): Evidence => ({ header, exchanges: [], sha256, damage });
  const seal = lines.at(-2);
  const whole = content.whole && lines.at(-1) === '' && typeof at(parsed(seal), 'sha256') === 'string';
  if (!whole) return damaged(['the file was cut: its last line, the seal, is missing']);
  if (!isOnePiece(bytes, content))
    return damaged(['it is not packed as Covenant packs it: in one piece, and nothing behind that']);
  const body = lines.slice(0, -2);
  const sealed = JSON.stringify({ sha256: digestOf(`${body.join('\n')}\n`) });
  const altered = sealed === seal ? [] : ['the lines are not those that were sealed'];
  const values = body.map(parsed);
  const wrong = values.flatMap((value, index) => misshapen(value, body[index], index + 1));
  // What is no line of evidence cannot be judged.
  if (wrong.length > 0) return damaged([...altered, ...wrong.slice(0, wrongMax)]);
  const found = values.at(-1) as Found;
  if (at(found, 'report') === undefined) return damaged([...altered, 'the line with what was found is missing']);
  const exchanges = values.slice(1, -1) as Exchange[];
  const displaced = exchanges.findIndex(({ id, after }, index) => id !== index + 1 || after > index);
  if (displaced >= 0) return damaged([...altered, `line ${displaced + 2} is not exchange ${displaced + 1} of the run`]);
  return {
    header,
    exchanges,
    found,
    sha256,
    damage: altered,
  };
}

/** What the run exchanged, as the rules judge it. */
export function historyOf(exchanges: readonly Exchange[], { lost: given, allowances }: Found): RecordedHistory {
  const integers = new LargeIntegers();
  const replies = exchanges.map(({ judged: _, text, ...exchange }): Reply => {
    const request = integers.asked(exchange.request);
    const wire = integers.received({ status: exchange.status, headers: exchange.headers, body: text });
    return { ...exchange, request, headers: wire.headers, text: wire.body, json: readingOf(wire).json };
  });
  const judged = new Set(exchanges.flatMap((one) => (one.judged ? [one.id] : [])));
  const lost = given.map(({ request, ...one }) => ({ ...one, request: integers.asked(request) }));
  return {
    replies,
    lost: lost.map(({ request }) => request),
    unanswered: new Map(lost.flatMap(({ request, after }) => (after === undefined ? [] : [[request, after]]))),
    judged,
    ...(allowances && { allowances: { ...allowances, accounts: new Map(Object.entries(allowances.accounts)) } }),
  };
}

export const format = 'covenant-evidence/2';
/** The revision of the interface that is judged. */
export const interfaceRevision = '2026-03';

/** What judged: the package's version, and SHA-256 of the requirements and of the code that decides. */
export interface SuiteIdentity {
  readonly version: string;
  readonly catalogue: string;
  readonly code: string;
}

/** The first line. */
export interface Header {
  readonly format: typeof format;
  readonly suite: SuiteIdentity;
  readonly interface: typeof interfaceRevision;
}

/**
 * One exchange, in the order of the replies. Each secret is replaced by an invented one of the same shape, everywhere the
 * same; of a JWT header and claims are real. `judged`: the reply is the target's word on its request.
 */
export type Exchange = Omit<Reply, 'json'> & { readonly judged?: true };

interface Lost {
  readonly request: Sent;
  /** How many replies there were before it; absent where it got a reply of the target's own in the end. */
  readonly after?: number;
}

/** The last line but one. The last line is SHA-256 of every byte before it. */
export interface Found {
  readonly report: Report;
  /** SHA-256 of report.json as it was written. */
  readonly sha256OfReport: string;
  /** Requests of which it is not known how often they were carried out. */
  readonly lost: readonly Lost[];
  /** The limits as the probe read them; absent where it did not come to that. */
  readonly allowances?: Omit<Allowances, 'accounts'> & {
    readonly accounts: Readonly<Record<string, readonly string[]>>;
  };
}
