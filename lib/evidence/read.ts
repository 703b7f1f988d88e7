// Reads an evidence file back, and says whether it is whole: every line, and the seal over all of them.
import { constants, gunzipSync } from 'node:zlib';
import { at } from '../client/reply.ts';
import { UsageError } from '../configuration/settings.ts';
import { sha256 as digestOf } from '../runtime/digest.ts';
import { violations } from '../schema/schema.ts';
import { type Entry, type Found, format, type Header } from './format.ts';

export interface Evidence {
  readonly header: Header;
  readonly entries: readonly Entry[];
  /** Absent where the file was cut, or holds lines of another shape. */
  readonly found?: Found;
  /** SHA-256 of the file as it lies on the disk. */
  readonly sha256: string;
  /** Why it is not as it was written; empty where it is whole. */
  readonly damage: readonly string[];
}

/** More than a run of hours comes to; what unpacks to more was made to fill the memory of whoever reads it. */
const bytesMax = 1024 * 1024 * 1024;

const notOurs = (where: string): UsageError =>
  new UsageError(
    `${where} is not an evidence file of Covenant; give an evidence.jsonl.gz that covenant run --evidence has written.`,
  );

/** It was an evidence file, and nothing of it can be read any more. */
export class Damaged extends UsageError {}

/** The text, and whether the file held all of it. */
function unpacked(bytes: Uint8Array, where: string): { readonly text: string; readonly whole: boolean } {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw notOurs(where);
  const unpack = (options: { readonly finishFlush?: number }): string =>
    gunzipSync(bytes, { maxOutputLength: bytesMax, ...options }).toString('utf8');
  try {
    return { text: unpack({}), whole: true };
  } catch {
    // Of a file that was cut as much as is there is read, to say what it was.
  }
  try {
    return { text: unpack({ finishFlush: constants.Z_SYNC_FLUSH }), whole: false };
  } catch {
    throw new Damaged(`${where} was altered: it cannot be unpacked any more; take the file as covenant run wrote it.`);
  }
}

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

/** What is wrong with the shape of a line, for whoever must find it. */
function misshapen(value: unknown, number: number): string[] {
  const [first] = violations('evidence', value);
  return first === undefined ? [] : [`line ${number}${first.pointer} should be ${first.expected}`];
}

/**
 * The lines of a file, whatever state it is in.
 * @throws UsageError where it is something else than evidence.
 */
export function readEvidence(bytes: Uint8Array, where: string): Evidence {
  const { text, whole: unbroken } = unpacked(bytes, where);
  const lines = text.split('\n');
  const header = headerOf(lines[0], where);
  const sha256 = digestOf(bytes);
  // A later format may have other lines: its version is said before anything else of it is judged.
  if (header.format !== format) return { header, entries: [], sha256, damage: [] };
  const values = lines.map(parsed);
  const whole = unbroken && lines.at(-1) === '' && typeof at(values.at(-2), 'sha256') === 'string';
  if (!whole) return { header, entries: [], sha256, damage: ['the file was cut: its last line, the seal, is missing'] };
  const body = lines.slice(0, -2);
  const sealed = digestOf(`${body.join('\n')}\n`);
  const altered = sealed === at(values.at(-2), 'sha256') ? [] : ['the lines are not those that were sealed'];
  const wrong = values.slice(0, -2).flatMap((value, index) => misshapen(value, index + 1));
  // What is no line of evidence cannot be played again.
  if (wrong.length > 0) return { header, entries: [], sha256, damage: [...altered, ...wrong.slice(0, 5)] };
  return { header, entries: values.slice(1, -3) as Entry[], found: values.at(-3) as Found, sha256, damage: altered };
}
