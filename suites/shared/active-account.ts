// Where a session is, by what it does: the account of a key that it makes, and what billing shows it.
import {
  type Api,
  activeAccount,
  type Call,
  type Credential,
  dataOf,
  expectEqual,
  expectThat,
  identifierOf,
  NotTested,
  type Reply,
  type Tools,
  validationOf,
} from '../../lib/index.ts';
import { agrees, movingIn, type View, viewOf } from './account-view.ts';
import { wasAccepted } from './answer.ts';
import { apartMs } from './apart.ts';
import { orNothing } from './attempt.ts';
import { revokeKey } from './keys.ts';
import { switchTo } from './switch.ts';
import { validate } from './validate.ts';

/** The account of a key that the session makes, under a header if one is given; undefined where that is refused. */
export const accountOfNewKey = (own: Api, { make }: Pick<Tools, 'make'>, value?: string): Promise<string | undefined> =>
  orNothing(activeAccount(own, make, value));

/** What billing shows to a key that the session makes under the header; undefined where no key is made. */
export async function viewOfNewKey(
  own: Api,
  account: string,
  { api, make }: Pick<Tools, 'api' | 'make'>,
  look: (key: Credential) => Promise<unknown> = async () => {},
) {
  const reply = await own.send('POST /api-keys', { body: { label: make.name('key') }, account });
  if (!wasAccepted(reply)) return undefined;
  const key = make.credential(own.credential, reply);
  const seen = await viewOf(api.as(key));
  await look(key);
  await own.send('DELETE /api-keys/{key_id}', { path: { key_id: identifierOf('key', dataOf(reply)) ?? '' }, account });
  return seen;
}

/** A key that `user` makes under X-Active-Account, validated and revoked again; undefined where it is refused. */
export async function keyMadeUnder(
  under: Pick<Call, 'account' | 'undocumented'>,
  user: Api,
  { api, make }: Pick<Tools, 'api' | 'make'>,
): Promise<{ readonly account: string | undefined; readonly replies: readonly Reply[] } | undefined> {
  const reply = await user.send('POST /api-keys', { body: { label: make.name('key') }, ...under });
  if (!wasAccepted(reply)) return undefined;
  const key = make.credential(user.credential, reply);
  const validation = await validate(api, key.token);
  // By itself: nobody else is known to be on its account, and another one may number its keys in the same way.
  await revokeKey(api.as(key), identifierOf('key', dataOf(reply)));
  return { account: validationOf(validation)?.account, replies: [reply, validation] };
}

/** Read twice, so that what stays can be distinguished from counters. */
export type Twice = readonly [View, View];

export const viewTwice = async (own: Api): Promise<Twice> => [await viewOf(own), await viewOf(own)];

export const shows = (seen: View, [one, other]: Twice): boolean =>
  agrees(seen[0], [one[0], other[0]]) && agrees(seen[1], [one[1], other[1]]);

/** Two nodes may differ in what they show, and one of them may answer twice in a row. */
const looksMax = 3;

async function looks(own: Api): Promise<readonly View[]> {
  const seen: View[] = [];
  while (seen.length < looksMax) seen.push(await viewOf(own));
  return seen;
}

/** The same, when it has been read again later: whatever has moved by then does so by itself. */
const showsLater = (seen: View, later: View, [one, other]: Twice): boolean =>
  agrees(later[0], [one[0], other[0]], movingIn(later[0], seen[0])) &&
  agrees(later[1], [one[1], other[1]], movingIn(later[1], seen[1]));

export interface Place {
  readonly views: Twice;
  /** Undefined where keys were not asked, or are not made. */
  readonly account: string | undefined;
  /** Leads back here. */
  readonly slug: string | undefined;
}

export async function placeOf(own: Api, slug: string | undefined, askKeys: boolean, tools: Tools): Promise<Place> {
  const views = await viewTwice(own);
  const account = askKeys || !views[0].every(wasAccepted) ? await accountOfNewKey(own, tools) : undefined;
  return { views, account, slug };
}

/** Billing is what it was. Where it is not, the session is led back: only then was it the session that had moved. */
export async function expectBillingKept(
  own: Api,
  { views, slug }: Pick<Place, 'views' | 'slug'>,
  { clock }: Pick<Tools, 'clock'>,
): Promise<void> {
  const after = await viewOf(own);
  if (shows(after, views) || slug === undefined) return;
  await clock.sleep(apartMs);
  if ((await looks(own)).some((later) => showsLater(after, later, views))) return;
  await switchTo(own, slug);
  const isBack = (await looks(own)).every((back) => shows(back, views));
  expectThat(!isBack, 'what is refused should leave the session where it was', {
    expected: 'the same billing as before',
    actual: 'that of another account',
    replies: [...views[0], ...after],
  });
}

/** A key made now is of the account of one made before. */
export async function expectKeysKept(own: Api, { views, account }: Place, tools: Tools): Promise<void> {
  if (account !== undefined)
    expectEqual(await accountOfNewKey(own, tools), account, 'the account of a key made after refused switches', []);
  else if (!views[0].every(wasAccepted)) throw new NotTested('neither keys nor billing show where the session is');
}
