// Sends otherwise valid writes with bad credentials, then reads what they must not change.

import {
  type Api,
  anonymous,
  type Context,
  type Credential,
  conforms,
  expectEqual,
  expectThat,
  expectUnauthorized,
  idempotencyKeyOf,
  type OperationId,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { scalarValuesOf, slugsInMe } from '../shared/answer.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { revokedToken } from '../shared/keys.ts';
import { optionalHeaders } from '../shared/optional-headers.ts';
import { makeTargets, readTargets, type Targets, type Write, writesOn } from '../shared/refusals.ts';
import { switchTo, type View, viewOf } from '../shared/switch.ts';
import { timestampGapMs } from '../shared/waits.ts';

/** Paths whose value in the later reply differs from all others, such as counters and times. */
export function changingPathsIn(later: Reply, ...others: readonly Reply[]): ReadonlySet<string> {
  const known = others.map(scalarValuesOf);
  const isMoving = ([path, value]: readonly [string, string]): boolean => {
    const shown = known.map((leaves) => leaves.get(path)).filter((one) => one !== undefined);
    return shown.length === known.length && !shown.includes(value);
  };
  return new Set([...scalarValuesOf(later)].filter(isMoving).map(([path]) => path));
}

/**
 * Whether a reply shows the values that the others agree on. Values that differ among those may be counters or come
 * from another node. `moving`: paths that say nothing about the account.
 */
export function agrees(
  seen: Reply,
  [one, ...others]: readonly [Reply, ...Reply[]],
  moving: ReadonlySet<string> = new Set(),
): boolean {
  const [leaves, known, ...further] = [seen, one, ...others].map(scalarValuesOf);
  const shared = [...(known ?? [])].filter(([path]) => leaves?.has(path));
  // Nodes may share no member. That proves nothing, unless the others show something and this one is empty.
  if (shared.length === 0) return known?.size === 0 || leaves?.size !== 0;
  return shared.every(
    ([path, value]) =>
      moving.has(path) || further.some((other) => other.get(path) !== value) || leaves?.get(path) === value,
  );
}

/** Read twice, to tell stable values from counters. */
type Twice = readonly [View, View];

const viewTwice = async (own: Api): Promise<Twice> => [await viewOf(own), await viewOf(own)];

/** Whether a read shows the same; of a later read than `former`, ignoring what has changed by itself since that. */
const shows = (seen: View, [one, other]: Twice, former?: View): boolean =>
  ([0, 1] as const).every((place) =>
    agrees(seen[place], [one[place], other[place]], former && changingPathsIn(seen[place], former[place])),
  );

/** Two nodes may show different members, and one may answer twice in a row. */
const looksMax = 3;

async function looks(own: Api): Promise<readonly View[]> {
  const seen: View[] = [];
  while (seen.length < looksMax) seen.push(await viewOf(own));
  return seen;
}

/** Billing is unchanged. If not, the session is switched back: only if that restores it had the session moved. */
async function expectBillingKept(
  own: Api,
  { views, slug }: { readonly views: Twice; readonly slug: string | undefined },
  { clock }: Pick<Tools, 'clock'>,
): Promise<void> {
  const after = await viewOf(own);
  if (shows(after, views) || slug === undefined) return;
  await clock.sleep(timestampGapMs);
  if ((await looks(own)).some((later) => shows(later, views, after))) return;
  await switchTo(own, slug);
  const isBack = (await looks(own)).every((back) => shows(back, views));
  expectThat(!isBack, 'what is refused should leave the session where it was', {
    expected: 'the same billing as before',
    actual: 'that of another account',
    replies: [...views[0], ...after],
  });
}

/** Repeats of the creations under their Idempotency-Keys, which must not get the stored replies. */
const repeatsOf = ({ company, contact, note }: Targets): readonly Write[] =>
  [company.reply, contact.reply, note.reply].map(
    (reply): Write => [
      reply.operation ?? 'POST /companies',
      { path: { company_id: company.id }, text: reply.request.body ?? '', key: idempotencyKeyOf(reply) ?? null },
    ],
  );

/** Stops at a token that is not refused. Reads at once, and at the end because lists may lag. */
async function tryWrites(
  tools: Pick<Context<never, never>, keyof Tools | 'atEnd'>,
  api: Api,
  bad: readonly Credential[],
): Promise<void> {
  const { make, atEnd } = tools;
  const key = await make.furtherKey(api, make.wholeText(4));
  const targets = { ...(await makeTargets(tools, api)), ...(key ? { key } : {}) };
  const { company, contact, note } = targets;
  const usedKeys = [company, contact, note].flatMap(({ reply }) => idempotencyKeyOf(reply) ?? []);
  const addHeaders = optionalHeaders(tools.random, [], usedKeys);
  const attempts = [...writesOn(targets, make.name('refused')), ...repeatsOf(targets)];
  for (const credential of bad)
    for (const [operation, call] of attempts)
      expectUnauthorized(await api.as(credential).send(operation, addHeaders(operation, call)));
  const look = () => readTargets({ ...tools, api }, targets);
  await look();
  atEnd(look);
}

/** How many bad keys send all writes, besides requests without a key. */
const keysMax = { quick: 1, standard: 3, thorough: 12 } as const;
/** How many forged sessions of each usual kind, and how many of the further ones. */
const forgedMax = {
  quick: { ofKind: 1, further: 0 },
  standard: { ofKind: 1, further: 4 },
  thorough: { ofKind: 12, further: 8 },
} as const;

export const effect = [
  conforms(
    'authentication-refused-effect',
    { needs: ['spare'], writes: [6, 8, 8], refused: [22, 49, 77], leaves: { companies: 1, contacts: 1 } },
    async ({ spare, ...tools }) => {
      const api = tools.api.as(spare);
      const made = [...tokens.unknownKeys(tools), ...tokens.alteredKeys(tools, spare)];
      const revoked = tools.effort === 'quick' ? [] : await revokedToken(tools, api);
      const drawn = [...revoked, ...tools.random.shuffled(made)].slice(0, keysMax[tools.effort]);
      await tryWrites(tools, api, [anonymous, ...drawn]);
    },
  ),

  conforms(
    'authentication-refused-effect',
    { needs: ['session', 'memberships', 'expiredSession'], writes: 0, refused: [16, 32, 64] },
    async ({ session, memberships, expiredSession, ...tools }) => {
      const api = tools.api.as(session);
      // Without X-Active-Account: a forged switch would change the stored preference.
      const slugs = async () => [...new Set(await slugsInMe(api))].sort();
      const mark = tools.make.name('refused');
      const [before, seen] = [await slugs(), await viewTwice(api)];
      const { random, effort } = tools;
      const most = forgedMax[effort];
      const usual = tokens.ofSigned(() =>
        tokens.ofSessions.flatMap(([of]) => random.shuffled(of(tools, session)).slice(0, most.ofKind)),
      );
      const further = tokens.ofSigned(() => tokens.ofSessions.flatMap(([, of]) => of(tools, session)));
      const drawn = random.shuffled(further).slice(0, most.further);
      const bad = [expiredSession, ...usual, ...drawn.map((one) => tokens.forgedCredential(one, tools))];
      const addHeaders = optionalHeaders(
        random,
        memberships.all.map(({ slug }) => slug),
      );
      for (const credential of bad) {
        const forged = api.as(credential);
        // At once, because no other case may use the session meanwhile.
        const send = async (operation: OperationId, body: unknown) =>
          expectUnauthorized(await forged.send(operation, addHeaders(operation, { body })));
        await Promise.all([
          ...memberships.all.map(({ slug }) => send('PATCH /me/active-account', { slug })),
          send('POST /api-keys', { label: mark }),
          send('POST /companies', { name: mark, company_type: 'lender' }),
        ]);
      }
      const look = async () => {
        await api.send('GET /api-keys', { query: { limit: 100 } });
        await api.send('GET /companies', { query: { limit: 100 } });
      };
      await look();
      // Two nodes may answer in turn, of which one shows more.
      const after = [await slugs(), await slugs(), await slugs()];
      // Only a switch back can show that the session had been switched.
      await tools.check('authentication-refused-effect', () => {
        const same = after.find((one) => one.join() === before.join()) ?? after[0];
        expectEqual(same, before, 'the slugs in GET /me', []);
        return expectBillingKept(api, { views: seen, slug: memberships.active?.slug }, tools);
      });
      tools.atEnd(look);
    },
  ),
];
