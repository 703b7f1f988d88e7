// Characters escaped as JSON, JavaScript, URLs or HTML do it: a text as it reads without them, and the way back.

/** One character, escaped, also several times over. */
const escaped =
  /\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})|%(?:25)*([0-9a-f]{2})|&(?:amp;)*#x([0-9a-f]{2,4});|&(?:amp;)*#(\d{2,5});|&(?:amp;)*(amp|lt|gt|quot|apos);|\\+(["\\/bfnrt])/gi;
/** What any of them holds: most texts do not. */
const likeEscape = /[\\%]|&[#a-z]/i;
const letters: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** The number of the character in an escape, and its base. */
function numberIn([, json, javaScript, percent, hex, decimal]: RegExpMatchArray):
  | readonly [string, number]
  | undefined {
  const sixteenth = json ?? javaScript ?? percent ?? hex;
  if (sixteenth !== undefined) return [sixteenth, 16];
  return decimal === undefined ? undefined : [decimal, 10];
}

function character(match: RegExpMatchArray): string {
  const number = numberIn(match);
  if (number !== undefined) return String.fromCharCode(Number.parseInt(...number));
  const name = match[6]?.toLowerCase() ?? match[7] ?? '';
  return letters[name] ?? name;
}

/** The escape of a character, with the number of another one in it. */
function renumbered(spelled: string, other: string): string {
  const [found] = spelled.matchAll(escaped);
  const number = found && numberIn(found);
  if (number === undefined) return other;
  const [old, base] = number;
  const code = other
    .charCodeAt(0)
    .toString(base)
    .padStart(base === 16 ? old.length : 0, '0');
  const at = spelled.lastIndexOf(old);
  return spelled.slice(0, at) + (/[A-F]/.test(old) ? code.toUpperCase() : code) + spelled.slice(at + old.length);
}

/** A text with every escaped character written plainly. */
export class Plain {
  readonly text: string;
  private readonly written: string;
  /** Where each character begins in the text as it is written; absent where nothing is escaped. */
  private readonly origins: Uint32Array | undefined;

  constructor(written: string) {
    this.written = written;
    this.text = written;
    if (!likeEscape.test(written)) return;
    const origins = new Uint32Array(written.length + 1);
    let text = '';
    let kept = 0;
    const keep = (to: number) => {
      for (let at = kept; at < to; at += 1) origins[text.length + at - kept] = at;
      text += written.slice(kept, to);
    };
    for (const match of written.matchAll(escaped)) {
      keep(match.index);
      origins[text.length] = match.index;
      text += character(match);
      kept = match.index + match[0].length;
    }
    keep(written.length);
    origins[text.length] = written.length;
    this.origins = origins;
    this.text = text;
  }

  /** Where a character begins in the text as it is written. */
  origin(at: number): number {
    return this.origins?.[at] ?? at;
  }

  /** What is written from `start` on once it reads otherwise, each character escaped as the one in its place. */
  rewritten(start: number, other: string): string {
    const each = other.split('').map((one, index) => {
      const at = start + index;
      const old = this.written.slice(this.origin(at), this.origin(at + 1));
      if (one === this.text[at]) return old;
      return old.length === 1 ? one : renumbered(old, one);
    });
    return each.join('');
  }
}
