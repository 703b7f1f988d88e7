// Expected beside received: which parts of the two differ, line by line of their JSON.

export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

export interface Difference {
  readonly expected: readonly Part[];
  readonly received: readonly Part[];
}

/** Equal text on either side of a difference that is kept, in characters. */
const kept = 120;

const same = (text: string): Part => ({ text, differs: false });
const other = (text: string): Part => ({ text, differs: true });

function commonStart(one: string, two: string): number {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at += 1;
  return at;
}

function commonEnd(one: string, two: string, start: number): number {
  const most = Math.min(one.length, two.length) - start;
  let at = 0;
  while (at < most && one.at(-1 - at) === two.at(-1 - at)) at += 1;
  return at;
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
/** How far a mark may grow to take in the whole of a word; longer runs of letters are no words. */
const longestWord = 24;

/** Steps back from inside a word, of which the difference is the rest, to its beginning. */
function toBoundary(size: number, at: (index: number) => string | undefined): number {
  let back = size;
  while (back > 0 && size - back < longestWord && isWord(at(back - 1))) back -= 1;
  return size - back < longestWord ? back : size;
}

const omitted = (text: string): string => `[${text.length - kept} equal characters]`;
const tail = (text: string): string => (text.length <= kept * 2 ? text : `${omitted(text)} … ${text.slice(-kept)}`);
const head = (text: string): string => (text.length <= kept * 2 ? text : `${text.slice(0, kept)} … ${omitted(text)}`);

function texts(one: string, two: string): Difference {
  if (one === two) return { expected: [same(one)], received: [same(two)] };
  const equalStart = commonStart(one, two);
  const equalEnd = commonEnd(one, two, equalStart);
  const startsInside = isWord(one[equalStart]) || isWord(two[equalStart]);
  const endsInside = isWord(one.at(-1 - equalEnd)) || isWord(two.at(-1 - equalEnd));
  const start = startsInside ? toBoundary(equalStart, (index) => one[index]) : equalStart;
  const end = endsInside ? toBoundary(equalEnd, (index) => one.at(-1 - index)) : equalEnd;
  // Two texts that share little are two texts; marking odd letters in them would only confuse.
  const pointer = /^\/\S*: /.exec(one.slice(0, start));
  if (pointer === null && (start + end) * 2 < Math.min(one.length, two.length))
    return { expected: [same(one)], received: [other(two)] };
  const parts = (text: string): readonly Part[] => [
    same(tail(text.slice(0, start))),
    other(text.slice(start, text.length - end)),
    same(head(text.slice(text.length - end))),
  ];
  return { expected: parts(one), received: parts(two) };
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

/** Sentences beside sentences, such as `/data/id: an integer` beside `/data/id: "17"`. */
function sentences(one: readonly string[], two: readonly string[]): Difference {
  const line = (text: string): readonly Part[] => [other(text), same('\n')];
  const pairs = Array.from({ length: Math.max(one.length, two.length) }, (_, at) => {
    const [left, right] = [one[at], two[at]];
    if (left === undefined || right === undefined) {
      return { expected: line(left ?? ''), received: line(right ?? '') };
    }
    const { expected, received } = texts(left, right);
    return { expected: [...expected, same('\n')], received: [...received, same('\n')] };
  });
  return { expected: pairs.flatMap((pair) => pair.expected), received: pairs.flatMap((pair) => pair.received) };
}

const isStructure = (value: unknown): boolean => typeof value === 'object' && value !== null;
const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
const plain = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
const laidOut = (value: unknown): readonly Line[] => jsonLines(JSON.stringify(value) ?? '') ?? [];
const whole = (value: unknown, part: (text: string) => Part): readonly Part[] =>
  isStructure(value) ? laidOut(value).map(({ text }) => part(`${text}\n`)) : [part(plain(value))];

const statuses = /^\d{3}(( or |, )\d{3})*$/;

/** Structures are compared member by member, texts by what they share, a status with the status that came. */
export function difference(expected: unknown, received: unknown): Difference {
  if (areTexts(expected) && areTexts(received)) return sentences(expected, received);
  if (isStructure(expected) && isStructure(received)) return lines(laidOut(expected), laidOut(received));
  if (typeof expected === 'string' && typeof received === 'string' && !statuses.test(expected))
    return texts(expected, received);
  const status = statuses.test(plain(expected)) ? /^(?:status )?\d{3}\b/.exec(plain(received))?.[0] : undefined;
  if (status !== undefined) {
    return { expected: [same(plain(expected))], received: [other(status), same(plain(received).slice(status.length))] };
  }
  return { expected: whole(expected, same), received: whole(received, other) };
}

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
