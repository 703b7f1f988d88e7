// What holds of a page however it was asked for: its members, the bounds of its limit, and what it says of the rest.
import { isObject, type Json } from '../../wrappers/json.ts';
import { type Difference, differs } from './envelope.ts';

export interface Page {
  readonly data: readonly unknown[];
  readonly pagination: Json;
}

export function pageOf(json: unknown): Page | undefined {
  if (!isObject(json)) return undefined;
  const { data, pagination } = json;
  return Array.isArray(data) && isObject(pagination) ? { data, pagination } : undefined;
}

const base64 = /^[\w+/-]+={0,2}$/;
export const isCursor = (value: unknown): boolean => typeof value === 'string' && base64.test(value);

const isBetween = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/** limit-range, page-length, has-more-judged: what a page says of itself. */
function ownFault({ data, pagination }: Page): Difference {
  const { total, limit, has_more, next_cursor } = pagination;
  if (!isBetween(limit, 1, 200)) return differs('pagination.limit', 'a number from 1 to 200', limit);
  if (data.length > Number(limit)) return `data has ${data.length} entries under a limit of ${limit}`;
  if (!isBetween(total, data.length, Number.MAX_SAFE_INTEGER)) return differs('pagination.total', 'a number', total);
  if (typeof has_more !== 'boolean') return differs('pagination.has_more', 'true or false', has_more);
  const isByOffset = 'offset' in pagination;
  if (has_more && !isByOffset && !isCursor(next_cursor))
    return differs('pagination.next_cursor', 'a text', next_cursor);
  return undefined;
}

/** The total, and whether more remains, beside an honest page that begins at the same record. */
function restFault(honest: Page, { data, pagination }: Page): Difference {
  const { total, has_more } = honest.pagination;
  if (pagination.total !== total) return differs('pagination.total', total, pagination.total);
  if (pagination.has_more === true) return undefined;
  const isEnough = has_more === true ? data.length > honest.data.length : data.length === honest.data.length;
  return isEnough ? undefined : differs('pagination.has_more', true, pagination.has_more);
}

/** `honest`: the page that begins at the same record, where it is known. */
export function pageFault(other: unknown, honest: Page | undefined): Difference {
  if (!isObject(other)) return 'the reply is not a JSON object';
  const { request_id, timestamp } = other;
  if (typeof request_id !== 'string' || request_id === '') return differs('request_id', 'a text', request_id);
  if (typeof timestamp !== 'string') return differs('timestamp', 'a text', timestamp);
  const page = pageOf(other);
  if (page === undefined) return 'the reply is not a page';
  return ownFault(page) ?? (honest && restFault(honest, page));
}
