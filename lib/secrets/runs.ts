// Runs of characters of one kind, found without a look at most of the text.

/** A text with a byte for each character: each look at a string takes several times as long. */
export type Codes = Uint8Array;

/** Of a wide character the lower half, which may be that of another one: who looks for something finds too much at most. */
export const codesOf = (text: string): Codes => Buffer.from(text, 'latin1');

/** Most texts fit in. */
const passing = Buffer.allocUnsafeSlow(65_536);

/** The same for a single look at a text: the next one gets the same bytes. */
export const passingCodesOf = (text: string): Codes =>
  text.length > passing.length ? codesOf(text) : passing.subarray(0, passing.write(text, 0, 'latin1'));

/** Which characters belong to a run: 1 at the code of each. */
export type Table = Uint8Array;

/** The characters of base64, in the order of what they stand for, and the two that stand in their place in addresses. */
export const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_';

export function tableOf(members: string): Table {
  const table = new Uint8Array(256);
  for (let at = 0; at < members.length; at += 1) table[members.charCodeAt(at)] = 1;
  return table;
}

/** Where a run lies; the end is not included. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** The next run of at least so many characters from `from` on and before `to`; of one that begins or ends elsewhere, what lies there. */
export function nextRun(table: Table, codes: Codes, least: number, from: number, to = codes.length): Run | undefined {
  for (let start = from; start + least <= to; ) {
    // From behind: what ends a run there spares a look at all before it.
    let at = start + least - 1;
    while (at >= start && table[codes[at] ?? 0] === 1) at -= 1;
    if (at < start) return { start, end: endOf(table, codes, start + least, to) };
    start = at + 1;
  }
  return undefined;
}

function endOf(table: Table, codes: Codes, from: number, to: number): number {
  let end = from;
  while (end < to && table[codes[end] ?? 0] === 1) end += 1;
  return end;
}
