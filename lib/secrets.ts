// The secrets of a run, and the one place where they are taken out of a text.

/** Shorter values would blank out ordinary words. */
const lengthMin = 6;

const spellings = (value: string): string[] => {
  const base64 = Buffer.from(value).toString('base64');
  return [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    base64.replace(/=+$/, ''),
    base64url(base64),
  ];
};
const base64url = (base64: string): string => base64.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');

export class Secrets {
  private readonly spelled = new Map<string, string>();
  private longestFirst: [string, string][] = [];

  /** From now on the value is written as `<NAME>` wherever it turns up, also percent-encoded or in base64. */
  add(name: string, value: string): void {
    if (value.length < lengthMin || this.spelled.has(value)) return;
    for (const spelling of spellings(value)) this.spelled.set(spelling, name);
    this.longestFirst = [...this.spelled].sort(([one], [other]) => other.length - one.length);
  }

  redact(text: string): string {
    let clean = text;
    for (const [secret, name] of this.longestFirst) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, `<${name}>`);
    }
    return clean;
  }
}
