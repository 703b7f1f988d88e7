// The slugs that a session is shown, tried by switching to them.
import {
  type Api,
  type Context,
  expectSuccess,
  expectThat,
  itemsOf,
  type Membership,
  NotTested,
  type Reply,
  readAccounts,
  slugsIn,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { hasSlug, slugsInMe } from '../shared/slugs.ts';
import { switchTo } from '../shared/switch.ts';

type SlugsContext = Context<'account-me-slug' | 'account-accounts-slugs' | 'account-accounts-only-own', 'memberships'>;

const meMax = 4;
const listedMax = { quick: 2, standard: 5, thorough: 20 } as const;

async function judgeMe(own: Api, { memberships, check }: SlugsContext): Promise<void> {
  const me = await own.send('GET /me');
  const attempts: Reply[] = [];
  const listed = memberships.all.map(({ slug }) => slug);
  const shown = slugsIn(me).map(({ slug }) => slug);
  // Other accounts than the user's may be named there, too.
  const likely = [...shown.filter((slug) => listed.includes(slug)), ...shown.filter((slug) => !listed.includes(slug))];
  for (const slug of likely.slice(0, meMax)) {
    attempts.push(await switchTo(own, slug));
    if (attempts.some(wasAccepted)) break;
  }
  await check('account-me-slug', () =>
    expectThat(attempts.some(wasAccepted), 'GET /me should show a slug that the switch accepts', {
      expected: 'a member whose name ends in slug, accepted by the switch',
      actual: attempts.length === 0 ? 'no slug' : `refused with ${attempts.map(({ status }) => status).join(', ')}`,
      replies: [me, ...attempts],
    }),
  );
}

interface TriedSwitch {
  readonly membership: Membership;
  readonly reply: Reply;
  /** Known to be the account of the primary key. */
  readonly foreign: boolean;
}

/** A listed account that the switch refuses has a wrong slug, unless it is known to be foreign. */
function expectNotForeign(attempts: readonly TriedSwitch[], replies: readonly Reply[]): void {
  const refused = attempts.filter(({ reply }) => !wasAccepted(reply));
  const foreign = refused.filter((one) => one.foreign);
  expectThat(foreign.length === 0, 'an account of others should not be listed', {
    expected: 'only accounts that the session may switch to',
    actual: foreign.map(({ membership }) => membership.slug),
    replies: [...replies, ...foreign.map(({ reply }) => reply)],
  });
  const [unclear] = refused;
  if (unclear) throw new NotTested(`the switch refuses ${unclear.membership.slug}, and it is not known whose it is`);
}

/** Switches to each listed account in turn; returns two that the session may act on and ends in the first. */
export async function judgeSlugs(own: Api, tools: SlugsContext): Promise<readonly [a: Membership, b: Membership]> {
  const { api, memberships, effort, check } = tools;
  const listed = await readAccounts(own);
  const others = await slugsInMe(api);
  const [first, ...more] = memberships.all.slice(0, listedMax[effort]);
  const attempts: TriedSwitch[] = [];
  const attempt = async (membership: Membership) => {
    const reply = await switchTo(own, membership.slug);
    attempts.push({ membership, reply, foreign: reply.status === 404 && others.includes(membership.slug) });
  };
  for (const membership of more) await attempt(membership);
  // Only now: without a stored account GET /me may have no slug to show.
  await judgeMe(own, tools);
  if (first) await attempt(first);
  await check('account-accounts-slugs', () => {
    const nameless = listed.flatMap(itemsOf).filter((record) => !hasSlug(record));
    expectThat(nameless.length === 0, 'every listed account should have a slug', {
      expected: 'a slug in each record',
      actual: nameless,
      replies: listed,
    });
    for (const { reply } of attempts.filter(({ foreign }) => !foreign)) expectSuccess(reply);
  });
  await check('account-accounts-only-own', () => expectNotForeign(attempts, listed));
  const [b, ...rest] = attempts.filter(({ reply }) => wasAccepted(reply)).map(({ membership }) => membership);
  const a = rest.at(-1);
  if (!a || !b) throw new NotTested('the session may switch to fewer than two of its accounts');
  return [a, b];
}
