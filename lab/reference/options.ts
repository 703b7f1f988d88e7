// The parameters of the reference: clock, seed, rate limits and choices, each with its default.

import { type Choices, defaultChoices } from './choices.ts';
import { type Clock, wallClock } from './clock.ts';

export type Tier = 'starter' | 'standard' | 'business';
/** The three classes that are counted separately (Limits, Rate limits). */
export type RateClass = 'read' | 'write' | 'validate';
/** Requests per minute, by class. */
export type Limits = Readonly<Record<RateClass, number>>;

export interface ReferenceOptions {
  /** Default: the real clock. */
  clock?: Clock;
  /** Every secret, request identifier and invented record follows from it. Default 1. */
  seed?: number;
  /** Length of the rate-limit minute in milliseconds. Default 60000. */
  minuteMs?: number;
  /** Limits that replace those of a tier. */
  tiers?: { readonly [Name in Tier]?: Partial<Limits> };
  /** How long the issued JWTs are valid, in milliseconds. Default 24 hours. */
  jwtLifetimeMs?: number;
  /** Companies that the primary account begins with, each with a contact, every second one with notes. Default 8. */
  companies?: number;
  /** Whether users begin with a stored active account; otherwise a session has none until it sets one. Default true. */
  storedPreference?: boolean;
  /** Whether the primary key and the session are of one user, whose preferred account is the key's. Default false. */
  oneUser?: boolean;
  /** Whether the session without an account is of a member of two, who has stored neither. Default false. */
  undecided?: boolean;
  /** Whether a session counts against the account that it has stored, whichever X-Active-Account names. Default false. */
  countsStored?: boolean;
  choices?: Partial<Choices>;
}

export interface Settings {
  readonly clock: Clock;
  readonly seed: number;
  readonly minuteMs: number;
  readonly tiers: Readonly<Record<Tier, Limits>>;
  readonly jwtLifetimeMs: number;
  readonly companies: number;
  readonly storedPreference: boolean;
  readonly oneUser: boolean;
  readonly undecided: boolean;
  readonly countsStored: boolean;
  readonly choices: Choices;
}

const tierLimits: Record<Tier, Limits> = {
  starter: { read: 40, write: 10, validate: 10 },
  standard: { read: 200, write: 30, validate: 10 },
  business: { read: 600, write: 120, validate: 60 },
};

/** Validations per minute that count against no account. */
export const anonymousValidations = 10;

/** Fills in defaults; throws a RangeError on a minute or a limit that is not positive. */
export function settle(options: ReferenceOptions = {}): Settings {
  const choices = { ...defaultChoices, ...options.choices };
  const tiers = {
    starter: { ...tierLimits.starter, ...options.tiers?.starter },
    standard: { ...tierLimits.standard, ...options.tiers?.standard },
    business: { ...tierLimits.business, ...options.tiers?.business },
  };
  const minuteMs = options.minuteMs ?? 60_000;
  const numbers = [minuteMs, ...Object.values(tiers).flatMap((limits) => Object.values(limits))];
  if (numbers.some((number) => !(Number.isFinite(number) && number > 0))) {
    throw new RangeError('the minute and every limit must be positive numbers');
  }
  return {
    clock: options.clock ?? wallClock,
    seed: options.seed ?? 1,
    minuteMs,
    tiers,
    jwtLifetimeMs: options.jwtLifetimeMs ?? 24 * 3_600_000,
    companies: options.companies ?? 8,
    storedPreference: options.storedPreference ?? true,
    oneUser: options.oneUser ?? false,
    undecided: options.undecided ?? false,
    countsStored: options.countsStored ?? false,
    choices,
  };
}
