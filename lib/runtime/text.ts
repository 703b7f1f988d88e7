// Makes text from the target safe to show: printable, and not too long; and digests of texts.
import { hash } from 'node:crypto';

// C0 (but tab and line breaks), C1, lone surrogates, noncharacters, and the marks that reverse the direction of text.
// Each is illegal in XML, an error in HTML, or able to make a report read differently from how it is written.
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not pass
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Surrogate}\p{Noncharacter_Code_Point}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;

/** The text with every unprintable character spelled out, as `\u{0000}`. */
export const visible = (text: string): string => text.replace(unprintable, escaped);

/**
 * The text without what the log of a CI service would obey: `::error`, `##[group]`, `##vso[` and `##teamcity[`, of which
 * some count anywhere in a line, and some behind any white space at its beginning. A blank makes them harmless.
 */
export const inertInLogs = (text: string): string =>
  text.replace(/##(?=[a-z]*\[)/gi, '# #').replace(/(^|\s)::(?=[a-z-]+[ :])/gi, '$1: :');

/** The first `most` characters and the full length; a surrogate pair is never split. */
export function cut(text: string, most: number): { readonly text: string; readonly all?: number } {
  if (text.length <= most) return { text };
  const last = text.charCodeAt(most - 1);
  const torn = last >= 0xd800 && last <= 0xdbff;
  return { text: text.slice(0, torn ? most - 1 : most), all: text.length };
}

/** Like `cut`, with the full length in the text itself. */
export function short(text: string, most: number): string {
  const { text: head, all } = cut(text, most);
  return all === undefined ? head : `${head} … (${head.length} of ${all} characters)`;
}

/** A value as one word; `String` throws for an object with a `toString` of its own. */
export function wordOf(value: unknown): string {
  if (value === undefined) return 'absent';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** On one line: white space becomes one blank. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Milliseconds as people say them: `840 ms`, `12.3 s`, `4 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `1 request`, `2 requests`; the plural is given where it is not the singular with an s. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** UTC to the second, in a form that people and machines read: `2026-03-01 09:30:00 UTC`. */
export const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');
