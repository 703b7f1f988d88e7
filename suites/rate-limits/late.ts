// After the rate limit cases: reads, scopes and bad tokens again, as replies may have changed after some minutes.
import { type Api, anonymous, type Credential, type Fixtures, type Tools } from '../../lib/index.ts';
import { protectedIds } from '../shared/groups.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { optionalHeaders } from '../shared/optional-headers.ts';
import { trickyCall } from '../shared/tricky-texts.ts';
import { callOn, nodeMs } from '../walk/reads.ts';

/** Operations that need a scope. */
const scoped = ['GET /billing/summary', 'GET /billing/credits/balance', 'GET /me/team-accounts'] as const;

/** Without the API key operations: the account may have no key to name. */
const operations = protectedIds.filter((id) => !id.includes('/api-keys'));
const rounds = 2;

type LateContext = Tools & Partial<Pick<Fixtures, 'callFor' | 'restricted' | 'secondary' | 'sibling'>>;

/** Bad tokens belong to no account, so no limit delays them; the rules judge the replies. */
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

/** Concurrent, so that slow replies cost little time; the rules judge the replies. */
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
