// Writes with bad credentials, each valid in everything else, and the records they named: all as before.
import {
  type Api,
  anonymous,
  type Context,
  type Credential,
  conforms,
  expectEqual,
  expectSuccess,
  expectThat,
  expectUnauthorized,
  itemsOf,
  type Tools,
} from '../../lib/index.ts';
import { revokeKey } from '../shared/keys.ts';
import { carries } from '../shared/search.ts';
import { slugsInMe } from '../shared/slugs.ts';
import { expectUntouched, makeTargets, orNothing, writesOn } from '../shared/targets.ts';
import * as tokens from './bad-tokens.ts';

type Judge = Pick<Context<'authentication-refused-effect', never>, 'check'>;
/** Made and revoked again, where that can be done. */
async function revokedToken({ make, invalid }: Tools, api: Api): Promise<readonly Credential[]> {
  const key = await orNothing(make.key(api));
  if (key === undefined) return [];
  expectSuccess(await revokeKey(api, key.id));
  return [invalid('a revoked key', key.credential.token ?? '')];
}

/** Judged only where all were refused; at once, and at the end because what was created may reach the lists late. */
async function tryWrites(tools: Tools & Judge, api: Api, bad: readonly Credential[]): Promise<void> {
  const { make, check, atEnd } = tools;
  const targets = await makeTargets(tools, api);
  const mark = make.name('refused');
  for (const credential of bad)
    for (const [operation, call] of writesOn(targets, mark))
      expectUnauthorized(await api.as(credential).send(operation, call));
  const judge = () => check('authentication-refused-effect', () => expectUntouched(tools, api, targets, mark));
  await judge();
  atEnd(judge);
}

export const effect = [
  conforms('authentication-refused-effect', { needs: ['spare'], writes: true }, async ({ spare, ...tools }) => {
    const api = tools.api.as(spare);
    const keys = [
      ...tokens.unknownKeys(tools),
      ...tokens.alteredKeys(tools, spare),
      ...(await revokedToken(tools, api)),
    ];
    const drawn = tools.effort === 'quick' ? tools.random.shuffled(keys).slice(0, 2) : keys;
    await tryWrites(tools, api, [anonymous, ...drawn]);
  }),

  conforms(
    'authentication-refused-effect',
    { needs: ['session', 'memberships', 'expiredSession'], writes: true },
    async ({ session, memberships, expiredSession, ...tools }) => {
      const api = tools.api.as(session);
      const slugs = () => slugsInMe(api);
      const mark = tools.make.name('refused');
      const before = await slugs();
      const bad = [
        expiredSession,
        ...tokens.tamperedSignatures(tools, session),
        ...tokens.unsignedTokens(tools, session),
      ];
      for (const credential of bad) {
        const forged = api.as(credential);
        for (const { slug } of memberships.all)
          expectUnauthorized(await forged.send('PATCH /me/active-account', { body: { slug } }));
        expectUnauthorized(await forged.send('POST /api-keys', { body: { label: mark } }));
        const company = { name: mark, company_type: 'lender' };
        expectUnauthorized(await forged.send('POST /companies', { body: company }));
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
      await tools.check('authentication-refused-effect', () => expectEqual(after, before, 'the slugs in GET /me', []));
      tools.atEnd(judge);
    },
  ),
];
