// Text as words of `sh`: literals quoted where they need it, expressions always inside double quotes.
import type { Failure, Report, ReportedExchange } from '../result.ts';

/** A literal, or an expression that the shell evaluates, as it is written inside double quotes. */
export type Part = string | { readonly shell: string };

const plain = /^[\w@%+=:,./-]+$/;
const literal = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const needsNoEscape = (part: Part): boolean => typeof part !== 'string' || !/["$`\\!]/.test(part);

function joined(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === 'string' && typeof last === 'string') result[result.length - 1] = last + part;
    else if (part !== '') result.push(part);
  }
  return result;
}

/** Braces separate the name of a variable from the following text. */
const apart = (part: Part, next: Part | undefined): Part =>
  typeof part !== 'string' && typeof next === 'string' && /^\w/.test(next)
    ? { shell: part.shell.replace(/^\$(\w+)$/, (_, name) => `\${${name}}`) }
    : part;

/** One word of a command line. */
export function word(parts: readonly Part[]): string {
  const given = joined(parts).map((part, at, all) => apart(part, all[at + 1]));
  const evaluated = given.some((part) => typeof part !== 'string');
  if (evaluated && given.every(needsNoEscape))
    return `"${given.map((part) => (typeof part === 'string' ? part : part.shell)).join('')}"`;
  return given.map((part) => (typeof part === 'string' ? literal(part) : `"${part.shell}"`)).join('') || "''";
}

/** The parts with every occurrence of a text replaced. */
export const replaced = (parts: readonly Part[], text: string, by: readonly Part[]): readonly Part[] =>
  parts.flatMap((part) =>
    typeof part === 'string'
      ? part.split(text).flatMap((piece, index) => (index === 0 ? [piece] : [...by, piece]))
      : [part],
  );

/** A comment cannot end before its line does. */
export const comment = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    .map((line) => `# ${line}`.trimEnd())
    .join('\n');

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function bodyTexts(body = ''): readonly string[] {
  try {
    return textsIn(JSON.parse(body));
  } catch {
    return [];
  }
}

const textsOf = ({ request, response }: ReportedExchange): readonly string[] => [
  ...bodyTexts(request.body),
  ...bodyTexts(response.body),
  ...Object.values(response.headers),
];

export type Quote = (value: unknown, indent?: number) => string;

/**
 * A text is a value if it is empty, was sent or received in an exchange of the failure, or is quoted in its message;
 * any other is a sentence, such as `absent` or `an integer`.
 */
export function quoting({ message, exchanges: ids }: Failure, { exchanges }: Pick<Report, 'exchanges'>): Quote {
  let texts: ReadonlySet<string> | undefined;
  const isValue = (text: string): boolean => {
    texts ??= new Set(exchanges.filter(({ id }) => ids.includes(id)).flatMap(textsOf));
    return text === '' || texts.has(text) || message.includes(JSON.stringify(text));
  };
  return (value, indent) =>
    typeof value === 'string' && !isValue(value) ? value : (JSON.stringify(value, null, indent) ?? String(value));
}
