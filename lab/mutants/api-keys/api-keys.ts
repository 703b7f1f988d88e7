// Wrong ways to create keys: their labels, their secrets, and what is shown of them.

import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, always, instead, lastSegment, onSuccess, unauthorized } from '../wrappers/mutator.ts';
import { asItIs } from '../wrappers/nodes.ts';
import { createKey as create, keys as list } from '../wrappers/operations.ts';
import { bodyOf, lenient, onMember, onRecords, storesRefused, strict } from '../wrappers/records.ts';
import { keyPrefix, knowingKeys, onSuccessWithKeys, type Scene, tokenOf } from '../wrappers/tokens.ts';

const validate = 'POST /auth/validate-api-key';

/** The operations whose replies show keys. */
const shown = [create, list];

const labelOf = (body: Json): string => (typeof body.label === 'string' ? body.label : '');
const charactersIn = (body: Json): number => [...labelOf(body)].length;
const bytesIn = (body: Json): number => Buffer.byteLength(labelOf(body));
const cut = (text: string, most: number): string => [...text].slice(0, most).join('');

/** Cuts labels longer than `most`, unless they are longer than `bound`. */
const shorter = (most: number, bound = Number.POSITIVE_INFINITY): Wrap =>
  lenient(
    create,
    (body) => charactersIn(body) > most && charactersIn(body) <= bound,
    (body) => ({ label: cut(labelOf(body), most) }),
  );

/** Issues keys with another prefix, and accepts them. */
const otherPrefix: Wrap = (honest, clock) => {
  const [right, wrong] = [keyPrefix, 'svc_pk_'];
  const replaced = (value: unknown) => String(value).replace(right, wrong);
  const showing = onRecords(shown, (record) => ({
    ...record,
    key_prefix: replaced(record.key_prefix),
    ...(record.api_key === undefined ? {} : { api_key: replaced(record.api_key) }),
  }))(honest, clock);
  return instead(always, async (seen, inner) => {
    const authorization = seen.request.headers.get('authorization')?.replace(wrong, right) ?? null;
    const asked = seen.operation === validate ? { body: mended(bodyOf(seen), wrong, right) } : {};
    return inner(await altered(seen, { headers: { authorization }, ...asked }));
  })(showing, clock);
};

const mended = (body: Json, wrong: string, right: string): Json =>
  typeof body.api_key === 'string' ? { ...body, api_key: body.api_key.replace(wrong, right) } : body;

/** Refuses the first request with a key that has a long label. */
const sleepy: Wrap = knowingKeys(({ own }) =>
  own?.uses === 0 && charactersIn({ ...own }) > 200 ? unauthorized() : undefined,
);

/** A masked secret. */
const masked = (secret: unknown): string => `${String(secret).slice(0, 12)}${'*'.repeat(30)}`;

const coerced = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

const hasNoLabel = (body: Json): boolean => !('label' in body);
const untitled = (): Json => ({ label: 'Untitled key' });

/** The time of creation, rounded to the day. */
const roundedToDay = (time: unknown): string => `${String(time).slice(0, 10)}T00:00:00Z`;

/** Records the use of a key only when it writes. */
const countingWritesOnly: Wrap = (honest, clock) => {
  const wrote = new Set<string>();
  const isList = ({ seen, own }: Scene): boolean => {
    if (own && seen.request.method !== 'GET') wrote.add(String(own.id));
    return seen.operation === list;
  };
  return onSuccessWithKeys(isList, (json, { keys }) => {
    const made = new Set([...keys.values()].map(({ id }) => id));
    const data = (json.data as Json[]).map((one) =>
      made.has(Number(one.id)) && !wrote.has(String(one.id)) ? { ...one, last_used_at: null } : one,
    );
    return { ...json, data };
  })(honest, clock);
};

/** A key gets the number of the one that was made before it with the same token, if that one lives; a third gets a new one. */
const numberedInPairs: Wrap = (honest, clock) => {
  /** The keys of a number, by the numbers that the honest server has given them. */
  const living = new Map<number, number[]>();
  const numbers = new Map<number, number>();
  const latest = new Map<string, number>();
  const made = onRecords(create, (key, seen) => {
    const id = Number(key.id);
    const before = latest.get(tokenOf(seen)) ?? id;
    const number = living.get(before)?.length === 1 ? before : id;
    latest.set(tokenOf(seen), number);
    numbers.set(id, number);
    living.set(number, [...(living.get(number) ?? []), id]);
    return { ...key, id: number };
  })(honest, clock);
  const listed = onRecords(list, (key) => ({ ...key, id: numbers.get(Number(key.id)) ?? key.id }))(made, clock);
  return instead('DELETE /api-keys/{key_id}', async (seen, inner) => {
    const number = Number(lastSegment(seen));
    const [id, ...others] = living.get(number) ?? [];
    if (id === undefined) return undefined;
    const response = await inner(await altered(seen, { url: new URL(String(id), seen.url).href }));
    if (response.ok) living.set(number, others);
    return response;
  })(listed, clock);
};

export default mutants({
  'api-keys-create-id': {
    'api-keys-gives-two-keys-one-number': {
      collateral: { 'envelope-valid-served': 'who revokes one of the two by its number has revoked the other one' },
      wrap: numberedInPairs,
    },
    'api-keys-tells-ids-as-texts': {
      collateral: { 'api-keys-list-record': 'the list shows the same' },
      wrap: onMember(shown, 'id', String),
    },
  },
  'api-keys-create-label': {
    'api-keys-writes-labels-in-small-letters': onMember(shown, 'label', (label) => String(label).toLowerCase()),
    'api-keys-replaces-markup-in-labels': onMember(shown, 'label', (label) => String(label).replace(/[<>"]/g, '_')),
  },
  'api-keys-create-secret': {
    'api-keys-issues-another-prefix': otherPrefix,
  },
  'api-keys-create-key-prefix': {
    'api-keys-tells-the-end-of-the-secret-as-prefix': onRecords(shown, (record) => ({
      ...record,
      key_prefix: String(record.id).padStart(12, '0'),
    })),
  },
  'api-keys-create-created-at': {
    'api-keys-tells-creation-in-seconds': {
      collateral: { 'api-keys-list-record': 'the list shows the same' },
      wrap: onMember(shown, 'created_at', (time) => Date.parse(String(time)) / 1000),
    },
  },
  'api-keys-create-works': {
    'api-keys-refuses-the-first-use-under-a-long-label': {
      collateral: { 'authentication-key-accepted': 'a key that the run made is live until it is revoked' },
      wrap: sleepy,
    },
    'api-keys-masks-the-new-secret-under-a-long-label': {
      collateral: { 'authentication-key-accepted': 'a key that the run made is live until it is revoked' },
      wrap: onRecords(create, (record) =>
        charactersIn(record) > 200 ? { ...record, api_key: masked(record.api_key) } : record,
      ),
    },
  },
  'api-keys-label-lengths': {
    'api-keys-cuts-labels-at-250': shorter(250, 255),
    'api-keys-counts-labels-in-bytes': strict(create, (body) => bytesIn(body) > 255),
    'api-keys-refuses-255-characters': strict(create, (body) => charactersIn(body) === 255),
    'api-keys-refuses-one-character': strict(create, (body) => charactersIn(body) === 1),
  },
  'api-keys-label-missing': {
    'api-keys-names-what-has-no-label': lenient(create, hasNoLabel, untitled),
    'api-keys-turns-labels-into-texts': lenient(
      create,
      (body) => !hasNoLabel(body) && typeof body.label !== 'string',
      (body) => ({ label: coerced(body.label) }),
    ),
    'api-keys-refuses-missing-labels-as-forbidden': strict(create, hasNoLabel, 403),
  },
  'api-keys-label-out-of-bounds': {
    'api-keys-cuts-labels-of-256': shorter(255),
    'api-keys-names-what-has-an-empty-label': lenient(create, ({ label }) => label === '', untitled),
  },
  'api-keys-create-refused-effect': {
    'api-keys-makes-the-key-it-refuses-as-too-long': storesRefused(
      (seen) => seen.operation === create && charactersIn(bodyOf(seen)) > 255,
      (body) => ({ label: cut(labelOf(body), 255) }),
    ),
    'api-keys-makes-the-key-it-refuses-for-want-of-a-label': storesRefused(
      (seen) => seen.operation === create && hasNoLabel(bodyOf(seen)),
      () => ({ label: 'undefined' }),
    ),
  },
  'api-keys-list-contains': {
    'api-keys-lists-no-long-labels': onSuccess(list, (json) => {
      const all = json.data as Json[];
      const data = all.filter((one) => charactersIn(one) < 200);
      const pagination = json.pagination as { total: number };
      return { ...json, data, pagination: { ...pagination, total: pagination.total - (all.length - data.length) } };
    }),
  },
  'api-keys-list-record': {
    'api-keys-lists-shortened-labels': onMember(list, 'label', (label) => cut(String(label), 100)),
    'api-keys-lists-days-of-creation': onMember(list, 'created_at', roundedToDay),
    'api-keys-lists-no-prefix': onRecords(list, ({ key_prefix: _, ...one }) => one),
    'api-keys-lists-last-use-in-words': onMember(list, 'last_used_at', (time) => time && 'just now'),
  },
  'api-keys-list-last-used-moves': {
    'api-keys-never-notes-use': { reference: { choices: { lastUsedAt: 'never' } }, wrap: asItIs },
    'api-keys-notes-use-by-writes-only': countingWritesOnly,
  },
});
