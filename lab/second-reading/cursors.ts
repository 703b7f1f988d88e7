// Cursors: what they hold, how they are written, and how they are read back.
import { createHmac } from 'node:crypto';
import type { Choices } from './choices.ts';
import type { Listed } from './collection.ts';
import type { Dice } from './dice.ts';

export interface Position {
  list: string;
  /** Rank of the last record given, null before the first. */
  after: number | null;
  turn: number;
  limit: number;
  fields: string | null;
  issued: number;
  /** Only when pages are cut from a picture of the list. */
  picture?: { items: readonly Listed[]; index: number };
}

const KEPT = 10_000;
const SEAL_LENGTH = 12;

export class CursorRegister {
  readonly #choices: Choices;
  readonly #dice: Dice;
  readonly #secret: string;
  readonly #stored = new Map<string, Position>();

  constructor(choices: Choices, dice: Dice) {
    this.#choices = choices;
    this.#dice = dice;
    this.#secret = dice.hex(32);
  }

  write(position: Position): string {
    const { cursorKind, cursorAlphabet } = this.#choices;
    if (cursorKind === 'stored' || cursorKind === 'snapshot') return this.#store(position);
    const text = cursorKind === 'text' ? writeText(position) : writeJson(position);
    const sealed = cursorKind === 'signed' ? `${this.#seal(text)}${text}` : text;
    return toBase64(Buffer.from(sealed), cursorAlphabet);
  }

  /** The position a cursor stands for, or undefined when this server never gave it. */
  read(cursor: string): Position | undefined {
    const { cursorKind, cursorAlphabet } = this.#choices;
    if (cursorKind === 'stored' || cursorKind === 'snapshot') return this.#stored.get(cursor);
    const bytes = Buffer.from(cursor, 'base64');
    if (bytes.length === 0 || toBase64(bytes, cursorAlphabet) !== cursor) return undefined;
    const text = bytes.toString();
    if (cursorKind === 'text') return readText(text);
    if (cursorKind === 'plain') return readJson(text);
    const body = text.slice(SEAL_LENGTH);
    return this.#seal(body) === text.slice(0, SEAL_LENGTH) ? readJson(body) : undefined;
  }

  #store(position: Position): string {
    const cursor = toBase64(this.#dice.bytes(16), this.#choices.cursorAlphabet);
    if (this.#stored.size >= KEPT) {
      for (const oldest of this.#stored.keys()) {
        this.#stored.delete(oldest);
        break;
      }
    }
    this.#stored.set(cursor, position);
    return cursor;
  }

  #seal(text: string): string {
    return createHmac('sha1', this.#secret).update(text).digest('base64url').slice(0, SEAL_LENGTH);
  }
}

function toBase64(bytes: Buffer, alphabet: Choices['cursorAlphabet']): string {
  if (alphabet === 'standard') return bytes.toString('base64');
  if (alphabet === 'standard-unpadded') return bytes.toString('base64').replace(/=+$/, '');
  if (alphabet === 'urlsafe') return bytes.toString('base64url');
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

function writeText(p: Position): string {
  const after = p.after === null ? '~' : String(p.after);
  return [p.list, after, p.turn, p.limit, p.issued, p.fields === null ? '' : `=${p.fields}`].join('|');
}

function readText(text: string): Position | undefined {
  const [list, after, turn, limit, issued, ...rest] = text.split('|');
  if (list === undefined || after === undefined || issued === undefined || rest.length === 0) return undefined;
  const fields = rest.join('|');
  return sound({
    list,
    after: after === '~' ? null : Number(after),
    turn: Number(turn),
    limit: Number(limit),
    fields: fields.startsWith('=') ? fields.slice(1) : null,
    issued: Number(issued),
  });
}

function writeJson(p: Position): string {
  return JSON.stringify({ l: p.list, a: p.after, t: p.turn, n: p.limit, f: p.fields, i: p.issued });
}

function readJson(text: string): Position | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { l, a, t, n, f, i } = value as Record<string, unknown>;
    const after = a === null ? null : Number(a);
    const fields = typeof f === 'string' ? f : null;
    return sound({ list: String(l), after, turn: Number(t), limit: Number(n), fields, issued: Number(i) });
  } catch {
    return undefined;
  }
}

function sound(p: Position): Position | undefined {
  const whole = Number.isInteger(p.turn) && Number.isInteger(p.limit) && Number.isFinite(p.issued);
  const placed = p.after === null || Number.isFinite(p.after);
  return whole && placed && p.limit >= 1 && p.limit <= 200 ? p : undefined;
}
