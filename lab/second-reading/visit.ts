// One request on its way through the server, and what an operation is made of.
import type { Choices } from './choices.ts';
import type { Meter } from './rate.ts';
import type { Account, ApiKey, Membership, User } from './records.ts';
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

/** The parts of an operation; which comes first is a matter of choice, but act is always last. */
export interface Stages {
  permit?: () => void;
  locate?: () => void;
  read?: () => void;
  act: () => Outcome;
}

export type IdempotencyUse = 'honoured' | 'ignored' | 'same-reply' | 'conflict';

export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  kind: 'read' | 'write' | 'validate' | 'health';
  needsAccount?: boolean;
  scope?: (choices: Choices) => string | null;
  idempotency?: (choices: Choices) => IdempotencyUse;
  query?: readonly string[];
  begin(visit: Visit): Stages;
}

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
