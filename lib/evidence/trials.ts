// In which order the replies to a case are changed, and how: whole groups of them and single ones, the most promising changes first.
import { isObject } from '../client/reply.ts';
import type { WireReply } from '../client/transports/transport.ts';
import { confusions, promised } from './confusions.ts';
import { lost, movedByEdits, movedByInserts, revoked, undeleted, withoutEffect } from './effects.ts';
import { alteredBy, altering, fineGroupsOf, type Got, groupsOf, isRefused, oncePer, type Trial } from './got.ts';
import {
  bodyOf,
  carriedOut,
  codePerturbations,
  headerPerturbation,
  instead,
  listPerturbations,
  memberPerturbations,
  noJson,
  type Perturbation,
  pathsIn,
  shortPerturbations,
  statusPerturbations,
} from './perturbations.ts';

type Trials = Iterable<Trial>;
type Group = readonly Got[];

const turnedKind = 'accepted or refused the other way round';

/** Made when they are asked for: of most only the first are. */
function* each<T>(items: readonly T[], trialsOf: (item: T) => Trials): Trials {
  for (const item of items) yield* trialsOf(item);
}

/** Of several in turn. */
function* alternating(...all: readonly Trials[]): Trials {
  let open = all.map((trials) => trials[Symbol.iterator]());
  while (open.length > 0) {
    const nexts = open.map((trials) => ({ trials, next: trials.next() })).filter(({ next }) => !next.done);
    for (const { next } of nexts) if (!next.done) yield next.value;
    open = nexts.map(({ trials }) => trials);
  }
}

/** The members of a JSON object. */
const membersOf = (body: string): object | undefined => {
  const members = bodyOf({ status: 200, headers: {}, body });
  return isObject(members) ? members : undefined;
};

/** As if it had been stored as it was sent. */
function asSent({ sent }: Got, accepted: WireReply): WireReply {
  const body = bodyOf(accepted);
  const members = membersOf(sent.body ?? '');
  if (!isObject(body) || !isObject(body.data) || members === undefined) return accepted;
  return { ...accepted, body: JSON.stringify({ ...body, data: { ...body.data, ...members } }) };
}

/** What an operation answers where it accepts what it refused, or refuses what it accepted: the likeliest first. */
function opposites(one: Got, everything: Group): readonly ((one: Got) => WireReply)[] {
  const others = everything.filter(({ wire }) => isRefused(wire) !== isRefused(one.wire));
  const alike = others.filter(({ route }) => route === one.route);
  if (isRefused(one.wire)) {
    // What a stranger gets differs most from what the caller should get.
    const theirs = alike.find(({ sent }) => sent.headers.authorization !== one.sent.headers.authorization);
    const wire = (theirs ?? alike[0])?.wire ?? { ...one.wire, status: 200 };
    return one.sent.body === undefined ? [() => wire] : [() => wire, (refused) => asSent(refused, wire)];
  }
  const elsewhere = [429, 404].flatMap((status) => others.find(({ wire }) => wire.status === status) ?? []);
  const refusals = oncePer([...elsewhere, ...alike].toReversed(), ({ wire }) => wire.status);
  const some = refusals.length > 0 ? refusals.map(({ wire }) => wire) : [{ ...one.wire, status: 403 }];
  return some.map((wire) => () => wire);
}

/** What was accepted is refused and what was refused accepted, in each way: of a group of replies to one operation. */
const turned = (group: Group, everything: Group): Trial[] =>
  group.slice(0, 1).flatMap((first) => opposites(first, everything).flatMap((of) => alteredBy(turnedKind, group, of)));

/** The same of a group in the likeliest way only. */
const turnedAtOnce = (group: Group, everything: Group): Trial[] => turned(group, everything).slice(0, 1);

/** Once half of its requests have been answered. */
const turnedLater = (group: Group, everything: Group): Trial[] =>
  turned(group.slice(Math.ceil(group.length / 2)), everything);

/** What came to the same request before and after it, or to another one for the same operation. */
function exchanged(one: Got, everything: Group): Trial[] {
  const same = everything.filter(({ sent }) => sent.url === one.sent.url && sent.method === one.sent.method);
  const at = same.indexOf(one);
  const alike = everything.filter(({ route, arrival }) => route === one.route && arrival !== one.arrival);
  const near = [same[at - 1], same[at + 1], alike[0], alike.at(-1)].filter((other) => other !== undefined);
  return oncePer(near, ({ wire }) => wire.body).flatMap(({ wire }) =>
    altering(instead('the reply to another request', wire), [one]),
  );
}

/** After a refused write each look is altered as if it had been carried out. */
function effect(refused: Got, got: Group): Trial[] {
  const members = isRefused(refused.wire) ? membersOf(refused.sent.body ?? '') : undefined;
  if (members === undefined) return [];
  const looks = got.slice(got.indexOf(refused) + 1).filter((one) => one.sent.method === 'GET');
  return altering(carriedOut({ ...members }), looks);
}

/** The places in the replies of a group, each once. */
const pathsOf = (group: Group) =>
  oncePer(
    group.flatMap(({ wire }) => pathsIn(bodyOf(wire))),
    (path) => path.join('/'),
  );

/** The same change of a list in a whole group. */
const lists = (groups: readonly Group[]): Trials =>
  each(groups, (group) =>
    each(pathsOf(group), (path) => each(listPerturbations(path), (perturbation) => altering(perturbation, group))),
  );

/** Of one list at a time: a record too few, and each record twice. */
const listsAlone = (got: Group): Trials =>
  each(shortPerturbations, (perturbation) => each(got, (one) => altering(perturbation, [one])));

/** The same change of a member in a whole group: one kind of change after the other, what stands deepest first. */
const members = (groups: readonly Group[]): Trials =>
  each(memberPerturbations, (perturbationAt) =>
    alternating(
      ...groups.map((group) =>
        each(
          pathsOf(group).sort((one, other) => other.length - one.length),
          (path) => altering(perturbationAt(path), group),
        ),
      ),
    ),
  );

/** Another change, the same in a whole group: one kind of change after the other. */
const others = (groups: readonly Group[], extra: readonly Perturbation[]): Trials => {
  const names = new Set(groups.flat().flatMap(({ wire }) => Object.keys(wire.headers)));
  const headers = [...names].map(headerPerturbation);
  return each([noJson, ...codePerturbations, ...extra, ...headers, ...statusPerturbations], (perturbation) =>
    each(groups, (group) => altering(perturbation, group)),
  );
};

/** `got`: all replies that came while one case ran; `own`: those to the case itself. */
export function* trialsOf(got: Group, own: Group, extra: readonly Perturbation[]): Trials {
  const lastFirst = own.toReversed();
  const rest = got.filter((one) => !own.includes(one));
  const [groups, fine, further] = [groupsOf(own), fineGroupsOf(own), groupsOf(rest)];
  yield* each(groups, (group) => turnedAtOnce(group, got));
  for (const effects of [revoked, movedByEdits, movedByInserts, withoutEffect, undeleted]) yield* effects(own);
  yield* confusions(own);
  yield* alternating(
    promised(got),
    lost(own),
    each(own, (one) => effect(one, own)),
    each(lastFirst, (one) => turnedAtOnce([one], got)),
    each(groups, (group) => [...turned(group, got).slice(1), ...turnedLater(group, got)]),
    lists(groups),
    members(groups),
    listsAlone(lastFirst),
    each(lastFirst, (one) => exchanged(one, got)),
    others(groups, extra),
  );
  yield* alternating(
    lists(fine),
    members(fine),
    each(rest, (one) => exchanged(one, got)),
    lists(further),
    members(further),
    others(further, extra),
  );
}
