// Characters escaped as JSON, JavaScript, URLs or HTML do it: a text as it reads without them, and the way back.

/** One character, escaped, also several times over. */
const escaped =
  /\\+u([0-9a-f]{4}|\{[0-9a-f]{1,6}\})|\\+x([0-9a-f]{2})|%(?:25)*([0-9a-f]{2})|&(?:amp;)*#x([0-9a-f]{2,6});|&(?:amp;)*#(\d{2,7});|&(?:amp;)*(amp|lt|gt|quot|apos|sol|plus|equals|lowbar|hyphen|dash|period);|\\+(\/)/gi;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  period: '.',
};
const codePointMax = 0x10ffff;
const layersMax = 3;

function character([, ...groups]: RegExpMatchArray): string {
  const [json, javaScript, percent, hex, decimal, name, slash] = groups;
  if (name !== undefined) return entities[name.toLowerCase()] ?? '';
  if (slash !== undefined) return slash;
  const code =
    decimal === undefined
      ? Number.parseInt(json?.replace(/^\{/, '') ?? javaScript ?? percent ?? hex ?? '', 16)
      : Number(decimal);
  return code <= codePointMax ? String.fromCodePoint(code) : '';
}

/** The escape of a character, with the number of another one in it. */
function renumbered(spelled: string, character: string): string {
  const [found] = spelled.matchAll(escaped);
  const [json, javaScript, percent, hex, decimal] = found?.slice(1) ?? [];
  const old = decimal ?? (json?.replace(/[{}]/g, '') || javaScript || percent || hex);
  if (old === undefined) return character;
  const at = spelled.lastIndexOf(old);
  const code = character.charCodeAt(0).toString(decimal === undefined ? 16 : 10);
  const cased = /[A-F]/.test(old) ? code.toUpperCase() : code;
  return spelled.slice(0, at) + cased.padStart(old.length, '0') + spelled.slice(at + old.length);
}

/** A text without the escapes of another one, its outer text. */
export class View {
  readonly text: string;
  private readonly outer: View | undefined;
  /** From each of these places on, how much further on the same lies in the outer text. */
  private readonly shifts: readonly { readonly from: number; readonly by: number }[];

  constructor(text: string, outer?: View, shifts: View['shifts'] = []) {
    this.text = text;
    this.outer = outer;
    this.shifts = shifts;
  }

  /** Where a place lies in the outermost text. */
  origin(at: number): number {
    return this.outer === undefined ? at : this.outer.origin(this.within(at));
  }

  /** What stands in the outermost text in place of the part from `start` on, once that part reads otherwise. */
  rewritten(start: number, end: number, text: string): string {
    const { outer } = this;
    if (outer === undefined) return text;
    const [from, to] = [this.within(start), this.within(end)];
    let written = '';
    for (const [index, now] of [...text].entries()) {
      // What was packed may be longer now: each further character is escaped as the last one was.
      const at = start + Math.min(index, end - start - 1);
      const old = outer.text.slice(this.within(at), this.within(at + 1));
      written += now === this.text.charAt(at) ? old : old.length === 1 ? now : renumbered(old, now);
    }
    return outer.rewritten(from, to, written);
  }

  private within(at: number): number {
    return at + (this.shifts.findLast(({ from }) => from <= at)?.by ?? 0);
  }
}

/** What any escape is at least: most texts hold nothing like it, and that is seen faster than where each begins and ends. */
const likeEscape = /%[\da-f]{2}|\\[ux/]|&[#a-z][a-z\d]*;/i;

/** The text with every escaped character written plainly; undefined where none is. */
function decoded(outer: View): View | undefined {
  const { text } = outer;
  if (!likeEscape.test(text)) return undefined;
  const parts: string[] = [];
  const shifts: { readonly from: number; readonly by: number }[] = [];
  let kept = 0;
  let length = 0;
  for (const match of text.matchAll(escaped)) {
    const plain = character(match);
    parts.push(text.slice(kept, match.index), plain);
    length += match.index - kept + plain.length;
    kept = match.index + match[0].length;
    shifts.push({ from: length, by: kept - length });
  }
  if (kept === 0) return undefined;
  parts.push(text.slice(kept));
  return new View(parts.join(''), outer, shifts);
}

/** As it stands, and after each layer of escapes: what looks like an escape may be half of something else. */
export function viewsOf(text: string): readonly View[] {
  const views: View[] = [];
  for (
    let view: View | undefined = new View(text);
    view !== undefined && views.length <= layersMax;
    view = decoded(view)
  )
    views.push(view);
  return views;
}
