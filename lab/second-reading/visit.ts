// One request on its way through the server, and what an operation is made of.
import type { Choices } from './choices.ts';
import type { Meter } from './rate.ts';
import type { Abilities, Account, ApiKey, Membership, User } from './records.ts';
import type { Outcome } from './refusal.ts';
import { refuse } from './refusal.ts';
import type { World } from './world.ts';

/** A request, whatever carried it. */
export interface Call {
  method: string;
  path: string;
  query: string;
  header(name: string): string | undefined;
  body: string;
}

export interface Caller {
  user: User;
  key: ApiKey | undefined;
  session: string;
  expires: number | undefined;
}

export type IdempotencyUse = 'honoured' | 'ignored' | 'same-reply' | 'conflict';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What an operation does: which of its stages comes first is a matter of choice, but act is always last. */
interface Stages<Target, Input> {
  kind?: 'validate' | 'health';
  /** By default an operation needs an active account. */
  needsAccount?: false;
  scope?: (choices: Choices) => string | null;
  idempotency?: (choices: Choices) => IdempotencyUse;
  query?: readonly string[];
  permit?(visit: Visit): void;
  /** Finds the record that the path names. */
  locate?(visit: Visit): Target;
  /** Reads the body. */
  read?(visit: Visit): Input;
  act(visit: Visit, target: Target, input: Input): Outcome;
}

export interface Operation extends Omit<Stages<unknown, unknown>, 'kind'> {
  method: Method;
  path: string;
  kind: 'read' | 'write' | 'validate' | 'health';
}

export function operation<Target, Input>(name: `${Method} /${string}`, stages: Stages<Target, Input>): Operation {
  const [method, path = ''] = name.split(' ') as [Method, string?];
  return { method, path, kind: method === 'GET' ? 'read' : 'write', ...stages };
}

/** Refuses members without an ability. */
export const able =
  (ability: keyof Abilities, what: string) =>
  (visit: Visit): void => {
    if (visit.membership?.abilities[ability] !== true) refuse(403, 'not_allowed', `You may not ${what}.`);
  };

export interface Visit {
  world: World;
  choices: Choices;
  call: Call;
  operation: Operation;
  /** The changing segments of the path. */
  ids: readonly string[];
  query: Query;
  now: number;
  caller: Caller | undefined;
  account: Account | null;
  membership: Membership | null;
  meter: Meter | undefined;
  charged: boolean;
  /** What the stages before the last have found and read. */
  target: unknown;
  input: unknown;
}

export function callerOf(visit: Visit): Caller {
  if (visit.caller === undefined) throw new Error('This operation needs a caller.');
  return visit.caller;
}

export function accountOf(visit: Visit): Account {
  if (visit.account === null) {
    return refuse(400, 'no_active_account', 'No active account can be determined; send X-Active-Account.');
  }
  return visit.account;
}

export function scopesOf(visit: Visit): readonly string[] {
  return visit.membership?.scopes ?? callerOf(visit).user.scopes;
}

/** The identifier at a place in the path. */
export function pathId(visit: Visit, place: number): number {
  const text = visit.ids[place] ?? '';
  const plain = visit.choices.idLeadingZeros === 'same' ? /^\d+$/ : /^(0|[1-9]\d*)$/;
  if (plain.test(text)) return Number(text);
  return refuse(visit.choices.idMalformed, 'bad_parameter', 'The identifier in the path must be an integer.');
}

export class Query {
  readonly #values = new Map<string, string>();

  constructor(text: string, known: readonly string[], choices: Choices) {
    if (text === '') return;
    for (const [name, value] of new URLSearchParams(text)) this.#take(name, value, known, choices);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  #take(name: string, value: string, known: readonly string[], choices: Choices): void {
    if (!known.includes(name)) {
      if (choices.unknownQuery === '400') refuse(400, 'bad_parameter', `The parameter ${name} is not known.`, name);
      return;
    }
    if (value === '' && choices.emptyQuery === 'as-absent') return;
    if (this.#values.has(name)) {
      if (choices.duplicateQuery === '400') refuse(400, 'bad_parameter', `The parameter ${name} is given twice.`, name);
      if (choices.duplicateQuery === 'first') return;
    }
    this.#values.set(name, value);
  }
}
