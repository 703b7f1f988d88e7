// Reading limit and offset.
import { refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

const MAXIMUM = 200;

/** The limit asked for, undefined when none was (or none that counts). */
export function readLimit(visit: Visit, out: 'clamp' | '400' | '422'): number | undefined {
  const { choices } = visit;
  const text = visit.query.get('limit');
  if (text === undefined) return undefined;
  const value = readWhole(text, choices.limitLoose === 'loose');
  if (value === undefined) {
    if (choices.limitNotNumber === 'default') return undefined;
    return refuse(choices.limitNotNumber, 'bad_parameter', 'limit must be an integer.', 'limit');
  }
  if (value >= 1 && value <= MAXIMUM) return value;
  if (out === 'clamp') return Math.min(MAXIMUM, Math.max(1, value));
  return refuse(out, 'bad_parameter', 'limit must be from 1 to 200.', 'limit');
}

export function readOffset(visit: Visit, bad: 'zero' | '400' | '422'): number {
  const text = visit.query.get('offset');
  if (text === undefined) return 0;
  const value = readWhole(text, visit.choices.limitLoose === 'loose');
  if (value !== undefined && value >= 0) return value;
  return bad === 'zero' ? 0 : refuse(bad, 'bad_parameter', 'offset must be an integer from 0.', 'offset');
}

function readWhole(text: string, loose: boolean): number | undefined {
  if (/^-?\d+$/.test(text)) return Number(text);
  return loose && /^\s*[+-]?\d+(\.0+)?\s*$/.test(text) ? Number(text) : undefined;
}
