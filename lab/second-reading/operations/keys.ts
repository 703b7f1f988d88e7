// Operations on API keys.
import { API_KEY_PREFIX } from '../auth.ts';
import { lengthOf, readObject, refuseUnknownMembers } from '../checks.ts';
import type { Choices } from '../choices.ts';
import { writeTime } from '../clock.ts';
import type { Dice } from '../dice.ts';
import { offsetPage, readLimit } from '../paging.ts';
import type { ApiKey, Membership, Row } from '../records.ts';
import { type Outcome, refuse } from '../refusal.ts';
import { numbersIn, placeIn } from '../store.ts';
import { arrange } from '../views/deals.ts';
import { able, accountOf, callerOf, type Operation, operation, pathId, type Visit } from '../visit.ts';
import type { World } from '../world.ts';

const ALPHABETS: Record<Choices['keyAlphabet'], string> = {
  hex: '0123456789abcdef',
  base62: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  urlsafe: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_',
};

export function makeKey(world: World, membership: Membership, label: string, created: number, dice: Dice): ApiKey {
  const { keyAlphabet, keyEnvironment, keyLength } = world.choices;
  const environment = keyEnvironment === 'live' ? 'live_' : '';
  const secret = `${API_KEY_PREFIX}${environment}${dice.text(ALPHABETS[keyAlphabet], Number(keyLength))}`;
  const id = numbersIn(world, 'key', membership.account).next();
  const key: ApiKey = { id, label, secret, membership, created, used: null, shownUsed: null, gone: false };
  world.keysBySecret.set(secret, key);
  world.keysById.set(placeIn(world, 'key', membership.account, id), key);
  membership.account.keys.push(key);
  return key;
}

export const keyOperations: readonly Operation[] = [
  operation('POST /api-keys', {
    idempotency: (choices) => choices.idemKeys,
    permit: able('createKeys', 'create API keys'),
    read: readLabel,
    act: (visit, _, label) => create(visit, label),
  }),
  operation('GET /api-keys', {
    query: ['limit', 'offset'],
    act: (visit) => {
      const { choices } = visit;
      const limit = readLimit(visit, choices.keyLimitOut) ?? 50;
      const view = (key: ApiKey): Row => arrange(listedKey(key, choices), choices);
      return offsetPage(visit, keysInOrder(visit), view, limit, choices.keyOffsetBad);
    },
  }),
  operation('DELETE /api-keys/#', {
    idempotency: (choices) => choices.idemDeletes,
    locate: findOwn,
    act: ({ choices, world }, { id, key }) => {
      if (key !== undefined) revoke(world, key);
      return { status: 200, data: { deleted: key !== undefined, ...(choices.keyDeleteExtra === 'id' && { id }) } };
    },
  }),
];

/** The key in the path; without it where revoking what is not the caller's is no mistake. */
function findOwn(visit: Visit): { id: number; key?: ApiKey } {
  const id = pathId(visit, 0);
  const key = visit.world.keysById.get(placeIn(visit.world, 'key', accountOf(visit), id));
  if (key !== undefined && isOwn(visit, key)) return { id, key };
  refuseForeignKey(visit, key);
  return { id };
}

function readLabel(visit: Visit): string {
  const { choices } = visit;
  const body = readObject(visit);
  const { label } = body;
  const status = choices.keyLabelBad;
  if (typeof label !== 'string') return refuse(status, 'missing_field', 'label is required and is a string.', 'label');
  const kept = choices.keyLabelTrim === 'trimmed' ? label.trim() : label;
  const blank = kept === '' || (choices.keyLabelBlank === 'refused' && kept.trim() === '');
  if (blank || lengthOf(kept, choices.lengthUnit) > 255) {
    refuse(status, 'invalid_field', 'label must have 1 to 255 characters.', 'label');
  }
  refuseUnknownMembers(visit, body, { label: 'text' });
  return kept;
}

function create(visit: Visit, label: string): Outcome {
  const { world, choices, membership, now } = visit;
  const account = accountOf(visit);
  if (membership === null || account.keys.length >= account.maxKeys) {
    return refuse(choices.keyOverMaximum, 'key_limit_reached', 'The account has its maximum number of API keys.');
  }
  const key = makeKey(world, membership, label, now, world.dice);
  const data = arrange({ ...keyPart(key, choices), api_key: key.secret }, choices);
  const headers: Record<string, string> = choices.keyAnnounced === 'no-store' ? { 'Cache-Control': 'no-store' } : {};
  return { status: 201, data, headers };
}

function revoke(world: World, key: ApiKey): void {
  key.gone = true;
  world.keysById.delete(placeIn(world, 'key', key.membership.account, key.id));
  world.keysBySecret.delete(key.secret);
  const { account } = key.membership;
  account.keys = account.keys.filter((other) => other !== key);
}

function isOwn(visit: Visit, key: ApiKey): boolean {
  return key.membership.user === callerOf(visit).user && key.membership.account === visit.account;
}

function refuseForeignKey(visit: Visit, key: ApiKey | undefined): void {
  const { keyForeignDelete, keyUnknownDelete } = visit.choices;
  const rule = key === undefined ? keyUnknownDelete : keyForeignDelete;
  if (rule === 'deleted-false') return;
  refuse(rule, rule === '403' ? 'not_allowed' : 'key_not_found', 'There is no such API key of yours.');
}

function keysInOrder(visit: Visit): readonly ApiKey[] {
  const { choices } = visit;
  const { user } = callerOf(visit);
  const all = accountOf(visit).keys;
  const seen = choices.keyListScope === 'account' ? all : all.filter((key) => key.membership.user === user);
  if (choices.keyOrder === 'oldest') return seen;
  if (choices.keyOrder === 'newest') return [...seen].reverse();
  return [...seen].sort((a, b) => (a.label === b.label ? a.id - b.id : a.label < b.label ? -1 : 1));
}

function keyPart(key: ApiKey, choices: Choices): Row {
  const { id, label, secret, membership } = key;
  const created = writeTime(key.created, choices.recordTimeForm);
  const row: Row = { id, label, key_prefix: secret.slice(0, Number(choices.keyPrefixLength)), created_at: created };
  if (choices.keyExtra === 'owner') row.user_id = membership.user.shownId;
  if (choices.keyExtra === 'scopes') row.scopes = membership.scopes;
  if (choices.keyExtra === 'status') row.status = 'active';
  return row;
}

function listedKey(key: ApiKey, choices: Choices): Row {
  const used = shownUse(key, choices);
  if (used === null && choices.keyUnused === 'absent') return keyPart(key, choices);
  return { ...keyPart(key, choices), last_used_at: used === null ? null : writeTime(used, choices.recordTimeForm) };
}

function shownUse(key: ApiKey, choices: Choices): number | null {
  if (key.used === null || choices.keyLastUsed === 'never') return null;
  if (choices.keyLastUsed === 'throttled') return key.shownUsed;
  return choices.keyLastUsed === 'minute' ? Math.floor(key.used / 60_000) * 60_000 : key.used;
}
