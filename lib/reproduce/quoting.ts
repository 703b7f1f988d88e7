// What a failure expected and received, as text: values as JSON, sentences of the suite as they are.
import type { Failure, Report, ReportedExchange } from '../result.ts';

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
 * A text is a value where it is empty, was sent or received in one of the failure's exchanges, or stands in quotes in its
 * message; any other is a sentence, such as `absent` or `an integer`.
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
