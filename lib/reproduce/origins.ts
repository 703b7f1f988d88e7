// Where the values of a request came from: records, keys and cursors in earlier replies, by the operation that names
// them.
import { apiPath } from '../catalogue/operations.ts';
import { parseExactly } from '../client/large-integers.ts';
import { at, identifierOf, type RecordKind } from '../client/reply.ts';
import type { ReportedExchange } from '../result.ts';
import { computedOnce } from '../runtime/grouped.ts';

/** The exchange that brought a value, by `company 12`, `key 3`, `cursor abc`, `token MADE_KEY_3`. */
export type Origins = ReadonlyMap<string, ReportedExchange>;

const creations: Readonly<Record<string, RecordKind>> = {
  'POST /companies': 'company',
  'POST /companies/{company_id}/notes': 'note',
  'POST /contacts': 'contact',
  'POST /api-keys': 'key',
};

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

function broughtBy({ operation, response: { body, status } }: ReportedExchange): readonly string[] {
  const kind = creations[operation ?? ''];
  if (status >= 300 || (kind === undefined && !body.includes('"next_cursor"'))) return [];
  const json = parsed(body);
  const token = kind === 'key' ? /^<(\w+)>$/.exec(String(at(json, 'data', 'api_key')))?.[1] : undefined;
  const named: readonly (readonly [string, unknown])[] = [
    ...(kind === undefined ? [] : [[kind, identifierOf(kind, at(json, 'data'))] as const]),
    ['token', token],
    ['cursor', at(json, 'pagination', 'next_cursor')],
  ];
  return named.flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [],
  );
}

/** The values that the replies of a run brought; of several exchanges the first. */
export function originsIn(transcript: readonly ReportedExchange[]): Origins {
  const origins = new Map<string, ReportedExchange>();
  for (const exchange of transcript) {
    for (const key of broughtBy(exchange)) if (!origins.has(key)) origins.set(key, exchange);
  }
  return origins;
}

/** The path and query without the prefix that all operations share. */
export const routeOf = ({ request }: ReportedExchange): string =>
  request.url.slice(request.url.indexOf(apiPath) + apiPath.length);
export const pathOf = computedOnce((exchange: ReportedExchange): string => routeOf(exchange).split('?')[0] ?? '');
const cursorOf = (exchange: ReportedExchange): string | undefined =>
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

/** The company that a body names; escaped letters and white space are JSON, too. */
export const companyIn = (body: string): string | undefined =>
  /"(?:c|\\u0063)ompany_id"\s*:\s*"?(-?\d+)/.exec(body)?.[1];

/** The origins that a request uses; with the segment of the path, if it is one. */
export function usesOf(exchange: ReportedExchange): readonly { readonly key: string; readonly segment?: number }[] {
  const template = (exchange.operation ?? '').split(' ')[1]?.split('/') ?? [];
  const segments = pathOf(exchange).split('/');
  const company = companyIn(exchange.request.body ?? '');
  const cursor = cursorOf(exchange);
  return [
    ...template.flatMap((name, segment) => {
      const kind = kindOf[name];
      return kind === undefined ? [] : [{ key: `${kind} ${segments[segment]}`, segment }];
    }),
    ...(company === undefined ? [] : [{ key: `company ${company}` }]),
    ...(cursor === undefined ? [] : [{ key: `cursor ${cursor}` }]),
    ...tokensIn(exchange).map((name) => ({ key: `token ${name}` })),
  ];
}
