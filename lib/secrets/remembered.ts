// Short texts as they were written for others: header values and the like come again and again.

const textsMax = 2000;
const lengthMax = 400;

export class Remembered {
  private readonly texts = new Map<string, string>();

  /** What was written for this text, or is written now. */
  of(text: string, write: () => string): string {
    if (text.length > lengthMax) return write();
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    const written = write();
    if (this.texts.size >= textsMax) this.texts.clear();
    this.texts.set(text, written);
    return written;
  }

  clear(): void {
    this.texts.clear();
  }
}
