// Texts that software tends to change although no sentence allows it: each is whole, lawful and its own normal form.
import type { Random } from '../../lib/index.ts';

const plain = [
  ...['0', '007', '1e3', '-1', '+15', '12/31', '1,234.50', 'null', 'true', 'undefined', 'NaN', 'constructor'],
  ...['=1+1', '@SUM(A1)', '$&', '$1', '%41', '%s', '100%', '\\u0041', '\\n', 'C:\\Temp', "''", '"quoted"', "it's"],
  ...['<b>bold</b>', '&amp;', '{{7*7}}', `\${name}`, '../..', 'a+b', '#1', 'a;b', "Robert'); --", 'two  spaces'],
  ...['McDONALD de la CRUZ', 'ALL CAPITALS', 'https://www.example.com/?a=1&b=%2F', 'x'.repeat(64), 'y'.repeat(128)],
];

const foreign = [
  // Combining marks without a precomposed form, marks of direction, joiners, and letters that change when folded.
  ...[
    'q\u0303 m\u0302',
    '\u200fשלום (1)\u200e',
    '\u{1f469}\u{200d}\u{1f4bc} 👍🏽',
    'Straße',
    'İstanbul ıçin',
    'ﬁnance ½ ①',
  ],
  ...['𝔘𝔫𝔦', 'Ǆ ǅ ǆ', '日本語 ﾃｽﾄ', 'مرحبا ١٢٣', 'हिन्दी', '“quoted” – ‘it’s’', 'é'.repeat(32), '資'.repeat(43)],
];

/** So many different texts in ASCII. */
export const hostileTexts = (random: Random, count: number): readonly string[] =>
  random.shuffled(plain).slice(0, count);

/** So many different texts in other scripts. */
export const foreignTexts = (random: Random, count: number): readonly string[] =>
  random.shuffled(foreign).slice(0, count);
