// XML and SVG text: escapes everything that is put in, and nothing that is already markup.
import { visible } from '../runtime/text.ts';

class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Content = Markup | string | number | readonly Markup[];

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser would turn these into blanks inside an attribute.
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

const escapeText = (text: string): string =>
  visible(text).replace(/[&<>"'\n\r\t]/g, (character) => names[character] ?? '');

function rendered(content: Content): string {
  if (typeof content === 'string') return escapeText(content);
  if (typeof content === 'number') return String(content);
  return content instanceof Markup ? content.text : content.map((one) => one.text).join('');
}

/** A template whose values are escaped unless they come from another such template. */
export function xml(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(
    strings.map((string, at) => (at === 0 ? string : rendered(values[at - 1] ?? '') + string)).join(''),
  );
}

export const document = (root: Markup): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`;
