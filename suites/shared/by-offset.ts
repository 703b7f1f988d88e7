// Whether a page goes on by offset or by cursor: an offset beside a cursor is a further member, which is lawful.
import { at, isObject, type Reply } from '../../lib/index.ts';

/** A page in offset mode. Where none was asked for, that is one with an offset which no cursor leads on from. */
export function isByOffset({ operation, request, json }: Reply): boolean {
  const pagination = at(json, 'pagination');
  if (!isObject(pagination) || !Object.hasOwn(pagination, 'offset')) return false;
  const { searchParams } = new URL(request.url);
  if (operation === 'GET /api-keys' || searchParams.has('sort') || searchParams.has('offset')) return true;
  const { offset, has_more, next_cursor } = pagination;
  if (offset === null || searchParams.has('cursor')) return false;
  const leadsOn = typeof next_cursor === 'string' && next_cursor !== '';
  const isLast = has_more === false && ('cursor' in pagination || 'next_cursor' in pagination);
  return !leadsOn && !isLast;
}
