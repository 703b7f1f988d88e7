// Labels at and beyond their bounds: characters are counted, not bytes.

export const labelMax = 255;

/** A text of this many characters, all of them precomposed letters. */
export const padded = (start: string, letters: string, length: number): string =>
  [...start, ...letters.repeat(length)].slice(0, length).join('');
