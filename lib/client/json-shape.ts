// What a text of JSON would become, found without making it: how deep it is nested, how many values it has, and how wide its characters are.

export interface JsonShape {
  readonly levels: number;
  /** Members and items, and what holds them. */
  readonly values: number;
}

/** Bytes that each character takes in memory: one where all are Latin. */
export const bytesEach = (text: string): 1 | 2 => (/[^\0-\xff]/.test(text) ? 2 : 1);

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Where the text literal that begins here ends. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Of a text that is no JSON it says nothing useful, and does no harm. */
export function shapeOf(text: string): JsonShape {
  let level = 0;
  let levels = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values += 1;
    else if (openers.has(code)) {
      values += 1;
      level += 1;
      levels = Math.max(levels, level);
    } else if (closers.has(code)) level -= 1;
  }
  return { levels, values };
}

/** Where the object ends with which a text begins; undefined where it begins with none, or none ends. */
export function endOfObject(text: string): number | undefined {
  if (!text.startsWith('{')) return undefined;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (openers.has(code)) level += 1;
    else if (closers.has(code)) level -= 1;
    if (level === 0) return at + 1;
  }
  return undefined;
}
