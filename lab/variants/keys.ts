// Unusual API keys and Idempotency-Keys: keys that end with their maker, without a tier, and keys that are no UUID.
import type { Wrap } from '../mutants/mutant.ts';
import { altered, instead, isObject, type Json, lastSegment, onSuccess } from '../mutants/wrappers/mutator.ts';
import { ask, onRecords } from '../mutants/wrappers/records.ts';
import { isKey, tokenOf } from '../mutants/wrappers/tokens.ts';
import { variants } from './variant.ts';

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

const batchMs = 30_000;

interface Uses {
  /** The time of the last recorded use. */
  written?: number;
  /** Uses that are not recorded yet. */
  readonly waiting: number[];
}

/** Records the uses of a key thirty seconds after the first of them. */
function writeDown(uses: Uses, now: number): void {
  for (let [first] = uses.waiting; first !== undefined && now - first >= batchMs; [first] = uses.waiting) {
    const end = first + batchMs;
    const later = uses.waiting.filter((at) => at > end);
    uses.written = uses.waiting.findLast((at) => at <= end) ?? first;
    uses.waiting.splice(0, uses.waiting.length, ...later);
  }
}

/** Uses are written down in batches, and the list shows what is written. */
const usedInBatches: Wrap = (honest, clock) => {
  const usesOf = new Map<string, Uses>();
  const lastUse = ({ key_prefix }: Json): string | null => {
    const [, uses] = [...usesOf].find(([token]) => token.startsWith(String(key_prefix))) ?? [];
    if (uses) writeDown(uses, clock.now());
    return uses?.written === undefined ? null : new Date(uses.written).toISOString();
  };
  const shown = onRecords('GET /api-keys', (key) => ({ ...key, last_used_at: lastUse(key) }))(honest, clock);
  return async (request) => {
    const at = clock.now();
    const response = await shown(request);
    const token = tokenOf({ request });
    if (response.status === 401 || !isKey(token)) return response;
    const uses = usesOf.get(token) ?? { waiting: [] };
    usesOf.set(token, uses);
    uses.waiting.push(at);
    return response;
  };
};

/** Stores the reply to a key creation without the secret, which is shown only once. */
const secretsOnce: Wrap = (honest, clock) => {
  const stored = new Map<string, Json>();
  const storing = onSuccess('POST /api-keys', (json, seen) => {
    const { api_key: _, ...data } = isObject(json.data) ? json.data : {};
    const key = seen.request.headers.get('idempotency-key');
    if (key !== null) stored.set(key, { ...json, data });
    return json;
  })(honest, clock);
  return instead('POST /api-keys', ({ request }) => {
    const known = stored.get(request.headers.get('idempotency-key') ?? '');
    return known && Response.json(known, { status: 201 });
  })(storing, clock);
};

export default variants({
  'keys-end-with-their-maker': {
    why: 'What becomes of the keys that a key has made when it is revoked is not said.',
    wrap: endingWithMaker,
  },
  'keys-without-a-tier': {
    why: 'The tier of a valid key is a text; of an account without a subscription it may be an empty one.',
    wrap: onSuccess('POST /auth/validate-api-key', ({ data, ...json }) => ({
      ...json,
      data: isObject(data) && data.valid === true ? { ...(data as Json), tier: '' } : data,
    })),
  },
  'keys-used-in-batches': {
    why: 'How soon last_used_at shows that a key was used is not said: uses may be written down in batches.',
    wrap: usedInBatches,
  },
  'keys-of-another-form-than-a-uuid-ignored': {
    why: 'An Idempotency-Key is shown as a UUID; what another one does is not said, and it may be ignored.',
    wrap: instead(
      ({ request }) => !uuid.test(request.headers.get('idempotency-key') ?? '00000000-0000-0000-0000-000000000000'),
      async (seen, honest) => honest(await altered(seen, { headers: { 'idempotency-key': null } })),
    ),
  },
  'key-creation-stored-without-secret': {
    why: 'What a repeated key creation answers is not said, and the secret is shown only once.',
    wrap: secretsOnce,
  },
});
