// The search for a change of recorded replies that turns a check red: of one reply of a case at a time, and of all to one operation.
import type { Suite } from '../case.ts';
import { at, isObject, type Sent } from '../client/reply.ts';
import type { WireReply } from '../client/transports/transport.ts';
import { defined } from '../runtime/defined.ts';
import { CasesOf } from './cases-of.ts';
import type { Arrival } from './format.ts';
import {
  additions,
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
  statusPerturbations,
} from './perturbations.ts';
import { RecordedReplies } from './recorded-replies.ts';
import { type Rejudged, rejudge, type Used } from './rejudge.ts';
import { wireOf } from './replay.ts';
import type { WholeEvidence } from './replayed.ts';

/** What became of a requirement whose replies were changed. */
export interface Attempt {
  readonly requirement: string;
  /** How often something was changed. */
  readonly trials: number;
  /** What turned it red, in words. */
  readonly by?: string;
}

/** A reply that a case got. */
interface Got extends Used {
  readonly wire: WireReply;
  readonly route: string;
}

interface Trial {
  readonly kind: string;
  readonly altered: ReadonlyMap<Arrival, WireReply>;
}

/** One case is tried so often at most, and with so many replies in all: a long one costs more each time. */
const trialsMax = 300;
const repliesMax = 30_000;

/** The operation, whatever record it is about. */
function routeOf({ method, url }: Sent): string {
  const steps = new URL(url).pathname.split('/').map((step) => (/\d/.test(step) && !/^v\d$/.test(step) ? '{}' : step));
  return `${method} ${steps.join('/')}`;
}

const isRefused = ({ status }: WireReply): boolean => status >= 400 && status < 500;
const oncePer = <T>(all: readonly T[], key: (one: T) => unknown): T[] => [
  ...new Map(all.map((one) => [key(one), one])).values(),
];

function altering(kind: Perturbation, some: readonly Got[]): Trial[] {
  const altered = new Map<Arrival, WireReply>();
  for (const { arrival, wire } of some) {
    const reply = kind.of(wire);
    if (reply) altered.set(arrival, reply);
  }
  return altered.size === 0 ? [] : [{ kind: kind.kind, altered }];
}

const turnedKind = 'accepted or refused the other way round';

/** Of each reply by itself, the last one first, what was accepted is refused and what was refused accepted. */
function turned(got: readonly Got[], everything: readonly Got[]): Trial[] {
  const refusals = everything.filter(({ wire }) => isRefused(wire)).slice(0, 1);
  return got.toReversed().flatMap((one) => {
    const alike = everything.filter(
      ({ route, wire }) => route === one.route && isRefused(wire) !== isRefused(one.wire),
    );
    const [other] = isRefused(one.wire) ? alike : [...alike, ...refusals];
    const reply = other?.wire ?? { ...one.wire, status: 200 };
    return altering(instead(turnedKind, reply), [one]);
  });
}

/** Of each reply by itself: what came to the same request before and after it, or to another one for the same operation. */
function exchanged(got: readonly Got[], everything: readonly Got[]): Trial[] {
  return got.toReversed().flatMap((one) => {
    const same = got.filter(({ sent }) => sent.url === one.sent.url && sent.method === one.sent.method);
    const at = same.indexOf(one);
    const alike = everything.filter(({ route, arrival }) => route === one.route && arrival !== one.arrival);
    const near = [same[at - 1], same[at + 1], alike[0], alike.at(-1)].filter((other) => other !== undefined);
    return oncePer(near, ({ wire }) => wire.body).flatMap(({ wire }) =>
      altering(instead('the reply to another request', wire), [one]),
    );
  });
}

/** After a refused write each look is altered as if it had been carried out. */
function effects(got: readonly Got[]): Trial[] {
  return got.flatMap(({ wire, sent }, index) => {
    const members = isRefused(wire) && sent.body ? bodyOf({ ...wire, body: sent.body }) : undefined;
    if (!isObject(members)) return [];
    const looks = got.slice(index + 1).filter((one) => one.sent.method === 'GET');
    return [...altering(carriedOut(members), looks)];
  });
}

/** The replies to each operation, accepted ones apart from each kind of refusal; the last first. */
function groupsOf(got: readonly Got[]): (readonly Got[])[] {
  const groups = new Map<string, Got[]>();
  for (const one of got) {
    const name = `${one.route} ${one.wire.status}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()].toReversed();
}

/** Of a whole group: what was accepted is refused, and what was refused accepted. */
const allTurned = (got: readonly Got[], everything: readonly Got[]): Trial[] =>
  groupsOf(got).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const other = everything.find(
      ({ route, wire }) => route === first.route && isRefused(wire) !== isRefused(first.wire),
    );
    const status = isRefused(first.wire) ? 200 : 403;
    return altering(instead(turnedKind, other?.wire ?? { ...first.wire, status }), group);
  });

/** The places in the replies of a group, each once. */
const pathsOf = (group: readonly Got[]) =>
  oncePer(
    group.flatMap(({ wire }) => pathsIn(bodyOf(wire))),
    (path) => path.join('/'),
  );

/** The same change of a list in a whole group. */
const listsThroughout = (got: readonly Got[]): Trial[] =>
  groupsOf(got).flatMap((group) =>
    pathsOf(group)
      .flatMap(listPerturbations)
      .flatMap((perturbation) => altering(perturbation, group)),
  );

/** Another change, the same in a whole group. */
function throughout(got: readonly Got[], extra: readonly Perturbation[]): Trial[] {
  return groupsOf(got).flatMap((group) => {
    const paths = pathsOf(group);
    const names = new Set(group.flatMap(({ wire }) => Object.keys(wire.headers)));
    const perturbations = [
      ...codePerturbations,
      ...extra,
      ...paths.flatMap(memberPerturbations),
      ...statusPerturbations,
      noJson,
      ...[...names].map(headerPerturbation),
    ];
    return perturbations.flatMap((perturbation) => altering(perturbation, group));
  });
}

/** Of two lists in turn. */
const alternating = <T>(one: readonly T[], other: readonly T[]): T[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [one[at], other[at]])
    .flat()
    .filter((item) => item !== undefined);

export class Perturber {
  private readonly suites: readonly Suite[];
  private readonly evidence: WholeEvidence;
  private readonly replies: RecordedReplies;
  private readonly cases: CasesOf;
  private readonly extra: readonly Perturbation[];

  constructor(suites: readonly Suite[], evidence: WholeEvidence) {
    this.suites = suites;
    this.evidence = evidence;
    this.replies = new RecordedReplies(evidence.entries);
    this.cases = new CasesOf(suites, evidence.header);
    this.extra = extraOf(evidence);
  }

  /** Changes the replies to one case until each of these requirements that it serves has failed, or nothing is left to change. */
  async attempts(title: string, requirements: readonly string[]): Promise<Attempt[]> {
    const base = await this.judged(title);
    // What is red without a change would prove nothing.
    const red = failedIn(base);
    const open = new Set(this.cases.of(title).filter((id) => requirements.includes(id) && !red.has(id)));
    const attempts: Attempt[] = [];
    const most = Math.min(trialsMax, Math.ceil(repliesMax / base.used.length));
    let trials = 0;
    for (const { kind, altered } of trialsOf(title, base, this.extra).slice(0, most)) {
      if (open.size === 0) break;
      trials += 1;
      for (const id of failedIn(await this.judged(title, altered)))
        if (open.delete(id)) attempts.push({ requirement: id, trials, by: kind });
    }
    return [...attempts, ...[...open].map((requirement) => ({ requirement, trials }))];
  }

  private judged(title: string, altered?: ReadonlyMap<Arrival, WireReply>): Promise<Rejudged> {
    const { suites, replies, evidence } = this;
    const only = new Set([title]);
    return rejudge({ suites, header: evidence.header, replies, only, ...defined({ altered }) });
  }
}

const failedIn = ({ brief }: Rejudged): ReadonlySet<string> =>
  new Set(brief.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id));

/** What a reply could show besides, as other replies of this run do. */
function extraOf({ entries }: WholeEvidence): Perturbation[] {
  const bodies = entries.flatMap((entry) => ('reply' in entry ? [bodyOf(wireOf(entry))] : []));
  const pagination = bodies.map((body) => at(body, 'pagination')).find(isObject);
  const key = bodies.map((body) => at(body, 'data', 'api_key')).find((one) => typeof one === 'string');
  return [{ pagination }, { api_key: key }, { data: [{}] }].flatMap(additions);
}

function trialsOf(title: string, { used }: Rejudged, extra: readonly Perturbation[]): Trial[] {
  const got = used.flatMap((one): Got[] =>
    'reply' in one.arrival ? [{ ...one, wire: wireOf(one.arrival), route: routeOf(one.sent) }] : [],
  );
  const own = got.filter(({ owner }) => owner === title);
  const others = got.filter(({ owner }) => owner !== title);
  return [
    ...allTurned(own, got),
    ...effects(own),
    ...turned(own, got),
    ...listsThroughout(own),
    ...alternating(throughout(own, extra), exchanged(own, got)),
    ...throughout(others, extra),
  ];
}
