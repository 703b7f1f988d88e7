// Two JSON values side by side, member by member: what is on one side only has a gap beside it, and is marked on both.
import { jsonLines, type Line } from './json.ts';

export interface Row {
  readonly expected?: string;
  readonly received?: string;
  readonly differs: boolean;
}

/** Longer values are shown one after the other: nobody reads so many lines side by side. */
const linesMax = 200;

const bare = ({ text }: Line): string => text.replace(/,$/, '').trim();
/** Opening and closing lines of one value have the same pointer; they differ by what they hold. */
const keyOf = (line: Line): string => `${line.pointer}${/^[\]}]/.test(bare(line)) ? ' end' : ''}`;

/** The longest common order of two lists of keys, as the length from each pair of places on. */
function commonFrom(one: readonly string[], two: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Array<number>(two.length + 1).fill(0));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = two.length - 1; j >= 0; j -= 1) {
      const skipped = Math.max(lengths[i + 1]?.[j] ?? 0, lengths[i]?.[j + 1] ?? 0);
      const row = lengths[i];
      if (row) row[j] = one[i] === two[j] ? 1 + (lengths[i + 1]?.[j + 1] ?? 0) : skipped;
    }
  }
  return lengths;
}

function rowsOf(one: readonly Line[], two: readonly Line[]): readonly Row[] {
  const lengths = commonFrom(one.map(keyOf), two.map(keyOf));
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < two.length) {
    const [left, right] = [one[i], two[j]];
    if (left && right && keyOf(left) === keyOf(right)) {
      rows.push({ expected: left.text, received: right.text, differs: bare(left) !== bare(right) });
      i += 1;
      j += 1;
    } else if (right && (!left || (lengths[i]?.[j + 1] ?? 0) > (lengths[i + 1]?.[j] ?? 0))) {
      rows.push({ received: right.text, differs: true });
      j += 1;
    } else if (left) {
      rows.push({ expected: left.text, differs: true });
      i += 1;
    }
  }
  return rows;
}

const isStructure = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Undefined where the two are not both structures, or are too long. */
export function aligned(expected: unknown, received: unknown): readonly Row[] | undefined {
  if (!isStructure(expected) || !isStructure(received)) return undefined;
  const one = jsonLines(JSON.stringify(expected)) ?? [];
  const two = jsonLines(JSON.stringify(received)) ?? [];
  return one.length > linesMax || two.length > linesMax ? undefined : rowsOf(one, two);
}
