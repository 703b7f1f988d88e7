// Expected beside received: which parts of the two differ, line by line of their JSON.

export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

export interface Difference {
  readonly expected: readonly Part[];
  readonly received: readonly Part[];
}

/** Without the comma at its end, which says only whether a line is the last. */
const bare = ({ text }: Line): string => text.replace(/,$/, '').trim();

function lines(one: readonly Line[], two: readonly Line[]): Difference {
  const parts = (lines: readonly Line[], others: readonly Line[]): readonly Part[] => {
    const known = new Set(others.map((line) => `${line.pointer} ${bare(line)}`));
    return lines.map((line) => ({ text: `${line.text}\n`, differs: !known.has(`${line.pointer} ${bare(line)}`) }));
  };
  return { expected: parts(one, two), received: parts(two, one) };
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

/** Sentences, such as `/data/id: an integer`, and other texts as they are; everything else as JSON. */
function laidOut(value: unknown): readonly Line[] {
  if (areTexts(value)) return value.map((text) => ({ pointer: '', text }));
  if (typeof value !== 'object' || value === null) return [{ pointer: '', text: String(value) }];
  return jsonLines(JSON.stringify(value)) ?? [];
}

/** What the other one has not at the same place is marked. */
export const difference = (expected: unknown, received: unknown): Difference =>
  lines(laidOut(expected), laidOut(received));

export interface Line {
  /** JSON pointer of the value on this line. */
  readonly pointer: string;
  readonly text: string;
}

const tokens = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const step = '  ';

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

interface Container {
  readonly pointer: string;
  readonly list: boolean;
  count: number;
  name: string;
}

function linesOf(found: readonly string[]): readonly Line[] {
  const lines: Line[] = [];
  const open: Container[] = [];
  let [text, pointer] = ['', ''];
  const flush = (): void => {
    if (text.trim() !== '') lines.push({ pointer, text });
    text = step.repeat(open.length);
  };
  const leave = (token: string): void => {
    const last = open.pop();
    if (!/[{[]$/.test(text)) flush();
    text += token;
    pointer = last?.pointer ?? '';
  };
  const value = (token: string, next: string | undefined): void => {
    const inside = open.at(-1);
    if (next === ':' && inside) inside.name = String(JSON.parse(token));
    pointer = inside ? `${inside.pointer}/${inside.list ? inside.count : escaped(inside.name)}` : '';
    text += token;
    if (token !== '{' && token !== '[') return;
    open.push({ pointer, list: token === '[', count: 0, name: '' });
    if (next !== '}' && next !== ']') flush();
  };
  for (const [index, token] of found.entries()) {
    const inside = open.at(-1);
    if (token === '}' || token === ']') leave(token);
    else if (token === ':') text += ': ';
    else if (token !== ',') value(token, found[index + 1]);
    else {
      text += ',';
      flush();
      if (inside) inside.count += 1;
    }
  }
  flush();
  return lines;
}

/** The lines of a JSON text; undefined where it is none. */
export function jsonLines(text: string): readonly Line[] | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return linesOf(text.match(tokens) ?? []);
}
