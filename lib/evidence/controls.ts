// Live controls: shows for each passed requirement that it fails once recorded replies of the run are changed.
import type { Suite } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import { doubtOf } from '../client/doubt.ts';
import type { RecordedHistory } from '../client/recorder.ts';
import { isObject, type Reply, wasAccepted } from '../client/reply.ts';
import type { Report } from '../result.ts';
import { findingsOf } from '../run/judge-history.ts';
import { computedOnce, grouped } from '../runtime/grouped.ts';
import { type Evidence, historyOf } from './read.ts';

export interface Controls {
  /** How many MUSTs passed. */
  readonly musts: number;
  /** How many of them were seen to fail. */
  readonly shown: number;
  readonly notShown: readonly string[];
}

/** The MUSTs that passed: only of them there is something to be shown. */
export const greenMusts = ({ requirements }: Pick<Report, 'requirements'>): string[] =>
  requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'passed').map(({ id }) => id);

/** Stop after this many rounds without a new result. */
const idleMax = 12;
/** Changed replies in a round, and changes for each requirement: most of the history stays as it was. */
const changedMax = 250;
const changedEach = 5;

/**
 * In each round some changes for each requirement that was not yet seen to fail, all of them judged at once: what a change
 * for one requirement makes fail of others counts as well.
 */
export function controlsOf(
  { exchanges, found }: Evidence,
  suites: readonly Suite[],
  onShown: (shown: number) => void = () => {},
): Controls {
  if (found === undefined) return { musts: 0, shown: 0, notShown: [] };
  const history = historyOf(exchanges, found);
  const green = greenMusts(found.report) as RequirementId[];
  const judged = new Map<RequirementId, Set<Reply>>();
  const ids = new Set(green);
  findingsOf(suites, history, ids, (id, reply) => judged.set(id, (judged.get(id) ?? new Set()).add(reply)));
  const left = new Map(green.map((id) => [id, new Changes(changesOf([...(judged.get(id) ?? [])], history.replies))]));
  for (let idle = 0; idle < idleMax && left.size > 0; idle += 1) {
    const changed = changedBy([...left.values()]);
    if (changed.size === 0) break;
    const findings = findingsOf(suites, withChanges(history, changed), new Set(left.keys()));
    const seen = [...left.keys()].filter((id) => findings.of(id).some(({ verdict }) => verdict === 'failed'));
    for (const id of seen) left.delete(id);
    if (seen.length > 0) idle = 0;
    onShown(green.length - left.size);
  }
  return { musts: green.length, shown: green.length - left.size, notShown: [...left.keys()] };
}

/** Hands out what stands in place of replies, for one requirement; what does not fit into one round comes in the next. */
class Changes {
  private readonly all: Iterator<Reply>;
  private next: Reply | undefined;

  constructor(all: Iterator<Reply>) {
    this.all = all;
  }

  /** Adds the next one unless its reply is changed already; whether it did. */
  addTo(changed: Map<number, Reply>): boolean {
    this.next ??= this.all.next().value;
    if (this.next === undefined || changed.has(this.next.id)) return false;
    changed.set(this.next.id, this.next);
    this.next = undefined;
    return true;
  }
}

/** One of each in turn. */
function changedBy(all: readonly Changes[]): ReadonlyMap<number, Reply> {
  const changed = new Map<number, Reply>();
  const most = Math.min(changedMax, changedEach * all.length);
  for (let open = all; open.length > 0 && changed.size < most; ) open = open.filter((one) => one.addTo(changed));
  return changed;
}

const withChanges = (history: RecordedHistory, changed: ReadonlyMap<number, Reply>): RecordedHistory => ({
  ...history,
  replies: history.replies.map((reply) => changed.get(reply.id) ?? reply),
});

/** The replacement of a reply; undefined if it has nothing of that kind to change. */
type Edit = (reply: Reply) => Reply | undefined;
type Path = readonly string[];
type Value = (value: unknown) => unknown;

/** So many of the replies that a requirement was judged on are changed alone, evenly apart. */
const singlesMax = 30;
const pathsMax = 40;
const levelsMax = 6;
const dayMs = 86_400_000;
const item = '[]';
const dropped = Symbol('dropped');
const statuses = [200, 201, 400, 401, 403, 404, 409, 429, 500] as const;

/**
 * `judged`: the replies that could have failed a requirement. Each edit is made in one of them, another one each time;
 * then again in the next.
 */
function* changesOf(judged: readonly Reply[], all: readonly Reply[]): Generator<Reply, undefined> {
  const step = Math.max(1, judged.length / singlesMax);
  const singles = judged.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step)).toReversed();
  const edits = singles.map((reply) => editsOf(reply, all));
  const most = Math.max(0, ...edits.map(({ length }) => length));
  for (let pass = 0; pass < singles.length; pass += 1)
    for (let index = 0; index < most; index += 1) {
      const place = (index + pass) % singles.length;
      const [reply, edit] = [singles[place], edits[place]?.[index]];
      const changed = reply && edit?.(reply);
      // What a gateway might have sent would be judged by nobody.
      if (changed && doubtOf(changed) === undefined) yield changed;
    }
}

const byOperation = computedOnce((all: readonly Reply[]) => grouped(all, ({ operation }) => String(operation)));

/** Other replies to the same operation, those that came next to it first. */
function nearestTo(reply: Reply, all: readonly Reply[]): readonly Reply[] {
  const distance = ({ id }: Reply): number => Math.abs(id - reply.id);
  const alike = byOperation(all).get(String(reply.operation)) ?? [];
  return alike.filter((one) => one.text !== reply.text).toSorted((one, other) => distance(one) - distance(other));
}

/** In turn one of each kind, until there are no more. */
function editsOf(reply: Reply, all: readonly Reply[]): Edit[] {
  const nearest = nearestTo(reply, all);
  const deepest = pathsIn(reply.json).sort((one, other) => other.length - one.length);
  const paths = deepest.map((path, index) => deepest.at(index % 2 === 0 ? index / 2 : -(index + 1) / 2) ?? path);
  const instead = (some: readonly Reply[]): Edit[] => some.map((other) => () => replaced(reply, other));
  const others = [...byOperation(all).values()].flatMap((some) => some.find(wasAccepted) ?? []);
  const same = nearest.filter(({ request }) => request.url === reply.request.url);
  const kinds: readonly (readonly Edit[])[] = [
    instead(nearest.filter((one) => wasAccepted(one) !== wasAccepted(reply))),
    instead([...same, ...nearest]),
    paths.map((path) => inBody(path, another)),
    paths.map((path) => inBody(path, () => dropped)),
    paths.flatMap((path) =>
      lists.map((change) => inBody(path, (value) => (Array.isArray(value) ? change(value) : value))),
    ),
    statuses.map((status) => (one) => ({ ...one, status })),
    paths.map((path) => inBody(path, retyped)),
    paths.map((path) => inBody(path, () => null)),
    paths.map((path) => inBody(path, (value) => (typeof value === 'string' ? value.replace(/[^ -~]/g, '?') : value))),
    others.map((other) => inBody([], (body) => withMembers(body, other.json))),
    Object.keys(reply.headers).map(inHeader),
  ];
  const most = Math.max(...kinds.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => kinds.flatMap((edits) => edits[index] ?? [])).flat();
}

const replaced = (reply: Reply, { status, headers, text, json }: Reply): Reply => ({
  ...reply,
  status,
  headers,
  text,
  json,
});

const inHeader =
  (name: string): Edit =>
  (reply) =>
    reply.headers[name] === undefined
      ? undefined
      : { ...reply, headers: { ...reply.headers, [name]: 'another/value' } };

/** The change at every place that the path leads to. */
const inBody =
  (path: Path, change: Value): Edit =>
  (reply) => {
    const json = changedAt(reply.json, path, change);
    const text = JSON.stringify(json);
    return text === JSON.stringify(reply.json) ? undefined : { ...reply, json, text };
  };

function changedAt(value: unknown, [step, ...rest]: Path, change: Value): unknown {
  if (step === undefined) return change(value);
  if (step === item && Array.isArray(value))
    return value.map((one) => changedAt(one, rest, change)).filter((one) => one !== dropped);
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: old, ...others } = value;
  const now = changedAt(old, rest, change);
  return now === dropped ? others : { ...value, [step]: now };
}

/** The places of a body, each once however many records have it; `[]` is every item of a list. */
function pathsIn(value: unknown, path: Path = [], found = new Map<string, Path>()): Path[] {
  if (path.length <= levelsMax && found.size < pathsMax) {
    found.set(path.join('/'), path);
    if (Array.isArray(value)) for (const one of value) pathsIn(one, [...path, item], found);
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) pathsIn(one, [...path, name], found);
  }
  return [...found.values()];
}

/** Another value of the same type. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  if (typeof value !== 'string') return 'x';
  const time = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? `${value}x` : new Date(time + dayMs).toISOString();
}

const retyped: Value = (value) =>
  Array.isArray(value) ? {} : isObject(value) ? [] : typeof value === 'string' ? 7 : 'text';

/** With what another body has besides: its members, and those of its records. */
function withMembers(body: unknown, other: unknown): unknown {
  if (!isObject(body) || !isObject(other)) return body;
  const [record] = [other.data].flat();
  const more = (one: unknown): unknown => (isObject(one) && isObject(record) ? { ...record, ...one } : one);
  return { ...other, ...body, data: Array.isArray(body.data) ? body.data.map(more) : more(body.data) };
}

/** A record that is in no list yet. */
const otherRecord = (one: unknown): unknown =>
  isObject(one) ? Object.fromEntries(Object.entries(one).map(([name, value]) => [name, another(value)])) : one;

/** The same record under another identifier. */
const doubled = (one: unknown): unknown => (isObject(one) && 'id' in one ? { ...one, id: another(one.id) } : one);

const lists: readonly ((list: readonly unknown[]) => unknown)[] = [
  (list) => list.slice(1),
  (list) => list.flatMap((one) => [one, doubled(one)]),
  (list) => [...list, ...list],
  (list) => [...list, otherRecord(list.at(-1))],
  (list) => list.toReversed(),
  (list) => list.slice(0, -1),
];
