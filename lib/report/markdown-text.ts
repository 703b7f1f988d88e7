// Text that may come from a target, inside Markdown: nothing of it is markup, a link, or calls anybody.
import { oneLine, visible } from '../runtime/text.ts';

/** What CI services look for in the finished page, where an entity is a plain character again; what nobody sees parts it. */
const called = /(?<=&#64;|&#35;|\bGH-)(?=\w)/g;

/** On one line. */
export const text = (value: string): string =>
  visible(oneLine(value))
    .replace(/[\\`*_[\]<>&|~@#]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(called, '&#8203;')
    .replaceAll('://', '&#58;//')
    .replaceAll('www.', 'www&#46;');
