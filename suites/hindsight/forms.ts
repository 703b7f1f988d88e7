// Records that are shown more than once, also those that others made: a text stays a text, and a number a number, whoever
// reads it.
import {
  dataOf,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  type JudgedId,
  type OperationId,
  type RecordKind,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { members } from './members.ts';

export const formIds = [
  'companies-read-record',
  'companies-list-record',
  'contacts-list-record',
] as const satisfies readonly JudgedId[];

const shown: { readonly [Id in OperationId]?: readonly [RecordKind, (typeof formIds)[number]] } = {
  'GET /companies/{company_id}': ['company', 'companies-read-record'],
  'GET /companies': ['company', 'companies-list-record'],
  'GET /contacts': ['contact', 'contacts-list-record'],
};

interface Showing {
  readonly reply: Reply;
  readonly kind: RecordKind;
  readonly id: (typeof formIds)[number];
  readonly record: JsonObject;
}

function showingsIn(reply: Reply): readonly Showing[] {
  const [kind, id] = (reply.operation && shown[reply.operation]) ?? [];
  if (kind === undefined || id === undefined || !wasAccepted(reply)) return [];
  const data = dataOf(reply);
  const records = Array.isArray(data) ? itemsOf(reply) : isObject(data) ? [data] : [];
  return records.map((record) => ({ reply, kind, id, record }));
}

const textsOf = (kind: RecordKind): readonly string[] => members[kind].filter((name) => name !== 'company_id');
const alikeMin = 2;

/** The same number alone may be given out on two accounts: texts say that it is one record. */
const areOne = ({ kind, record }: Showing, other: JsonObject): boolean =>
  textsOf(kind).filter((name) => typeof record[name] === 'string' && record[name] === other[name]).length >= alikeMin;

const isOdd = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== 'string';

const isNumbered = (one: Showing, { kind, record }: Showing): boolean =>
  typeof identifierOf(kind, record) === 'number' && areOne(one, record);

function retyped({ kind, record, reply, id }: Showing, other: Showing): Wrong {
  const found = { expected: identifierOf(kind, other.record), actual: identifierOf(kind, record) };
  const message = `the identifier of a ${kind} should be a number in every reply`;
  return wrong(id, reply.operation ?? 'GET /companies', message, { ...found, replies: [other.reply, reply] });
}

export function judgeForms({ replies }: Story): readonly Wrong[] {
  const showings = replies.flatMap(showingsIn);
  const byId = new Map<string, Showing[]>();
  const placeOf = ({ kind, record }: Showing): string => `${kind} ${identifierOf(kind, record)}`;
  for (const one of showings) {
    const same = byId.get(placeOf(one));
    if (same === undefined) byId.set(placeOf(one), [one]);
    else same.push(one);
  }
  return showings.flatMap((one): readonly Wrong[] => {
    const { kind, record, reply, id } = one;
    const others = byId.get(placeOf(one)) ?? [];
    const odd = textsOf(kind).filter((name) => isOdd(record[name]));
    const number = typeof identifierOf(kind, record) === 'string' && others.find((other) => isNumbered(one, other));
    const numbers = number ? [retyped(one, number)] : [];
    const texts = odd.flatMap((name): readonly Wrong[] => {
      const text = others.find((other) => typeof other.record[name] === 'string' && areOne(one, other.record));
      if (text === undefined) return [];
      const found = { expected: text.record[name], actual: record[name], replies: [text.reply, reply] };
      return [wrong(id, reply.operation ?? 'GET /companies', `${name} should be a text in every reply`, found)];
    });
    return [...numbers, ...texts];
  });
}
