// The code and the message of an error.
import type { Choices } from './choices.ts';
import type { Cause, Refusal } from './refusal.ts';

const FIXED: Partial<Record<Cause, string>> = { unauthorized: 'UNAUTHORIZED', rate_limited: 'RATE_LIMITED' };

const TERSE: Record<number, string> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Body too large',
  415: 'Unsupported media type',
  422: 'Validation failed',
};

export function codeOf(refusal: Refusal, choices: Choices): string {
  const fixed = FIXED[refusal.cause];
  if (fixed !== undefined) return fixed;
  const upper = choices.codeDetail === 'specific' ? refusal.cause.toUpperCase() : generalCode(refusal.status, choices);
  if (choices.codeStyle === 'lower_snake') return upper.toLowerCase();
  if (choices.codeStyle === 'dotted') return `error.${upper.toLowerCase()}`;
  return choices.codeStyle === 'numbered' ? `E${refusal.status}_${upper}` : upper;
}

function generalCode(status: number, choices: Choices): string {
  switch (status) {
    case 400:
      return choices.badRequestCode;
    case 403:
      return choices.forbiddenCode;
    case 404:
      return choices.notFoundCode;
    case 409:
      return choices.conflictCode;
    case 422:
      return choices.invalidCode;
    default:
      return (TERSE[status] ?? 'Error').toUpperCase().replaceAll(' ', '_');
  }
}

export function messageOf(refusal: Refusal, choices: Choices): string {
  if (FIXED[refusal.cause] !== undefined || choices.messageTone === 'plain') return refusal.message;
  if (choices.messageTone === 'terse') return TERSE[refusal.status] ?? refusal.message;
  if (choices.messageTone === 'hint') return `${refusal.message} See the interface description.`;
  return `« ${refusal.message} »`;
}
