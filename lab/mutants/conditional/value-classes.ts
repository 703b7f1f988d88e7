// Classes of texts that real clients send, each with samples; a lawful client draws from them, and triggers look for them.

export interface ValueClass {
  readonly words: string;
  readonly fits: (text: string) => boolean;
  readonly samples: readonly [string, ...string[]];
}

const has =
  (pattern: RegExp): ValueClass['fits'] =>
  (text) =>
    pattern.test(text);

const long = 'Bridge loans and construction finance, from the first site visit to the last draw. ';

export const valueClasses: readonly ValueClass[] = [
  { words: 'is all capitals', fits: has(/^[A-Z][A-Z ]+$/), samples: ['ACME', 'NORTH SHORE LENDING'] },
  { words: 'is all lower case', fits: has(/^[a-z][a-z ]{3,}$/), samples: ['harbor view', 'lower case only'] },
  { words: 'is digits only', fits: has(/^\d+$/), samples: ['12345', '90210', '7'] },
  { words: 'begins with a zero', fits: has(/^0/), samples: ['02139', '0044 Street', '007'] },
  { words: 'looks like a number with a fraction', fits: has(/^-?\d+\.\d+$/), samples: ['12.50', '3.0', '1.10'] },
  { words: 'is a word of JSON', fits: has(/^(null|true|false|undefined|NaN)$/), samples: ['null', 'true', 'NaN'] },
  { words: 'holds letters outside ASCII', fits: has(/[À-ɏ]/), samples: ['Zürich', 'Århus Société', 'Łódź'] },
  { words: 'holds other scripts', fits: has(/[Ͱ-῿぀-鿿]/), samples: ['Ελλάδα', '東京都', 'Москва'] },
  { words: 'holds an emoji', fits: has(/[\u{1f300}-\u{1faff}]/u), samples: ['Rocket 🚀', '👩‍💼 Partner'] },
  { words: 'holds a combining mark', fits: has(/[\u0300-\u036f]/), samples: ['Cafe\u0301', 'n\u0303andu'] },
  { words: 'holds a mark of direction', fits: has(/[\u200e\u200f\u202a-\u202e]/), samples: ['abc\u200fdef'] },
  { words: 'holds an apostrophe', fits: has(/'/), samples: ["O'Neill", "St. John's"] },
  { words: 'holds a typographic quote', fits: has(/[‘’“”]/), samples: ['O’Neill', '“Prime”'] },
  { words: 'holds double quotes', fits: has(/"/), samples: ['the "big" one'] },
  {
    words: 'holds an ampersand or angle bracket',
    fits: has(/[&<>]/),
    samples: ['Smith & Sons', '<b>bold</b>', 'a > b'],
  },
  { words: 'holds a backslash', fits: has(/\\/), samples: ['C:\\deals', 'a\\nb'] },
  { words: 'holds a percent sign', fits: has(/%/), samples: ['75% LTV', '%41bc', '100%25'] },
  { words: 'holds a plus sign', fits: has(/\+/), samples: ['a+b', 'first+last@example.com'] },
  { words: 'holds a dollar sign', fits: has(/\$/), samples: ['$5m', '$& twice', 'US$'] },
  { words: 'holds braces', fits: has(/[{}]/), samples: ['{name}', '{{deal}}'] },
  { words: 'holds a semicolon', fits: has(/;/), samples: ['one; two', "x'; --"] },
  { words: 'holds a comma', fits: has(/,/), samples: ['Doe, Jane', '1,000'] },
  { words: 'begins as a formula', fits: has(/^[=@]/), samples: ['=1+1', '@home'] },
  { words: 'holds a line break', fits: has(/\n/), samples: ['first\nsecond', 'a\r\nb'] },
  { words: 'holds a tab', fits: has(/\t/), samples: ['one\ttwo'] },
  { words: 'holds two blanks in a row', fits: has(/\S {2,}\S/), samples: ['two  blanks'] },
  { words: 'holds a no-break space', fits: has(/\u00a0/), samples: ['10\u00a0000'] },
  {
    words: 'holds a URL with a query',
    fits: has(/https?:\/\/\S+\?\S+=/),
    samples: ['https://www.example.com/a?b=c&d=e'],
  },
  {
    words: 'holds a URL with a fragment',
    fits: has(/https?:\/\/\S+#/),
    samples: ['https://www.example.com/team#jane'],
  },
  {
    words: 'holds a URL with a port',
    fits: has(/https?:\/\/[^/]+:\d/),
    samples: ['https://intranet.example.com:8443/x'],
  },
  { words: 'is one character', fits: (text) => [...text].length === 1, samples: ['x', 'Ö', '5'] },
  { words: 'is longer than 100 characters', fits: (text) => text.length > 100, samples: [long + long] },
  {
    words: 'is 255 characters long',
    fits: (text) => [...text].length === 255,
    samples: ['n'.repeat(255), 'é'.repeat(255)],
  },
  {
    words: 'is longer than 1000 characters',
    fits: (text) => text.length > 1000,
    samples: [long.repeat(15).trim(), long.repeat(60).trim()],
  },
];
