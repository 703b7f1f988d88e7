// Reading the text of a note.
import { readObject } from './bodies.ts';
import { lengthOf, refuseUnknownMembers } from './checks.ts';
import { refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

const BLANKS = {
  unicode: /^\s*$/,
  ascii: /^[ \t\r\n\f\v]*$/,
  'invisible-too': /^[\s\u200b\u2060\u180e\u00ad]*$/,
};

export function readNewText(visit: Visit): string {
  const { noteCreateEmpty, noteCreateMissing } = visit.choices;
  return readText(visit, noteCreateMissing, noteCreateEmpty);
}

export function readReplacement(visit: Visit): string {
  return readText(visit, visit.choices.noteEditMissing, '400');
}

function readText(visit: Visit, missing: '400' | '422', empty: '400' | '422'): string {
  const { choices } = visit;
  const body = readObject(visit);
  const { text } = body;
  if (text === undefined || text === null) return refuse(missing, 'missing_field', 'text is required.', 'text');
  if (typeof text !== 'string') return refuse(choices.noteWrongType, 'invalid_field', 'text must be a string.', 'text');
  if (text === '') refuse(empty, 'empty_text', 'text must not be empty.', 'text');
  if (BLANKS[choices.noteBlank].test(text)) refuse(422, 'blank_text', 'text must not be blank.', 'text');
  checkExtent(visit, text);
  refuseUnknownMembers(visit, body, { text: 'text' });
  return choices.noteTrim === 'trimmed' ? text.trim() || text : text;
}

function checkExtent(visit: Visit, text: string): void {
  const { choices } = visit;
  if (choices.noteMaximum !== 'none' && lengthOf(text, choices.lengthUnit) > Number(choices.noteMaximum)) {
    refuse(choices.noteTooLong, 'invalid_field', `text must not exceed ${choices.noteMaximum} characters.`, 'text');
  }
  if (choices.noteNul !== 'kept' && text.includes('\0')) {
    refuse(choices.noteNul, 'invalid_field', 'text must not hold the character U+0000.', 'text');
  }
}
