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

class Layout {
  readonly lines: Line[] = [];
  private readonly open: Container[] = [];
  private text = '';
  private pointer = '';

  add(token: string, next: string | undefined): void {
    if (token === '{' || token === '[') this.enter(token, next);
    else if (token === '}' || token === ']') this.leave(token);
    else if (token === ':') this.text += ': ';
    else if (token === ',') this.separate();
    else this.value(token, next);
  }

  flush(): void {
    if (this.text.trim() !== '') this.lines.push({ pointer: this.pointer, text: this.text });
    this.text = step.repeat(this.open.length);
  }

  private value(token: string, next: string | undefined): void {
    const inside = this.open.at(-1);
    if (next === ':' && inside !== undefined) inside.name = String(JSON.parse(token));
    this.text += token;
    this.pointer = this.here();
  }

  private enter(token: string, next: string | undefined): void {
    this.pointer = this.here();
    this.text += token;
    this.open.push({ pointer: this.pointer, list: token === '[', count: 0, name: '' });
    if (next !== '}' && next !== ']') this.flush();
  }

  private leave(token: string): void {
    const last = this.open.pop();
    if (!this.text.endsWith('{') && !this.text.endsWith('[')) this.flush();
    this.text += token;
    this.pointer = last?.pointer ?? '';
  }

  private separate(): void {
    this.text += ',';
    this.flush();
    const inside = this.open.at(-1);
    if (inside !== undefined) inside.count += 1;
  }

  private here(): string {
    const inside = this.open.at(-1);
    return inside === undefined ? '' : `${inside.pointer}/${inside.list ? inside.count : escaped(inside.name)}`;
  }
}

/** The lines of a JSON text; undefined where it is none. */
export function jsonLines(text: string): readonly Line[] | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const found = text.match(tokens) ?? [];
  const layout = new Layout();
  found.forEach((token, index) => {
    layout.add(token, found[index + 1]);
  });
  layout.flush();
  return layout.lines;
}
