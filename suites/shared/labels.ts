// Labels at and beyond their bounds: characters are counted, not bytes.

export const labelMax = 255;

/** A text of this many characters, all of them precomposed letters. */
export const padded = (start: string, letters: string, length: number): string =>
  [...start, ...letters.repeat(length)].slice(0, length).join('');

/** Labels of one character more than there may be, each of another kind; all begin with the name. */
export const longLabels: readonly ((name: string) => string)[] = [
  ...['K', 'k', 'é', 'Lender '].map(
    (letters) => (name: string) => padded(name, letters, labelMax + 1).replace(/ $/, 'r'),
  ),
  (name) => padded(name.toLowerCase(), 'k', labelMax + 1),
];
