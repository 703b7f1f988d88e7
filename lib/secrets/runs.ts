// Runs of characters of one kind, found without a look at most of the text.

/** UTF-16 has so many code units. */
const characters = 2 ** 16;

/** Which characters belong to a run: 1 at the code of each. */
export type Table = Uint8Array;

/** The characters of base64, in the order of what they stand for, and the two that stand in their place in addresses. */
export const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_';

export function tableOf(members: string): Table {
  const table = new Uint8Array(characters);
  for (let at = 0; at < members.length; at += 1) table[members.charCodeAt(at)] = 1;
  return table;
}

/** Where a run lies; the end is not included. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** The next run of at least so many characters from `from` on and before `to`; of one that begins or ends elsewhere, what lies there. */
export function nextRun(table: Table, text: string, least: number, from: number, to = text.length): Run | undefined {
  for (let start = from; start + least <= to; ) {
    // From behind: what ends a run there spares a look at all before it.
    let at = start + least - 1;
    while (at >= start && table[text.charCodeAt(at)] === 1) at -= 1;
    if (at < start) return { start, end: endOf(table, text, start + least, to) };
    start = at + 1;
  }
  return undefined;
}

function endOf(table: Table, text: string, from: number, to: number): number {
  let end = from;
  while (end < to && table[text.charCodeAt(end)] === 1) end += 1;
  return end;
}
