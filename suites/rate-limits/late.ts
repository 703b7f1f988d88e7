// When the limits have been tried, minutes after the start: what is open is still open, what is closed still closed, and in the same words.
import {
  type Api,
  anonymous,
  type Call,
  type Credential,
  conforms,
  expectStatus,
  type OperationId,
  type Tools,
} from '../../lib/index.ts';
import * as tokens from '../authentication/bad-tokens.ts';
import { plainReads, protectedIds } from '../shared/groups.ts';
import { hostileCall } from '../shared/hostile.ts';
import { surroundings } from '../shared/surroundings.ts';

const doors = {
  'billing-summary-scope': 'GET /billing/summary',
  'billing-credits-scope': 'GET /billing/credits/balance',
  'account-team-accounts-scope': 'GET /me/team-accounts',
} as const satisfies Record<string, OperationId>;
type Door = keyof typeof doors;
const doorIds = Object.keys(doors) as readonly Door[];

/** Where keys cannot be made, there is none to name. */
const operations = protectedIds.filter((id) => !id.includes('/api-keys'));
const reads = plainReads.filter((id) => protectedIds.includes(id));
const rounds = 2;

type CallFor = (operation: OperationId, make?: Tools['make']) => Call;

/** They belong to no account, so nothing holds them back; the look back judges what they are answered. */
async function tryBadTokens(
  api: Api,
  bad: readonly Credential[],
  { random, make, callFor }: Pick<Tools, 'random' | 'make'> & { readonly callFor: CallFor },
): Promise<void> {
  const dress = surroundings(random, []);
  await Promise.all(
    random.shuffled(operations).flatMap((operation, place) => {
      const call = hostileCall(operation, callFor(operation, make), random);
      const credential = bad[place % bad.length] ?? anonymous;
      return [anonymous, credential].map((one) => api.as(one).send(operation, dress(operation, call)));
    }),
  );
}

/** All at once, so that slow replies cost little. */
export const late = conforms(
  doorIds,
  {
    needs: ['exhaustible', 'callFor'],
    wants: ['restricted', 'secondary'],
    perhaps: doorIds,
    writes: true,
    exhausts: true,
  },
  async ({ api, exhaustible, callFor, restricted, secondary, check, ...tools }) => {
    // An account that has just been exhausted has nothing left for this.
    if (tools.effort === 'quick' || exhaustible.name === api.credential.name) return;
    for (let round = 0; round < rounds && restricted; round += 1)
      await Promise.all(
        doorIds.map(async (id) => {
          const reply = await api.as(restricted).send(doors[id]);
          await check(id, () => expectStatus(reply, 403));
        }),
      );
    const bad = [
      ...tokens.unknownKeys(tools),
      ...tokens.alteredKeys(tools, api.credential),
      ...tokens.malformedTokens(tools),
    ];
    await tryBadTokens(api, bad, { ...tools, callFor });
    const callers = [api, ...[restricted, secondary].flatMap((one) => (one ? [api.as(one)] : []))];
    await Promise.all(callers.flatMap((one) => reads.map((operation) => one.send(operation))));
  },
);
