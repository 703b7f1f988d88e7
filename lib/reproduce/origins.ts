// Where the values of a request came from: records, keys and cursors that an earlier reply brought, by the operation that names them.
import { apiPath } from '../catalogue/operations.ts';
import { parseExactly } from '../client/large-integers.ts';
import { at, identifierOf, type RecordKind } from '../client/reply.ts';
import type { ReportedExchange } from '../result.ts';
import { computedOnce } from '../runtime/grouped.ts';

/** A value in a reply, found again by the name of its member and how many of that name stand before it. */
interface Origin {
  readonly exchange: ReportedExchange;
  /** The shell variable that holds it. */
  readonly variable: string;
  readonly member: string;
  /** 1 is the first of that name. */
  readonly nth: number;
}

/** By `company 12`, `key 3`, `cursor abc`, `token MADE_KEY_3`. */
export type Origins = ReadonlyMap<string, Origin>;

const creations: Readonly<Record<string, RecordKind>> = {
  'POST /companies': 'company',
  'POST /companies/{company_id}/notes': 'note',
  'POST /contacts': 'contact',
  'POST /api-keys': 'key',
};

/** As the generated script looks for a member; both must find the same. */
const memberPattern = (name: string): RegExp => new RegExp(`"${name}" *: *("[^"]*"|[^\\],}]*)`, 'g');

function place(body: string, names: readonly string[], value: string): Pick<Origin, 'member' | 'nth'> | undefined {
  for (const member of names) {
    const values = [...body.matchAll(memberPattern(member))].map(([, found = '']) =>
      found.trim().replace(/^"|"$/g, ''),
    );
    const index = values.indexOf(value);
    if (index >= 0) return { member, nth: index + 1 };
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

function broughtBy(exchange: ReportedExchange): readonly [string, Origin][] {
  const { body, status } = exchange.response;
  if (status >= 300) return [];
  const kind = creations[exchange.operation ?? ''];
  const wanted: [string, string, readonly string[]][] = [];
  const add = (key: string, value: unknown, variable: string, ...names: string[]): void => {
    if (typeof value === 'string' || typeof value === 'number') wanted.push([`${key} ${value}`, variable, names]);
  };
  if (kind === undefined && !body.includes('"next_cursor"')) return [];
  const json = parsed(body);
  const id = kind && identifierOf(kind, at(json, 'data'));
  if (kind !== undefined)
    add(kind, id, `${kind.toUpperCase()}_${id}`.replace(/\W/g, '_'), 'id', `${kind}_id`, `${kind}Id`);
  if (kind === 'key') {
    const token = /^<(\w+)>$/.exec(String(at(json, 'data', 'api_key')))?.[1];
    if (token !== undefined) wanted.push([`token ${token}`, token, ['api_key']]);
  }
  add('cursor', at(json, 'pagination', 'next_cursor'), `CURSOR_${exchange.id}`, 'next_cursor');
  return wanted.flatMap(([key, variable, names]): [string, Origin][] => {
    const value = key.startsWith('token ') ? `<${variable}>` : key.slice(key.indexOf(' ') + 1);
    const found = place(body, names, value);
    return found ? [[key, { exchange, variable, ...found }]] : [];
  });
}

/** What the replies of a run brought; where two brought the same, the first. */
export function originsIn(transcript: readonly ReportedExchange[]): Origins {
  const origins = new Map<string, Origin>();
  for (const exchange of transcript) {
    for (const [key, origin] of broughtBy(exchange)) if (!origins.has(key)) origins.set(key, origin);
  }
  return origins;
}

/** Path, with its query, behind the prefix that all operations share. */
export const routeOf = ({ request }: ReportedExchange): string =>
  request.url.slice(request.url.indexOf(apiPath) + apiPath.length);
export const pathOf = computedOnce((exchange: ReportedExchange): string => routeOf(exchange).split('?')[0] ?? '');
export const cursorOf = (exchange: ReportedExchange): string | undefined =>
  new URLSearchParams(routeOf(exchange).split('?')[1] ?? '').get('cursor') ?? undefined;

/** The names in angle brackets, which stand for secrets. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/<([^<>]+)>/g)].map(([, name = '']) => name);

export const tokensIn = computedOnce(({ request }: ReportedExchange): readonly string[] =>
  namesIn(`${request.headers.authorization ?? ''}${request.body ?? ''}`),
);

const kindOf: Readonly<Record<string, RecordKind>> = {
  '{company_id}': 'company',
  '{note_id}': 'note',
  '{key_id}': 'key',
};

/** The company that a body names, with what stands before it: white space and a letter that is escaped are JSON, too. */
export const companyIn = (body: string): RegExpExecArray | null =>
  /("(?:c|\\u0063)ompany_id"\s*:\s*"?)(-?\d+)/.exec(body);

/** The keys under which what a request uses may be found among the origins; with the segment of the path where it is one. */
export function usesOf(
  exchange: ReportedExchange,
): readonly { readonly key: string; readonly segment?: number; readonly inBody?: true }[] {
  const template = (exchange.operation ?? '').split(' ')[1]?.split('/') ?? [];
  const segments = pathOf(exchange).split('/');
  const company = companyIn(exchange.request.body ?? '')?.[2];
  const cursor = cursorOf(exchange);
  return [
    ...template.flatMap((name, segment) => {
      const kind = kindOf[name];
      return kind === undefined ? [] : [{ key: `${kind} ${segments[segment]}`, segment }];
    }),
    ...(company === undefined ? [] : [{ key: `company ${company}`, inBody: true as const }]),
    ...(cursor === undefined ? [] : [{ key: `cursor ${cursor}` }]),
    ...tokensIn(exchange).map((name) => ({ key: `token ${name}` })),
  ];
}
