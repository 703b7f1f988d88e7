// Checks the active account of a session by its billing data.
import { type Api, expectThat, type Tools } from '../../lib/index.ts';
import { agrees, movingIn } from './account-view.ts';
import { apartMs } from './apart.ts';
import { switchTo, type View, viewOf } from './switch.ts';

/** Read twice, to tell stable values from counters. */
export type Twice = readonly [View, View];

export const viewTwice = async (own: Api): Promise<Twice> => [await viewOf(own), await viewOf(own)];

const shows = (seen: View, [one, other]: Twice): boolean =>
  agrees(seen[0], [one[0], other[0]]) && agrees(seen[1], [one[1], other[1]]);

/** Two nodes may show different members, and one may answer twice in a row. */
const looksMax = 3;

async function looks(own: Api): Promise<readonly View[]> {
  const seen: View[] = [];
  while (seen.length < looksMax) seen.push(await viewOf(own));
  return seen;
}

/** Whether a later read shows the same, ignoring what has changed by itself until then. */
const showsLater = (seen: View, later: View, [one, other]: Twice): boolean =>
  agrees(later[0], [one[0], other[0]], movingIn(later[0], seen[0])) &&
  agrees(later[1], [one[1], other[1]], movingIn(later[1], seen[1]));

/** Billing is unchanged. If not, the session is switched back: only if that restores it had the session moved. */
export async function expectBillingKept(
  own: Api,
  { views, slug }: { readonly views: Twice; readonly slug: string | undefined },
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
