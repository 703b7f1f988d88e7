// JSON text laid out in lines without reading its values: big numbers, escapes and repeated members stay as they were sent.

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

function laidOut(found: readonly string[]): readonly Line[] {
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
  return laidOut(text.match(tokens) ?? []);
}
