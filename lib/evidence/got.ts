// The replies that a case got, in groups, and what a trial puts in their place.
import type { WireReply } from '../client/transports/transport.ts';
import { grouped } from '../runtime/grouped.ts';
import type { Arrival } from './format.ts';
import type { Perturbation } from './perturbations.ts';
import type { Used } from './rejudge.ts';

/** A reply that a case got. */
export interface Got extends Used {
  readonly wire: WireReply;
  readonly route: string;
}

export interface Trial {
  readonly kind: string;
  readonly altered: ReadonlyMap<Arrival, WireReply>;
}

export const isRefused = ({ status }: WireReply): boolean => status >= 400 && status < 500;

export const oncePer = <T>(all: readonly T[], key: (one: T) => unknown): T[] => [
  ...new Map(all.map((one) => [key(one), one])).values(),
];

/** Each of these replies as `of` changes it; no trial where it changes none. */
export function alteredBy(kind: string, some: readonly Got[], of: (one: Got) => WireReply | undefined): Trial[] {
  const altered = new Map<Arrival, WireReply>();
  for (const one of some) {
    const reply = of(one);
    if (reply) altered.set(one.arrival, reply);
  }
  return altered.size === 0 ? [] : [{ kind, altered }];
}

export const altering = ({ kind, of }: Perturbation, some: readonly Got[]): Trial[] =>
  alteredBy(kind, some, ({ wire }) => of(wire));

/** The replies by a name, the last group first. */
export const groupsBy = (got: readonly Got[], nameOf: (one: Got) => string): (readonly Got[])[] =>
  [...grouped(got, nameOf).values()].reverse();

/** The replies to each operation, accepted ones apart from each kind of refusal. */
export const groupsOf = (got: readonly Got[]): (readonly Got[])[] =>
  groupsBy(got, ({ route, wire }) => `${route} ${wire.status}`);

const parametersOf = ({ sent }: Got): URLSearchParams => new URL(sent.url).searchParams;

/** Who asks, and for which account. */
export const callerOf = ({ sent: { headers } }: Got): string =>
  `${headers.authorization ?? ''} ${headers['x-active-account'] ?? ''}`;

/** The same apart by who asked, and by which parameters were named. */
export const fineGroupsOf = (got: readonly Got[]): (readonly Got[])[] =>
  groupsBy(got, (one) =>
    [one.route, one.wire.status, callerOf(one), ...[...parametersOf(one).keys()].sort()].join(' '),
  );

/** What a request has in place of a parameter, and the rest of it. */
export function without({ sent }: Got, parameter: string): { readonly value: string | null; readonly rest: string } {
  const url = new URL(sent.url);
  const value = url.searchParams.get(parameter);
  url.searchParams.delete(parameter);
  url.searchParams.sort();
  return { value, rest: url.href };
}

export const parametersIn = (got: readonly Got[]): string[] => [
  ...new Set(got.flatMap((one) => [...parametersOf(one).keys()])),
];
