// Revoking a key: dead at once, everywhere, in lists and validation, and for good, while its siblings live.
import {
  type Api,
  at,
  type Context,
  type Credential,
  conforms,
  dataOf,
  eventually,
  expectAbsent,
  expectEqual,
  expectSuccess,
  expectThat,
  expectUnauthorized,
  type OperationId,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { protectedIds } from '../shared/groups.ts';
import { revocationAnswer, revokeKey } from '../shared/keys.ts';
import { unknownIds } from '../shared/unknown.ts';
import { keyFacts, validate, validateNow, validIn } from '../shared/validate.ts';
import { idOf, readKeyPage, readKeys } from './listing.ts';

const ids = [
  'api-keys-delete-result',
  'api-keys-revoked-at-once',
  'api-keys-revoked-for-good',
  'api-keys-revoked-validate',
  'api-keys-revoked-unlisted',
  'api-keys-revoked-siblings',
  'api-keys-label-duplicate',
  'api-keys-revoke-unknown',
] as const;
type RevocationContext = Context<(typeof ids)[number], 'key' | 'callFor'>;

const inFlightMax = 6;
const lateMs = 6000;
const looksAtEnd: readonly OperationId[] = ['GET /companies', 'GET /me', 'POST /companies/{company_id}/notes'];

interface TargetKey {
  readonly id: number | string;
  readonly credential: Credential;
}

/** A key under the same label as its sibling, where that is possible. */
async function makeTarget({ api, make, key, observe }: RevocationContext): Promise<TargetKey> {
  const control = await api.send('POST /api-keys', { body: { label: key.label } });
  observe('api-keys-label-duplicate', wasAccepted(control) ? 'yes' : `no: ${answerOf(control)}`, control);
  const id = idOf(dataOf(control));
  if (!wasAccepted(control) || id === undefined) return make.key(api);
  return { id, credential: make.credential(api.credential, control) };
}

/** Requests with a dead key belong to no account, so nothing holds them back. */
const deadOf = (api: Api, { credential }: TargetKey): Api => api.as({ ...credential, accounts: [] });

/** Revokes the key while requests with it are under way; then the first requests after the answer, on every operation. */
async function revoke(target: TargetKey, { api, callFor, check }: RevocationContext): Promise<void> {
  const user = api.as(target.credential);
  const inFlight = Promise.allSettled(
    Array.from({ length: inFlightMax }, () => user.send('GET /companies', { query: { limit: 1 } })),
  );
  const deletion = await revokeKey(api, target.id);
  const dead = deadOf(api, target);
  const after = await Promise.all(
    protectedIds.map(async (operation) => ({
      operation,
      reply: await dead.send(operation, callFor(operation)),
    })),
  );
  await inFlight;
  await check('api-keys-delete-result', () => {
    expectSuccess(deletion);
    expectEqual(at(dataOf(deletion), 'deleted'), true, 'deleted', deletion);
  });
  expectSuccess(deletion);
  for (const { operation, reply } of after)
    await check('api-keys-revoked-at-once', () => expectUnauthorized(reply), operation);
}

async function expectUnlisted(
  { api, clock }: Pick<RevocationContext, 'api' | 'clock'>,
  { id }: TargetKey,
): Promise<void> {
  let before: string | undefined;
  await eventually(clock, async () => {
    const { ids: shown, replies } = await readKeys(api);
    expectThat(!shown.includes(id), 'a revoked key should not be listed', {
      expected: `no key ${id}`,
      actual: shown,
      replies,
    });
    const { reply, items } = await readKeyPage(api, 200, 0);
    const others = items
      .map(idOf)
      .filter((one) => one !== id)
      .join();
    before ??= others;
    // On a single page the total can be counted; where others make or revoke keys meanwhile, it may lag behind what they do.
    if (at(reply.json, 'pagination', 'has_more') !== true && others === before)
      expectEqual(at(reply.json, 'pagination', 'total'), items.length, 'total without the revoked key', reply);
  });
}

function expectReportedInvalid(reply: Reply): void {
  expectEqual(validIn(reply), false, 'valid of a revoked key', reply);
  for (const name of keyFacts) expectAbsent(at(dataOf(reply), name), `${name} of a revoked key`, reply);
}

async function observeUnknown(target: TargetKey, { api, random, observe }: RevocationContext): Promise<void> {
  const ask = async (what: string, id: number | string) => {
    const reply = await revokeKey(api, id);
    observe('api-keys-revoke-unknown', `${what}: ${revocationAnswer(reply)}`, reply);
  };
  await ask('already revoked', target.id);
  const { ids: shown } = await readKeys(api);
  const [, , highest] = unknownIds(random, [...shown, target.id].map(Number).filter(Number.isFinite));
  await ask('unknown', highest);
}

/** What a server has just found valid it may remember: nothing is waited for between the validations. */
async function revokeAround(target: TargetKey, tools: RevocationContext) {
  const { api, clock, limits, effort } = tools;
  const { token } = target.credential;
  await limits.room(api.credential, 'write', 1);
  const leave = effort === 'quick' ? undefined : await limits.reserve(api.credential, 'validate', 2);
  try {
    if (leave) expectSuccess(await validateNow(api, token, leave));
    await revoke(target, tools);
    const revokedAt = clock.now();
    return { revokedAt, validation: await (leave ? validateNow(api, token, leave) : validate(api, token)) };
  } finally {
    leave?.();
  }
}

/** Another key that is called the same does not bring it back. */
async function judgeNamesake(target: TargetKey, { api, key, make, check }: RevocationContext): Promise<void> {
  const namesake = await api.send('POST /api-keys', { body: { label: key.label } });
  if (!wasAccepted(namesake)) return;
  make.credential(api.credential, namesake);
  const after = await deadOf(api, target).send('GET /me');
  await check('api-keys-revoked-for-good', () => expectUnauthorized(after), 'GET /me');
  await revokeKey(api, idOf(dataOf(namesake)));
}

export const revocation = conforms(
  ids,
  {
    needs: ['key', 'callFor'],
    writes: [2, 6, 6],
    validates: [1, 3, 3],
    feeds: ['api-keys-list-no-secret', 'api-keys-secret-elsewhere'],
    visits: ['GET /api-keys', 'GET /me', 'POST /auth/validate-api-key', 'DELETE /api-keys/{key_id}'],
    beyondQuick: ['api-keys-revoke-unknown'],
  },
  async (tools) => {
    const { api, clock, key, callFor, effort, check, atEnd } = tools;
    const target = await makeTarget(tools);
    // The controls: until it is revoked the key works, and is valid.
    for (const operation of ['GET /me', 'GET /companies'] as const)
      expectSuccess(await api.as(target.credential).send(operation));
    const siblings = [key.credential, api.credential];
    for (const sibling of siblings) expectSuccess(await api.as(sibling).send('GET /me'));
    const { revokedAt, validation } = await revokeAround(target, tools);
    await check('api-keys-revoked-validate', () => expectReportedInvalid(validation));
    for (const sibling of siblings) {
      const reply = await api.as(sibling).send('GET /me');
      await check('api-keys-revoked-siblings', () => expectSuccess(reply));
    }
    await check('api-keys-revoked-unlisted', () => expectUnlisted(tools, target));
    if (effort !== 'quick') {
      await observeUnknown(target, tools);
      await judgeNamesake(target, tools);
    }
    atEnd(async () => {
      await clock.sleep(Math.max(0, revokedAt + lateMs - clock.now()));
      const dead = deadOf(api, target);
      for (const operation of looksAtEnd) {
        const reply = await dead.send(operation, callFor(operation));
        await check('api-keys-revoked-for-good', () => expectUnauthorized(reply), operation);
      }
      await check('api-keys-revoked-unlisted', () => expectUnlisted(tools, target));
      if (effort === 'quick') return;
      const later = await validate(api, target.credential.token);
      await check('api-keys-revoked-validate', () => expectReportedInvalid(later));
    });
  },
);
