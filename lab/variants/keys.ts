// Unusual API keys and Idempotency-Keys: keys that end with their maker, without a tier, and keys that are no UUID.
import type { Wrap } from '../mutants/mutant.ts';
import { isObject, type Json } from '../mutants/wrappers/json.ts';
import { altered, instead, lastSegment, onSuccess } from '../mutants/wrappers/mutator.ts';
import { ask } from '../mutants/wrappers/records.ts';
import { tokenOf } from '../mutants/wrappers/tokens.ts';
import type { Variant } from './variant.ts';

interface Made {
  readonly id: string;
  readonly token: unknown;
}

/** Revokes all that a key has made before the key itself. */
const endingWithMaker: Wrap = (honest, clock) => {
  const madeBy = new Map<unknown, Made[]>();
  const tokens = new Map<string, unknown>();
  const childrenOf = (token: unknown): Made[] =>
    (madeBy.get(token) ?? []).flatMap((one) => [...childrenOf(one.token), one]);
  const noting = onSuccess('POST /api-keys', (json, seen) => {
    const data = isObject(json.data) ? json.data : {};
    const made = { id: String(data.id ?? data.key_id), token: data.api_key };
    tokens.set(made.id, made.token);
    madeBy.set(tokenOf(seen), [...(madeBy.get(tokenOf(seen)) ?? []), made]);
    return json;
  })(honest, clock);
  return instead('DELETE /api-keys/{key_id}', async (seen, inner) => {
    const children = childrenOf(tokens.get(lastSegment(seen)));
    const deletion = await altered(seen, {});
    const response = await inner(deletion);
    if (response.ok) for (const { id } of children) await ask(inner, seen, 'DELETE', `/api/external/v2/api-keys/${id}`);
    return response;
  })(noting, clock);
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const variants: readonly Variant[] = [
  {
    id: 'keys-end-with-their-maker',
    why: 'What becomes of the keys that a key has made when it is revoked is not said.',
    wrap: endingWithMaker,
  },
  {
    id: 'keys-without-a-tier',
    why: 'The tier of a valid key is a text; of an account without a subscription it may be an empty one.',
    wrap: onSuccess('POST /auth/validate-api-key', ({ data, ...json }) => ({
      ...json,
      data: isObject(data) && data.valid === true ? { ...(data as Json), tier: '' } : data,
    })),
  },
  {
    id: 'keys-of-another-form-than-a-uuid-ignored',
    why: 'An Idempotency-Key is shown as a UUID; what another one does is not said, and it may be ignored.',
    wrap: instead(
      ({ request }) => !uuid.test(request.headers.get('idempotency-key') ?? '00000000-0000-0000-0000-000000000000'),
      async (seen, honest) => honest(await altered(seen, { headers: { 'idempotency-key': null } })),
    ),
  },
];

export default variants;
