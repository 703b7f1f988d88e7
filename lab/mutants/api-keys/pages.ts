// Wrong ways to list keys in pages, and to let out their secrets.
import { type Mutant, mutant, type Wrap } from '../mutant.ts';
import { onSuccess, rewritten } from '../wrappers/mutator.ts';
import { ask, bodyOf, type Json } from '../wrappers/records.ts';
import { isSession, knowingKeys, type Scene, tokenOf } from '../wrappers/tokens.ts';

const list = 'GET /api-keys';
const remove = 'DELETE /api-keys/{key_id}';
const validate = 'POST /auth/validate-api-key';
const keyPrefix = 'svc_sk_';

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

/** Takes each page from another place than it says. */
const misplaced = (place: (offset: number, limit: number) => number): Wrap =>
  knowingKeys(async ({ seen, honest }) => {
    if (seen.operation !== list) return undefined;
    const response = await honest(seen.request.clone());
    if (!response.ok) return response;
    const json = (await response.json()) as { data: Json[]; pagination: Pagination };
    const { limit, offset } = json.pagination;
    const path = `${seen.url.pathname}?limit=${limit}&offset=${place(offset, limit)}`;
    const { data } = await ask(honest, seen, 'GET', path);
    return rewritten(response, { ...json, data });
  });

/** Puts secrets of keys made in this run into replies. */
const leaking = (
  operation: string,
  leak: (json: Json, secrets: ReadonlyMap<unknown, string>, scene: Scene) => Json,
): Wrap =>
  knowingKeys(async (scene) => {
    const { seen, honest, keys } = scene;
    if (seen.operation !== operation) return undefined;
    const response = await honest(seen.request.clone());
    if (!response.ok) return response;
    const secrets = new Map([...keys].map(([secret, { id }]) => [id as unknown, secret]));
    return rewritten(response, leak((await response.json()) as Json, secrets, scene));
  });

const leakingList = (tell: (secret: string, item: Json, index: number) => Json): Wrap =>
  leaking(list, (json, secrets) => ({
    ...json,
    data: (json.data as Json[]).map((item, index) => {
      const secret = secrets.get(item.id);
      return secret === undefined ? item : { ...item, ...tell(secret, item, index) };
    }),
  }));

const noSecret = 'api-keys-list-no-secret';
const elsewhere = 'api-keys-secret-elsewhere';

export default [
  mutant(
    'api-keys-tells-offset-zero-always',
    { breaks: ['api-keys-list-pagination'] },
    onPagination((pagination) => ({ ...pagination, offset: 0 })),
  ),
  mutant(
    'api-keys-tells-limit-as-text',
    { breaks: ['api-keys-list-pagination'] },
    onPagination((pagination) => ({ ...pagination, limit: String(pagination.limit) })),
  ),
  mutant(
    'api-keys-leaves-out-has-more-on-last-pages',
    { breaks: ['api-keys-list-pagination'], collateral: { 'api-keys-list-has-more': 'it is not there to be right' } },
    onPagination(({ has_more, ...pagination }) => (has_more ? { ...pagination, has_more } : pagination)),
  ),
  mutant(
    'api-keys-repeats-the-last-key-of-a-page',
    { breaks: ['api-keys-list-offset-pages'] },
    misplaced((offset) => Math.max(0, offset - 1)),
  ),
  mutant(
    'api-keys-skips-a-key-between-pages',
    { breaks: ['api-keys-list-offset-pages'] },
    misplaced((offset) => (offset > 0 ? offset + 1 : 0)),
  ),
  mutant(
    'api-keys-takes-offset-for-a-page-number',
    { breaks: ['api-keys-list-offset-pages'] },
    misplaced((offset, limit) => offset * limit),
  ),
  mutant(
    'api-keys-counts-the-page-as-total',
    { breaks: ['api-keys-list-total'] },
    onPagination((pagination, length) => ({ ...pagination, total: length })),
  ),
  mutant(
    'api-keys-counts-only-what-follows',
    { breaks: ['api-keys-list-total'] },
    onPagination((pagination) => ({ ...pagination, total: pagination.total - pagination.offset })),
  ),
  mutant(
    'api-keys-takes-a-full-page-for-more',
    { breaks: ['api-keys-list-has-more'] },
    onPagination((pagination, length) => ({ ...pagination, has_more: length === pagination.limit })),
  ),
  mutant(
    'api-keys-has-no-more-where-one-is-left',
    { breaks: ['api-keys-list-has-more'] },
    onPagination((pagination) => ({
      ...pagination,
      has_more: pagination.offset + pagination.limit + 1 < pagination.total,
    })),
  ),
  mutant(
    'api-keys-lists-secrets-under-another-name',
    { breaks: [noSecret] },
    leakingList((secret) => ({ value: secret })),
  ),
  mutant(
    'api-keys-lists-secrets-without-their-prefix',
    { breaks: [noSecret] },
    leakingList((secret) => ({ hint: secret.slice(keyPrefix.length) })),
  ),
  mutant(
    'api-keys-lists-secrets-of-unused-keys-in-base64',
    { breaks: [noSecret] },
    leakingList((secret, { last_used_at }) =>
      last_used_at === null ? { token: Buffer.from(secret).toString('base64') } : {},
    ),
  ),
  mutant(
    'api-keys-lists-the-secret-of-the-second-key-of-a-page',
    { breaks: [noSecret] },
    leakingList((secret, _, index) => (index === 1 ? { link: `/keys?key=${secret}` } : {})),
  ),
  mutant(
    'api-keys-returns-the-secret-when-it-is-revoked',
    { breaks: [elsewhere] },
    leaking(remove, (json, secrets, { seen }) => {
      const secret = secrets.get(Number(seen.url.pathname.split('/').at(-1)));
      return { ...json, data: { ...(json.data as Json), revoked: secret ?? null } };
    }),
  ),
  mutant(
    'api-keys-echoes-the-validated-secret',
    { breaks: [elsewhere] },
    leaking(validate, (json, _, { seen, keys }) => {
      const secret = String(bodyOf(seen).api_key);
      return keys.has(secret) ? { ...json, data: { ...(json.data as Json), checked: secret } } : json;
    }),
  ),
  mutant(
    'api-keys-shows-the-secret-in-the-profile',
    { breaks: [elsewhere] },
    leaking('GET /me', (json, _, { seen }) =>
      isSession(seen) ? json : { ...json, data: { ...(json.data as Json), authenticated_with: tokenOf(seen) } },
    ),
  ),
] satisfies readonly Mutant[];
