// The case that revokes a key amid requests with it, and looks whether it stays revoked.
import { type Context, conforms, dataOf, expectSuccess, wasAccepted } from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { protectedIds } from '../shared/groups.ts';
import { type Keyed, keyBy, revocationAnswer, revokeKey } from '../shared/keys.ts';
import { unknownIds } from '../shared/unknown.ts';
import { sendNow, validate, validateNow } from '../shared/validate.ts';
import { repeatAtEnd } from '../shared/waits.ts';
import { asRevoked, keyDuties } from './cases.ts';
import { idOf, readKeys } from './listing.ts';

const inFlightMax = 6;

const revocationIds = [
  'api-keys-delete-result',
  'api-keys-revoked-at-once',
  'api-keys-revoked-for-good',
  'api-keys-revoked-validate',
  'api-keys-revoked-unlisted',
  'api-keys-revoked-siblings',
  'api-keys-label-duplicate',
  'api-keys-revoke-unknown',
] as const;
type RevocationContext = Context<(typeof revocationIds)[number], 'key' | 'callFor'>;

export const revocation = conforms(
  revocationIds,
  {
    needs: ['key', 'callFor'],
    writes: [2, 6, 6],
    validates: [1, 3, 3],
    feeds: keyDuties,
    visits: ['GET /api-keys', 'GET /me', 'POST /auth/validate-api-key', 'DELETE /api-keys/{key_id}'],
    beyondQuick: ['api-keys-revoke-unknown'],
  },
  async (tools) => {
    const { api, make, key, callFor, random, effort, observe } = tools;
    // Another key with the same label, if the target allows it.
    const sameLabel = await api.send('POST /api-keys', { body: { label: key.label } });
    observe('api-keys-label-duplicate', wasAccepted(sameLabel) ? 'yes' : `no: ${answerOf(sameLabel)}`, sameLabel);
    const target = wasAccepted(sameLabel)
      ? { id: idOf(dataOf(sameLabel)), credential: make.credential(api.credential, sameLabel) }
      : await make.key(api);
    for (const caller of [target.credential, key.credential, api.credential])
      expectSuccess(await api.as(caller).send('GET /me'));
    expectSuccess(await api.as(target.credential).send('GET /companies'));
    await revokeAround(target, tools);
    for (const sibling of [key.credential, api.credential]) await api.as(sibling).send('GET /me');
    await readKeys(api);
    const revoked = asRevoked(api, target.credential);
    if (effort !== 'quick') {
      const again = await revokeKey(api, target.id);
      observe('api-keys-revoke-unknown', `already revoked: ${revocationAnswer(again)}`, again);
      const numbers = [...(await readKeys(api)).map(idOf), target.id].map(Number).filter(Number.isFinite);
      const unknown = await revokeKey(api, unknownIds(random, numbers)[2]);
      observe('api-keys-revoke-unknown', `unknown: ${revocationAnswer(unknown)}`, unknown);
      // A new key with the same label must not bring the revoked one back.
      const later = await keyBy(api, key.label, make);
      await revoked.send('GET /me');
      if (later) await revokeKey(api, later.id);
    }
    repeatAtEnd(tools, async () => {
      for (const operation of ['GET /companies', 'GET /me', 'POST /companies/{company_id}/notes'] as const)
        await revoked.send(operation, callFor(operation));
      await readKeys(api);
      if (effort !== 'quick') await validate(api, target.credential.token);
    });
  },
);

/** Revokes the key amid requests with it, after a validation that a server may cache; then tries all operations. */
async function revokeAround({ id, credential }: Keyed, tools: RevocationContext): Promise<void> {
  const { api, limits, effort, callFor } = tools;
  const validates = effort !== 'quick';
  // Keep other writes and validations out until both fit.
  if (validates) await limits.room(api.credential, 'validate', 2);
  const mayWrite = await limits.reserve(api.credential, 'write', 1);
  const mayValidate = validates ? await limits.reserve(api.credential, 'validate', 2) : undefined;
  try {
    if (mayValidate) expectSuccess(await validateNow(api, credential.token, mayValidate));
    const user = api.as(credential);
    const read = () => user.send('GET /companies', { query: { limit: 1 } });
    const inFlight = Promise.allSettled(Array.from({ length: inFlightMax }, read));
    const revocation = { path: { key_id: id ?? '' } };
    expectSuccess(await sendNow(api, 'DELETE /api-keys/{key_id}', revocation, mayWrite));
    mayWrite();
    const revoked = asRevoked(api, credential);
    await Promise.all(protectedIds.map((operation) => revoked.send(operation, callFor(operation))));
    await inFlight;
    await (mayValidate ? validateNow(api, credential.token, mayValidate) : validate(api, credential.token));
  } finally {
    mayWrite();
    mayValidate?.();
  }
}
