// X-Active-Account: the values that choose an account, for that request only, and never for a key.
import {
  type Api,
  type Credential,
  expectEqual,
  expectSuccess,
  expectThat,
  type Membership,
  NotTested,
  namesOf,
} from '../../lib/index.ts';
import {
  areDistinct,
  expectShown,
  sidesOf,
  strayPaths,
  type View,
  type Views,
  viewOf,
} from '../shared/account-view.ts';
import { accountOfNewKey, keyMadeUnder, viewOfNewKey } from '../shared/active-account.ts';
import { wasAccepted } from '../shared/answer.ts';
import { switchTo } from '../shared/switch.ts';
import { validate } from '../shared/validate.ts';
import type { ActingContext, Pair } from './pair.ts';
import { expectSameCompany, expectSameWorld } from './world.ts';

interface Value {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

const valuesMax = 8;

/** What may name an account, and stands in both records under one name. */
function valuesOf({ a, b }: { a: Membership; b: Membership }): readonly Value[] {
  const others = namesOf(b);
  return [...namesOf(a)]
    .flatMap(([name, one]): Value[] => {
      const other = others.get(name);
      // What two accounts share, such as the code of their country, names neither.
      return other === undefined || other === one ? [] : [{ name, a: one, b: other }];
    })
    .slice(0, valuesMax);
}

/** Two nodes may have no name in common, and then it takes some replies until one can be compared. */
const looksMax = 6;

/** Whether billing under a value is that of `a`; undefined where no reply says whose it is. */
async function showsFirst(own: Api, value: string, views: Views): Promise<boolean | undefined> {
  for (let look = 0; look < looksMax; look += 1) {
    const seen = await viewOf(own, value);
    const sides = sidesOf(seen, views);
    if (sides.some((side) => side !== undefined)) return sides.includes('a');
    if (!seen.some(wasAccepted)) return false;
  }
  return undefined;
}

/** Those of the values that choose account `a` while `b` is stored. */
async function selecting({ own, a, b, accountA, views }: Pair, tools: ActingContext): Promise<Value[]> {
  const found: Value[] = [];
  for (const value of valuesOf({ a, b })) {
    const shown = areDistinct(views) ? await showsFirst(own, value.a, views) : undefined;
    if (shown ?? (await accountOfNewKey(own, tools, value.a)) === accountA) found.push(value);
  }
  return found;
}

/** Neither operation of billing shows anything of the account that is stored. */
function expectUnmixed(seen: View, [one, again]: readonly [View, View], other: View): void {
  for (const place of [0, 1] as const) {
    if (![seen, one, again, other].every((view) => wasAccepted(view[place]))) continue;
    const strays = strayPaths(seen[place], [one[place], again[place]], other[place]);
    expectThat(strays.length === 0, 'billing under X-Active-Account should be that of the account it names', {
      expected: 'what a key of that account is shown',
      actual: `${strays.join(', ')} of the account that is stored`,
      replies: [one[place], seen[place], again[place], other[place]],
    });
  }
}

async function judgeSelection(pair: Pair, value: Value | undefined, tools: ActingContext): Promise<void> {
  const { own, accountA, accountB, views, askKeys } = pair;
  const { api, effort } = tools;
  const seen = value && (await viewOf(own, value.a));
  const account = value && askKeys ? await accountOfNewKey(own, tools, value.a) : undefined;
  // What is said of it is what is said of any key: the rules judge it. A validation is dear.
  const validated = async ({ token }: Credential) => void (effort === 'thorough' && (await validate(api, token)));
  const landed = value && !askKeys ? await viewOfNewKey(own, value.a, tools, validated) : undefined;
  await tools.check('account-header-selects', () => {
    expectThat(seen !== undefined, 'X-Active-Account should choose an account by its slug or an identifier', {
      expected: 'one that chooses',
      actual: `none of ${valuesOf(pair)
        .map(({ name }) => name)
        .join(', ')}`,
    });
    if (views.a.every(wasAccepted)) for (const reply of seen) expectSuccess(reply);
    expectShown('a', seen, views, 'the session with X-Active-Account');
    if (landed) expectShown('a', landed, views, 'a key made with X-Active-Account');
    if (askKeys) expectEqual(account, accountA, 'the account of a key made with X-Active-Account', []);
  });
  if (seen && tools.effort !== 'quick') {
    const again = await viewOf(tools.api.as(pair.keyA.credential));
    await tools.check('account-header-selects', () => expectUnmixed(seen, [views.a, again], views.b));
  }
  if (value)
    await tools.check('account-header-selects', () =>
      expectSameWorld(tools, tools.api.as(pair.keyA.credential), own, value.a),
    );
  const afterwards = await viewOf(own);
  const stored = areDistinct(views) ? accountB : await accountOfNewKey(own, tools);
  await tools.check('account-header-temporary', () => {
    expectShown('b', afterwards, views, 'the session after requests with X-Active-Account');
    expectEqual(stored, accountB, 'the account of a key made afterwards', []);
  });
}

/** A switch to `a` under the header for `b`, where the session is: the header is for one request, and the switch for those that follow. */
async function judgeSwitchUnder(
  value: Value | undefined,
  { own, a, views }: Pair,
  { check }: ActingContext,
): Promise<void> {
  const header = value === undefined ? {} : { account: value.b };
  const reply = await own.send('PATCH /me/active-account', { body: { slug: a.slug }, ...header });
  // Whatever became of it, the rest begins with `a` stored.
  if (!wasAccepted(reply)) {
    expectSuccess(await switchTo(own, a.slug));
    return;
  }
  const seen = await viewOf(own);
  await check('account-active-switch-effect', () =>
    expectShown('a', seen, views, 'the session after a switch under X-Active-Account'),
  );
}

/** `a` has just been stored; the header names `b`. */
async function judgePrecedence(
  { own, a, views, accountB, keyB }: Pair,
  value: Value | undefined,
  tools: ActingContext,
): Promise<void> {
  const seen = value && (await viewOf(own, value.b));
  const account = value && !areDistinct(views) ? await accountOfNewKey(own, tools, value.b) : accountB;
  await tools.check('account-header-wins', () => {
    if (!seen) throw new NotTested('no value of X-Active-Account chooses an account');
    expectShown('b', seen, views, 'the session with X-Active-Account after a switch');
    expectEqual(account, accountB, 'the account of a key made with X-Active-Account', []);
  });
  if (!value) return;
  // The header wins also right after the switch, whatever is asked for.
  const again = tools.effort === 'quick' ? undefined : () => switchTo(own, a.slug);
  await tools.check('account-header-wins', () =>
    expectSameWorld(tools, tools.api.as(keyB.credential), own, value.b, again),
  );
  if (again && tools.effort === 'thorough')
    await tools.check('account-header-wins', () =>
      expectSameCompany(tools, tools.api.as(keyB.credential), own, value.b, again),
    );
}

/** A key of `a`, whose user is a member of `b` too, sends the header for `b`: refused, or of no effect. */
async function judgeKey(pair: Pair, value: string, tools: ActingContext): Promise<void> {
  const { api, check } = tools;
  const { keyA, accountA, views, askKeys } = pair;
  const user = api.as(keyA.credential);
  const seen = await viewOf(user, value);
  await check('account-header-key-unmoved', () => expectShown('a', seen, views, 'a key with X-Active-Account'));
  if (!askKeys) {
    const landed = await viewOfNewKey(user, value, tools);
    if (landed)
      await check('account-header-key-unmoved', () =>
        expectShown('a', landed, views, 'a key made by a key with X-Active-Account'),
      );
    return;
  }
  const child = await keyMadeUnder({ account: value }, user, tools);
  if (!child) return;
  await check('account-header-key-unmoved', () =>
    expectEqual(child.account, accountA, 'the account of a key made by a key with the header', child.replies),
  );
}

/** Begins with `b` stored and ends with `a` stored. */
export async function judgeHeader(pair: Pair, tools: ActingContext): Promise<void> {
  const found = await selecting(pair, tools);
  const [value] = found;
  tools.observe('account-header-value', found.map(({ name }) => name).join(', ') || 'none');
  await judgeSelection(pair, value, tools);
  await judgeSwitchUnder(value, pair, tools);
  await judgePrecedence(pair, value, tools);
  await judgeKey(pair, (value ?? { b: pair.b.slug }).b, tools);
}
