// Identifiers of nothing: above every one seen, and what is expected of them.
import { type Api, dataOf, expectStatus, identifierOf, type Random, type Reply, type Tools } from '../../lib/index.ts';
import { wasAccepted } from './answer.ts';
import { orLost } from './attempt.ts';
import { expectClientError } from './refusals.ts';

/** Identifiers stay below it where they allow: some targets give out no larger ones. */
export const ceiling = 2 ** 31;

/** Integers that many programs cannot read. */
const unreadable = ['9007199254740993', '9223372036854775807', '9223372036854775808', '1'.repeat(40)];

/** Three below the ceiling where identifiers allow, one above it, and those that cannot be identifiers, or not be read. */
type UnknownIds = readonly [number, number, number, number, ...string[]];

/** Positive integers above every one seen, far apart. */
export function unknownIds(random: Random, seen: readonly number[]): UnknownIds {
  const highest = Math.max(0, ...seen);
  const top = highest < ceiling - 1000 ? ceiling : Number.MAX_SAFE_INTEGER;
  const step = Math.floor((top - highest) / 4);
  const near = (place: number) => highest + place * step - random.int(0, Math.floor(Math.min(step, ceiling) / 4));
  const large = Math.max(highest, ceiling) + random.int(0, ceiling) * random.int(1, 1000);
  return [near(1), near(2), near(3), Math.min(large, Number.MAX_SAFE_INTEGER), '0', '-1', ...unreadable];
}

/** It may be somebody's record, which is shown or withheld. */
const mayBeThere = (reply: Reply): boolean => wasAccepted(reply) || [401, 403, 409, 429].includes(reply.status);

/** 404; where it is found, it may be another user's record: then two others decide. */
export async function expectUnknown(
  [first, second, third]: UnknownIds,
  send: (id: number) => Promise<Reply>,
): Promise<void> {
  // There is nothing that could have been done when a reply was lost.
  const ask = async (id: number) => (await orLost(send(id))) ?? send(id);
  const one = await ask(first);
  if (one.status === 404) return;
  if (!mayBeThere(one)) expectStatus(one, 404);
  const other = await ask(second);
  if (other.status !== 404) expectStatus(one, 404);
  expectStatus(await ask(third), 404);
}

/** Where one is not refused as unknown it may be another user's record: then two others are tried. */
export async function tryUnknown(ids: UnknownIds, send: (id: number) => Promise<Reply>): Promise<void> {
  for (const id of ids.slice(0, 3)) if ((await send(Number(id))).status === 404) return;
}

/** Nothing says that identifiers are positive: what comes under its own number is somebody's record. */
async function isCompany(api: Api, id: string): Promise<boolean> {
  const reply = await api.send('GET /companies/{company_id}', { path: { company_id: id } });
  return identifierOf('company', dataOf(reply)) === Number(id);
}

/** 404; a fitting refusal for those that identifiers of the target may be too small for, or that none can be. For reads. */
export async function expectNowhere(
  ids: UnknownIds,
  { api, effort }: Pick<Tools, 'api' | 'effort'>,
  ask: (id: number | string) => Promise<Reply>,
): Promise<void> {
  const [, , , large, ...beyond] = ids;
  await expectUnknown(ids, ask);
  expectClientError(await ask(large), `the identifier ${large}`);
  if (effort === 'quick') return;
  for (const id of beyond) {
    const reply = await ask(id);
    if (wasAccepted(reply) && (await isCompany(api, id))) continue;
    expectClientError(reply, `the identifier ${id}`);
  }
}
