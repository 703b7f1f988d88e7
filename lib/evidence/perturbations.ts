// What can be changed in a recorded reply, whatever it is about: what a control puts in its place.
import { isObject } from '../client/reply.ts';
import type { WireReply } from '../client/transports/transport.ts';

export interface Perturbation {
  /** In words; undefined where a reply has nothing of that kind to change. */
  readonly kind: string;
  readonly of: (reply: WireReply) => WireReply | undefined;
}

type Json = Readonly<Record<string, unknown>>;
type Change = (value: unknown) => unknown;
/** Names of members from the outside to the inside; `[]` is every item of a list. */
type Path = readonly string[];

const item = '[]';
const dayMs = 86_400_000;
const statuses = [200, 201, 204, 400, 401, 403, 404, 409, 429, 500] as const;
/** Paths of one reply: beyond them a body is no record any more. */
const pathsMax = 80;
const levelsMax = 6;

export function bodyOf({ body }: WireReply): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function collect(value: unknown, path: Path, found: Map<string, Path>): void {
  if (path.length > levelsMax || found.size >= pathsMax) return;
  if (path.length > 0) found.set(path.join('/'), path);
  if (Array.isArray(value)) for (const one of value) collect(one, [...path, item], found);
  else if (isObject(value)) for (const [name, one] of Object.entries(value)) collect(one, [...path, name], found);
}

/** The places of a body, each once however many records have it. */
export function pathsIn(body: unknown): readonly Path[] {
  const found = new Map<string, Path>();
  collect(body, [], found);
  return [...found.values()];
}

const dropped = Symbol('dropped');

/** The body with the change at every place that the path leads to. */
function changedAt(value: unknown, [step, ...rest]: Path, change: Change): unknown {
  if (step === undefined) return change(value);
  if (step === item) {
    if (!Array.isArray(value)) return value;
    return value.map((one) => changedAt(one, rest, change)).filter((one) => one !== dropped);
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: old, ...others } = value;
  const now = changedAt(old, rest, change);
  return now === dropped ? others : { ...value, [step]: now };
}

/** A value of the same type that is another one. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  if (typeof value !== 'string') return 'x';
  const time = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? `${value}x` : new Date(time + dayMs).toISOString();
}

const retyped: Change = (value) => (typeof value === 'string' ? 7 : 'text');
const nothing: Change = () => null;

/** A record that is in no list yet. */
const stranger = (one: unknown): unknown =>
  isObject(one) ? Object.fromEntries(Object.entries(one).map(([name, value]) => [name, another(value)])) : one;

/** The same record under another identifier. */
const doubled = (one: unknown): unknown => (isObject(one) && 'id' in one ? { ...one, id: another(one.id) } : one);

type ListChange = (list: readonly unknown[]) => unknown;
const withoutFirst: ListChange = (list) => list.slice(1);
const withStranger: ListChange = (list) => [...list, stranger(list.at(-1))];
const withDoubles: ListChange = (list) => list.flatMap((one) => [one, doubled(one)]);

const lists: readonly ListChange[] = [
  () => [],
  (list) => list.toReversed(),
  withoutFirst,
  (list) => list.slice(0, -1),
  (list) => [...list, ...list],
  withStranger,
  withDoubles,
];

const inBody = (kind: string, change: (body: Json) => unknown): Perturbation => ({
  kind,
  of: (reply) => {
    const body = bodyOf(reply);
    if (!isObject(body)) return undefined;
    const text = JSON.stringify(change(body));
    return text === JSON.stringify(body) ? undefined : { ...reply, body: text };
  },
});

const memberChanges: readonly (readonly [kind: string, change: Change])[] = [
  ['a member changed', another],
  ['a member dropped', () => dropped],
  ['a member of another type', retyped],
  ['a member emptied', nothing],
];

/** Changes of single members, wherever they stand, by the place. */
export const memberPerturbations: readonly ((path: Path) => Perturbation)[] = memberChanges.map(
  ([kind, change]) =>
    (path) =>
      inBody(kind, (body) => changedAt(body, path, change)),
);

const listChange = (path: Path, change: ListChange): Perturbation =>
  inBody('another list', (body) => changedAt(body, path, (value) => (Array.isArray(value) ? change(value) : value)));

/** Changes of a list as a whole. */
export const listPerturbations = (path: Path): Perturbation[] => lists.map((change) => listChange(path, change));

/** The list of a page has a record too few or too many, or has each twice. */
export const shortPerturbations: readonly Perturbation[] = [withoutFirst, withStranger, withDoubles].map((change) =>
  listChange(['data'], change),
);

export const statusPerturbations: readonly Perturbation[] = statuses.map((status) => ({
  kind: 'another status',
  of: (reply) => (reply.status === status ? undefined : { ...reply, status }),
}));

/** One word more in a list of words. */
export const withWord = (path: Path, word: string): Perturbation =>
  inBody('a word too many', (body) =>
    changedAt(body, path, (value) => (Array.isArray(value) && !value.includes(word) ? [...value, word] : value)),
  );

export const codePerturbations: readonly Perturbation[] = ['ANOTHER_CODE', 'NOT_FOUND', 'UNAUTHORIZED'].map((code) =>
  inBody('another error code', (body) => changedAt(body, ['error', 'code'], () => code)),
);

export const noJson: Perturbation = { kind: 'no JSON', of: (reply) => ({ ...reply, body: 'OK' }) };

export const headerPerturbation = (name: string): Perturbation => ({
  kind: 'a header changed',
  of: (reply) =>
    reply.headers[name] === undefined
      ? undefined
      : { ...reply, headers: { ...reply.headers, [name]: 'another/value' } },
});

/** What else a record could show: another member, in each record and in the body itself. */
export const additions = (members: Json): Perturbation[] => [
  inBody('a member too many', (body) => ({ ...body, ...members })),
  inBody('a member too many', (body) => ({
    ...body,
    data: Array.isArray(body.data)
      ? body.data.map((one) => (isObject(one) ? { ...one, ...members } : one))
      : isObject(body.data)
        ? { ...body.data, ...members }
        : body.data,
  })),
];

/** As if a refused write had been carried out: its members stand in the record, or in one more. */
export const carriedOut = (members: Json): Perturbation =>
  inBody('a refused write carried out', (body) => {
    const { data } = body;
    if (isObject(data)) return { ...body, data: { ...data, ...members } };
    if (!Array.isArray(data)) return body;
    const model: unknown = stranger(data.at(-1));
    return { ...body, data: [...data, { ...(isObject(model) ? model : { id: 999_999 }), ...members }] };
  });

export const instead = (kind: string, other: WireReply): Perturbation => ({
  kind,
  of: (reply) => (reply.status === other.status && reply.body === other.body ? undefined : other),
});
