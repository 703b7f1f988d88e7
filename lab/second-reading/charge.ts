// Charging requests to the meters, and refusing those that are too many.

import { httpDateOf } from './clock.ts';
import { type Meter, makeMeter } from './rate.ts';
import { Refusal } from './refusal.ts';
import type { Visit } from './visit.ts';
import type { World } from './world.ts';

type Class = 'read' | 'write' | 'validate';

const KEPT = 20_000;

/** Counts this request once against the account it is about. */
export function chargeAccount(visit: Visit): void {
  if (visit.charged) return;
  visit.charged = true;
  const payer = payerOf(visit);
  if (payer !== undefined) charge(visit, payer, visit.operation.kind === 'read' ? 'read' : 'write');
}

export function charge(visit: Visit, payer: string, kind: Class): void {
  const { world, now } = visit;
  const meter = meterFor(world, `${kind}:${payer}`, world.limits[kind]);
  visit.meter = meter;
  const wait = meter.take(now);
  if (wait > 0) throw tooMany(visit, meter, wait);
}

export function payerForAccount(account: { number: number }): string {
  return `account-${account.number}`;
}

function payerOf(visit: Visit): string | undefined {
  if (visit.account !== null) return payerForAccount(visit.account);
  return visit.choices.noAccountCharge === 'user' ? `user-${visit.caller?.user.number ?? 0}` : undefined;
}

function meterFor(world: World, name: string, limit: number): Meter {
  const known = world.meters.get(name);
  if (known !== undefined) return known;
  if (world.meters.size >= KEPT) world.meters.clear();
  const meter = makeMeter(world.choices, limit, world.minute);
  world.meters.set(name, meter);
  return meter;
}

function tooMany(visit: Visit, meter: Meter, wait: number): Refusal {
  const { choices, now } = visit;
  const seconds = Math.max(1, Math.ceil(wait / 1000)) + (choices.rateSeconds === 'one-more' ? 1 : 0);
  const headers: Record<string, string> = {};
  if (choices.retryAfter === 'seconds') headers['Retry-After'] = String(seconds);
  if (choices.retryAfter === 'http-date') headers['Retry-After'] = httpDateOf(now + seconds * 1000 + 999);
  return new Refusal(429, 'rate_limited', tooManyWords(visit, meter, seconds), undefined, headers);
}

function tooManyWords(visit: Visit, meter: Meter, seconds: number): string {
  const { rateWording } = visit.choices;
  const unit = seconds === 1 ? 'second' : 'seconds';
  if (rateWording === 'short') return `Rate limit exceeded. Retry after ${seconds} ${unit}.`;
  if (rateWording === 'terse') return `Too many requests; wait ${seconds}s`;
  if (rateWording === 'sentence')
    return `You have made too many requests. Please wait ${seconds} ${unit} before retrying.`;
  return `The limit of ${meter.limit} requests per minute is used up, try again in ${seconds} ${unit}`;
}

/** The headers that say how much is left. */
export function rateHeaders(visit: Visit, status: number): Record<string, string> {
  const { choices, meter, now } = visit;
  const { rateHeaders: style } = choices;
  if (meter === undefined || style === 'none' || (style === 'only-429' && status !== 429)) return {};
  const delta = Math.ceil(meter.resetsIn(now) / 1000);
  const reset = choices.rateResetForm === 'delta' ? delta : Math.ceil(now / 1000) + delta;
  const prefix = style === 'ratelimit' ? 'RateLimit' : 'X-RateLimit';
  return {
    [`${prefix}-Limit`]: String(meter.limit),
    [`${prefix}-Remaining`]: String(Math.max(0, meter.remaining(now))),
    [`${prefix}-Reset`]: String(reset),
  };
}
