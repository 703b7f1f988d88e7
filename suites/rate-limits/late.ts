// When the limits have been tried, minutes after the start: what is open is still open, what is closed still closed, and in the same words.
import { type Api, anonymous, type Credential, type Fixtures, type Tools } from '../../lib/index.ts';
import { protectedIds } from '../shared/groups.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { optionalHeaders } from '../shared/optional-headers.ts';
import { trickyCall } from '../shared/tricky-texts.ts';
import { callOn, nodeMs } from '../walk/reads.ts';

/** What needs a scope. */
const scoped = ['GET /billing/summary', 'GET /billing/credits/balance', 'GET /me/team-accounts'] as const;

/** Where keys cannot be made, there is none to name. */
const operations = protectedIds.filter((id) => !id.includes('/api-keys'));
const rounds = 2;

type LateContext = Tools & Partial<Pick<Fixtures, 'callFor' | 'restricted' | 'secondary' | 'sibling'>>;

/** They belong to no account, so nothing holds them back; the rules judge what they are answered. */
async function tryBadTokens(
  api: Api,
  bad: readonly Credential[],
  { random, make, callFor }: Pick<Tools, 'random' | 'make'> & Pick<Fixtures, 'callFor'>,
): Promise<void> {
  const dress = optionalHeaders(random, []);
  await Promise.all(
    random.shuffled(operations).flatMap((operation, place) => {
      const call = trickyCall(operation, callFor(operation, make), random);
      const credential = bad[place % bad.length] ?? anonymous;
      return [anonymous, credential].map((one) => api.as(one).send(operation, dress(operation, call)));
    }),
  );
}

/** All at once, so that slow replies cost little; what is answered the rules judge. */
export async function readLate({ api, callFor, restricted, secondary, sibling, ...tools }: LateContext): Promise<void> {
  const closed = restricted ? scoped.map((operation) => [api.as(restricted), operation] as const) : [];
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await tools.clock.sleep(nodeMs);
    await Promise.all(closed.map(([one, operation]) => one.send(operation)));
  }
  const bad = [
    ...tokens.unknownKeys(tools),
    ...tokens.alteredKeys(tools, api.credential),
    ...tokens.malformedTokens(tools),
  ];
  if (callFor) await tryBadTokens(api, bad, { ...tools, callFor });
  const callers = [api, ...[restricted, secondary, sibling].flatMap((one) => (one ? [api.as(one)] : []))];
  await Promise.all(
    callers.map((one, place) =>
      callOn({ api: one }, tools.random.derive(`late ${place}`), one.credential === secondary),
    ),
  );
}
