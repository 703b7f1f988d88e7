// HTML that escapes by default: hono's template, made to take nothing but finished text and to show nothing unprintable.
import { html as template } from 'hono/html';
import { visible } from '../../runtime/text.ts';

export type Markup = Awaited<ReturnType<typeof template>>;
export type Content = Markup | string | number | readonly Content[] | undefined;

function printable(content: Content): unknown {
  // Finished markup is an object, text from anywhere else a primitive.
  if (typeof content === 'string') return visible(content);
  return Array.isArray(content) ? content.map(printable) : content;
}

/** A template whose values are escaped unless they come from another such template. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const made = template(strings, ...values.map(printable));
  if (made instanceof Promise) throw new TypeError('a promise was put into a report');
  return made;
}
