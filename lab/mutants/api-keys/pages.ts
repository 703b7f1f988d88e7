// Wrong ways to list keys in pages, and secrets that leak.

import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { lastSegment, onSuccess } from '../wrappers/mutator.ts';
import { keys as list, deleteKey as remove } from '../wrappers/operations.ts';
import { ask, bodyOf } from '../wrappers/records.ts';
import { asks, isSession, keyPrefix, onSuccessWithKeys, type Scene, tokenOf } from '../wrappers/tokens.ts';

const validate = 'POST /auth/validate-api-key';

interface Pagination {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

const onPagination = (change: (pagination: Pagination, length: number) => Json): Wrap =>
  onSuccess(list, (json) => ({
    ...json,
    pagination: change(json.pagination as Pagination, (json.data as Json[]).length),
  }));

/** Takes each page from an offset other than the one it reports. */
const misplaced = (place: (offset: number, limit: number) => number): Wrap =>
  onSuccessWithKeys(asks(list), async (json, { seen, honest }) => {
    const { limit, offset } = json.pagination as Pagination;
    const path = `${seen.url.pathname}?limit=${limit}&offset=${place(offset, limit)}`;
    const { data } = await ask(honest, seen, 'GET', path);
    return { ...json, data };
  });

/** Puts secrets of keys created in this run into replies. */
const leaking = (
  operation: string,
  leak: (json: Json, secrets: ReadonlyMap<unknown, string>, scene: Scene) => Json,
): Wrap =>
  onSuccessWithKeys(asks(operation), (json, scene) =>
    leak(json, new Map([...scene.keys].map(([secret, { id }]) => [id as unknown, secret])), scene),
  );

const leakingList = (leak: (secret: string, item: Json, index: number) => Json): Wrap =>
  leaking(list, (json, secrets) => ({
    ...json,
    data: (json.data as Json[]).map((item, index) => {
      const secret = secrets.get(item.id);
      return secret === undefined ? item : { ...item, ...leak(secret, item, index) };
    }),
  }));

const hasMoreOfTotal = { 'api-keys-list-has-more': 'what remains behind a page follows from the same total' } as const;

export default mutants({
  'api-keys-list-pagination': {
    'api-keys-tells-offset-zero-always': onPagination((pagination) => ({ ...pagination, offset: 0 })),
    'api-keys-tells-limit-as-text': onPagination((pagination) => ({ ...pagination, limit: String(pagination.limit) })),
    'api-keys-leaves-out-has-more-on-last-pages': {
      collateral: { 'api-keys-list-has-more': 'without the member there is nothing to check' },
      wrap: onPagination(({ has_more, ...pagination }) => (has_more ? { ...pagination, has_more } : pagination)),
    },
  },
  'api-keys-list-offset-pages': {
    'api-keys-repeats-the-last-key-of-a-page': {
      collateral: { 'api-keys-list-total': 'a last page with a key too many belies the total' },
      wrap: misplaced((offset) => Math.max(0, offset - 1)),
    },
    'api-keys-skips-a-key-between-pages': {
      collateral: { 'api-keys-list-total': 'the last page lacks a key that is counted' },
      wrap: misplaced((offset) => (offset > 0 ? offset + 1 : 0)),
    },
    'api-keys-takes-offset-for-a-page-number': {
      collateral: { 'api-keys-list-total': 'a page behind an offset lacks keys that are counted' },
      wrap: misplaced((offset, limit) => offset * limit),
    },
  },
  'api-keys-list-total': {
    'api-keys-counts-the-page-as-total': {
      collateral: hasMoreOfTotal,
      wrap: onPagination((pagination, length) => ({ ...pagination, total: length })),
    },
    'api-keys-counts-only-what-follows': {
      collateral: hasMoreOfTotal,
      wrap: onPagination((pagination) => ({ ...pagination, total: pagination.total - pagination.offset })),
    },
  },
  'api-keys-list-has-more': {
    'api-keys-takes-a-full-page-for-more': onPagination((pagination, length) => ({
      ...pagination,
      has_more: length === pagination.limit,
    })),
    'api-keys-has-no-more-where-one-is-left': onPagination((pagination) => ({
      ...pagination,
      has_more: pagination.offset + pagination.limit + 1 < pagination.total,
    })),
  },
  'api-keys-list-no-secret': {
    'api-keys-lists-secrets-under-another-name': leakingList((secret) => ({ value: secret })),
    'api-keys-lists-secrets-without-their-prefix': leakingList((secret) => ({ hint: secret.slice(keyPrefix.length) })),
    'api-keys-lists-secrets-of-unused-keys-in-base64': leakingList((secret, { last_used_at }) =>
      last_used_at === null ? { token: Buffer.from(secret).toString('base64') } : {},
    ),
    'api-keys-lists-the-secret-of-the-second-key-of-a-page': leakingList((secret, _, index) =>
      index === 1 ? { link: `/keys?key=${secret}` } : {},
    ),
  },
  'api-keys-secret-elsewhere': {
    'api-keys-returns-the-secret-when-it-is-revoked': leaking(remove, (json, secrets, { seen }) => {
      const secret = secrets.get(Number(lastSegment(seen)));
      return { ...json, data: { ...(json.data as Json), revoked: secret ?? null } };
    }),
    'api-keys-echoes-the-validated-secret': leaking(validate, (json, _, { seen, keys }) => {
      const secret = String(bodyOf(seen).api_key);
      return keys.has(secret) ? { ...json, data: { ...(json.data as Json), checked: secret } } : json;
    }),
    'api-keys-shows-the-secret-in-the-profile': leaking('GET /me', (json, _, { seen }) =>
      isSession(seen) ? json : { ...json, data: { ...(json.data as Json), authenticated_with: tokenOf(seen) } },
    ),
  },
});
