// Texts of every class that clients send and software tends to change: each is valid and in its normal form.
import type { Random } from './random.ts';

/** Unusual only as a whole; none is what software writes for a missing text. */
export const wholeTexts = [
  ...(['NORTH SHORE LENDING', 'harbor view', '12345', '0044 Street', '007'] as const),
  ...(['12.50', 'true', '=1+1', '@home'] as const),
] as const;

export const usualTexts = [
  ...wholeTexts,
  'null',
  ...[
    'Zürich Société',
    'Ελλάδα',
    '東京都',
    'Москва',
    'Rocket 🚀',
    'q\u0303 m\u0302',
    'abc\u200fdef',
    "O'Neill",
    'O’Neill',
  ],
  ...['the "big" one', 'Smith & Sons', '<b>bold</b>', 'C:\\deals', '75% LTV', '%41bc', 'a+b', '$5m', '$& twice'],
  ...['{name}', '{{deal}}', "one; two'; --", 'Doe, Jane', 'two  blanks', '10\u00a0000', 'x', 'Ö', '5'],
  ...[
    'see https://www.example.com/a?b=c&d=e',
    'https://www.example.com/team#jane',
    'https://intranet.example.com:8443/x',
  ],
  ...['Bridge loans and construction finance, from the first site visit to the last draw of all, and back once more'],
] as const;

/** Between two of them in one text. */
export const separator = ' / ';

/** Joins `count` of them, or as many as fit into the length; at least one. */
export function usualText(
  random: Random,
  count: number = usualTexts.length,
  charactersMax = Number.POSITIVE_INFINITY,
): string {
  const [first = '', ...others] = random.shuffled(usualTexts).slice(0, count);
  return others.reduce((text, other) => {
    const longer = `${text}${separator}${other}`;
    return longer.length > charactersMax ? text : longer;
  }, first);
}
