// What a server answers that takes one caller or account for another, ignores a parameter, or promises what another gets: replies of the record, given to others.
import { at } from '../client/reply.ts';
import type { WireReply } from '../client/transports/transport.ts';
import {
  alteredBy,
  altering,
  callerOf,
  type Got,
  groupsBy,
  oncePer,
  parametersIn,
  type Trial,
  without,
} from './got.ts';
import { bodyOf, pathsIn, withWord } from './perturbations.ts';

const isAccepted = ({ wire }: Got): boolean => wire.status < 300;

/** Of several that would do the one that came next to it. */
function nearest(to: Got, all: readonly Got[], fits: (one: Got) => boolean): Got | undefined {
  const at = all.indexOf(to);
  const distance = (one: Got): number => Math.abs(all.indexOf(one) - at);
  return all.filter(fits).sort((one, other) => distance(one) - distance(other))[0];
}

function unlike(wire: WireReply, found: Got | undefined): WireReply | undefined {
  return found && found.wire.body !== wire.body ? found.wire : undefined;
}

/** One caller is answered as another one is: from the beginning, or once half of its requests have been answered. */
function confused(group: readonly Got[], others: readonly Got[], accepted: readonly Got[]): Trial[] {
  const asTheirs = (one: Got): WireReply | undefined =>
    unlike(
      one.wire,
      nearest(one, accepted, (other) => others.includes(other) && other.sent.url === one.sent.url),
    );
  const same = group.filter((one) => asTheirs(one) !== undefined);
  const later = same.slice(Math.ceil(same.length / 2));
  return [same, later].flatMap((some) => alteredBy('the reply to another caller', some, asTheirs));
}

type Pair = { readonly group: readonly Got[]; readonly other: readonly Got[] };

/** First one account of a caller for another one, then callers who name the same account, then where most replies differ. */
function callers(got: readonly Got[]): Trial[] {
  const accepted = got.filter(isAccepted);
  const groups = groupsBy(accepted, callerOf);
  const headerOf = ([first]: readonly Got[], name: string): string | undefined => first?.sent.headers[name];
  const isOf = ({ group, other }: Pair): number => {
    if (headerOf(group, 'authorization') === headerOf(other, 'authorization')) return 0;
    const account = headerOf(group, 'x-active-account');
    return account !== undefined && account === headerOf(other, 'x-active-account') ? 1 : 2;
  };
  const pairs = groups.flatMap((group) => groups.filter((other) => other !== group).map((other) => ({ group, other })));
  const byKind = [0, 1, 2].map((kind) =>
    pairs
      .filter((pair) => isOf(pair) === kind)
      .flatMap(({ group, other }) => confused(group, other, accepted))
      .sort((one, other) => other.altered.size - one.altered.size),
  );
  return byKind.flat();
}

/** A parameter is ignored: the reply to the same request without it, or else with another value. */
function parameters(got: readonly Got[]): Trial[] {
  const accepted = got.filter(isAccepted);
  const kind = 'a parameter ignored';
  return oncePer(accepted, ({ route }) => route).flatMap(({ route }) => {
    const group = accepted.filter((one) => one.route === route);
    return parametersIn(group).flatMap((parameter) => {
      const asWithout = (one: Got): WireReply | undefined => {
        const { value, rest } = without(one, parameter);
        if (value === null) return undefined;
        const alike = group.filter((other) => without(other, parameter).rest === rest);
        const bare = nearest(one, group, (other) => alike.includes(other) && without(other, parameter).value === null);
        return unlike(one.wire, bare ?? alike.find((other) => without(other, parameter).value !== value));
      };
      return alteredBy(kind, group, asWithout);
    });
  });
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A list of words, such as scopes, that holds one more: each that another reply to the same operation shows. */
export function promised(got: readonly Got[]): Trial[] {
  const accepted = got.filter(isAccepted);
  return oncePer(accepted, ({ route }) => route).flatMap(({ route }) => {
    const group = accepted.filter((one) => one.route === route);
    const bodies = group.map(({ wire }) => bodyOf(wire));
    const paths = oncePer(bodies.flatMap(pathsIn), (path) => path.join('/'));
    return paths.flatMap((path) => {
      const lists = bodies.map((body) => at(body, ...path)).filter(isTexts);
      return [...new Set(lists.flat())].flatMap((word) => altering(withWord(path, word), group));
    });
  });
}

export const confusions = (got: readonly Got[]): Trial[] => [...parameters(got), ...callers(got)];
