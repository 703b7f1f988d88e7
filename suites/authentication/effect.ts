// Writes with bad credentials, each valid in everything else, and the records they named: all as before.
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
  itemsOf,
  type OperationId,
  type Tools,
} from '../../lib/index.ts';
import { expectBillingKept, viewTwice } from '../shared/active-account.ts';
import { slugsInMe } from '../shared/answer.ts';
import * as tokens from '../shared/invalid-tokens.ts';
import { revokedToken } from '../shared/keys.ts';
import { optionalHeaders, type WithHeaders } from '../shared/optional-headers.ts';
import { expectUntouched, makeTargets, type Targets, type Write, writesOn } from '../shared/refusals.ts';
import { carries } from '../shared/search.ts';

type Judge = Pick<Context<'authentication-refused-effect', never>, 'check'>;
/** The creations once more, under the keys that they were sent with: a stranger must not be given their replies. */
const repeatsOf = (targets: Targets): readonly Write[] =>
  [targets.company, targets.contact, targets.note].map(({ reply }): Write => {
    const { body = '', url } = reply.request;
    const key = idempotencyKeyOf(reply);
    const company = /companies\/([^/]+)\/notes/.exec(url)?.[1];
    return [
      reply.operation ?? 'POST /companies',
      {
        text: body,
        ...(key === undefined ? {} : { key }),
        ...(company === undefined ? {} : { path: { company_id: company } }),
      },
    ];
  });

/** Judged only where all were refused; at once, and at the end because what was created may reach the lists late. */
async function tryWrites(tools: Tools & Judge, api: Api, bad: readonly Credential[]): Promise<void> {
  const { make, check, atEnd } = tools;
  const key = await make.furtherKey(api, make.wholeText(4));
  const targets = { ...(await makeTargets(tools, api)), ...(key ? { key } : {}) };
  const mark = make.name('refused');
  const { company, contact, note } = targets;
  const usedKeys = [company, contact, note].flatMap(({ reply }) => idempotencyKeyOf(reply) ?? []);
  const dress = optionalHeaders(tools.random, [], usedKeys);
  const attempts = [...writesOn(targets, mark), ...repeatsOf(targets)];
  for (const credential of bad)
    for (const [operation, call] of attempts)
      expectUnauthorized(await api.as(credential).send(operation, dress(operation, call)));
  const judge = () => check('authentication-refused-effect', () => expectUntouched(tools, api, targets, mark));
  await judge();
  atEnd(judge);
}

async function refusedWith401(forged: Api, dress: WithHeaders, operation: OperationId, body: unknown): Promise<void> {
  expectUnauthorized(await forged.send(operation, dress(operation, { body })));
}

export const effect = [
  conforms(
    'authentication-refused-effect',
    { needs: ['spare'], writes: [6, 8, 8], refused: [33, 77, 77], leaves: { companies: 1, contacts: 1 } },
    async ({ spare, ...tools }) => {
      const api = tools.api.as(spare);
      const keys = [
        ...tokens.unknownKeys(tools),
        ...tokens.alteredKeys(tools, spare),
        ...(tools.effort === 'quick' ? [] : await revokedToken(tools, api)),
      ];
      const drawn = tools.effort === 'quick' ? tools.random.shuffled(keys).slice(0, 2) : keys;
      await tryWrites(tools, api, [anonymous, ...drawn]);
    },
  ),

  conforms(
    'authentication-refused-effect',
    { needs: ['session', 'memberships', 'expiredSession'], writes: 0, refused: [40, 64, 64] },
    async ({ session, memberships, expiredSession, ...tools }) => {
      const api = tools.api.as(session);
      // On its own preference where it has one: that is what a forged switch would move.
      const slugs = () => slugsInMe(api);
      const mark = tools.make.name('refused');
      const [before, seen] = [await slugs(), await viewTwice(api)];
      const further = tokens.ofSigned(() => [
        ...tokens.furtherTamperedSignatures(tools, session),
        ...tokens.furtherTamperedPayloads(tools, session),
        ...tokens.furtherUnsignedTokens(tools, session),
      ]);
      const bad = [
        expiredSession,
        ...tokens.ofSigned(() => [
          ...tokens.tamperedSignatures(tools, session),
          ...tokens.tamperedPayloads(tools, session),
          ...tokens.unsignedTokens(tools, session),
        ]),
        ...tools.random
          .shuffled(further)
          .slice(0, tools.effort === 'quick' ? 2 : 8)
          .map(({ name, token }) => tools.invalid(name, token)),
      ];
      const dress = optionalHeaders(
        tools.random,
        memberships.all.map(({ slug }) => slug),
      );
      for (const credential of bad) {
        const forged = api.as(credential);
        // Side by side: while it asks, nobody else uses the session.
        await Promise.all([
          ...memberships.all.map(({ slug }) => refusedWith401(forged, dress, 'PATCH /me/active-account', { slug })),
          refusedWith401(forged, dress, 'POST /api-keys', { label: mark }),
          refusedWith401(forged, dress, 'POST /companies', { name: mark, company_type: 'lender' }),
        ]);
      }
      const judge = () =>
        tools.check('authentication-refused-effect', async () => {
          const keys = await api.send('GET /api-keys', { query: { limit: 100 } });
          const companies = await api.send('GET /companies', { query: { limit: 100 } });
          for (const list of [keys, companies]) {
            expectThat(!itemsOf(list).some((one) => carries(one, mark)), 'nothing should have been made', {
              expected: `no record named "${mark}"`,
              actual: 'one',
              replies: list,
            });
          }
        });
      await judge();
      const after = await slugs();
      await tools.check('authentication-refused-effect', () => {
        expectEqual(after, before, 'the slugs in GET /me', []);
        return expectBillingKept(api, { views: seen, slug: memberships.active?.slug }, tools);
      });
      tools.atEnd(judge);
    },
  ),
];
