// Rules over switches of the active account: to a slug that the caller was shown they succeed, any other is refused.
import {
  accountHeaderOf,
  bodyOf,
  grouped,
  isOutage,
  isSession,
  type Judge,
  type JudgedId,
  type Reply,
  type Rule,
  saysJson,
  slugsIn,
  wasAccepted,
} from '../../lib/index.ts';

export const switches: Rule = ({ replies, callers }, judge) => {
  const all = replies.filter(({ operation }) => operation === 'PATCH /me/active-account');
  const switched = new Set(all.filter(wasAccepted).map(({ credential }) => credential));
  const shown = new ShownSlugs(replies, all);
  for (const reply of all) {
    const [id, due, message = refused] = dutyOf(reply, shown) ?? [];
    if (id === undefined || due === undefined || (reply.status >= 500 && !isOutage(reply))) continue;
    if (isOpen(reply, callers.isServed(reply), switched.has(reply.credential))) continue;
    const holds = due === 'accepted' ? wasAccepted(reply) : due.includes(reply.status) || isRefusedKey(reply);
    const expected = due === 'accepted' ? due : wasAccepted(reply) || isOutage(reply) ? '4xx' : due.join(' or ');
    judge.expect(id, reply, holds, message, { expected, actual: reply.status });
  }
  for (const [credential, tries] of grouped(all, (reply) => reply.credential))
    if (isSession(credential)) judgeProfiles(shown.profilesOf(credential), tries, judge);
};

/** The account of a key is fixed: it may be refused for that. */
const isRefusedKey = ({ credential, status }: Reply): boolean =>
  !isSession(credential) && status >= 400 && status < 500;

/** If every slug of a profile was tried, at least one was accepted. */
function judgeProfiles(profiles: readonly Reply[], tries: readonly Reply[], { expect }: Judge): void {
  for (const profile of profiles) {
    const slugs = slugsOf(profile);
    const own = tries.filter((one) => slugs.includes(String(bodyOf(one)?.slug)) && saysNoMore(one));
    if (slugs.length === 0 || slugs.some((slug) => !own.some((one) => bodyOf(one)?.slug === slug))) continue;
    const found = { expected: 'a slug that is accepted', actual: slugs, because: own };
    expect('account-me-slug', profile, own.some(wasAccepted), 'GET /me should show a slug to switch to', found);
  }
}

/** The reply depends on nothing but the slug. */
const saysNoMore = (reply: Reply): boolean =>
  accountHeaderOf(reply) === undefined && (wasAccepted(reply) || [400, 404, 422].includes(reply.status));

const refused = 'a switch to no account of the caller should be refused';
const slugsOf = (reply: Reply): readonly string[] => slugsIn(reply).map(({ slug }) => slug);

/** The slugs shown to each credential. */
class ShownSlugs {
  private readonly profiles: ReadonlyMap<string, readonly Reply[]>;
  private readonly lists: ReadonlyMap<string, readonly Reply[]>;
  private readonly switched: ReadonlyMap<string, readonly Reply[]>;

  constructor(replies: readonly Reply[], switches: readonly Reply[]) {
    // Later pages count, although their parameter is undocumented; under a header they may list another account's.
    const isOwn = (reply: Reply): boolean =>
      wasAccepted(reply) && (!reply.undocumented || accountHeaderOf(reply) === undefined);
    const of = (operation: string) =>
      grouped(
        replies.filter((reply) => reply.operation === operation && isOwn(reply)),
        ({ credential }) => credential,
      );
    this.profiles = of('GET /me');
    this.lists = of('GET /me/accounts');
    this.switched = grouped(switches.filter(wasAccepted), ({ credential }) => credential);
  }

  profilesOf = (credential: string): readonly Reply[] => this.profiles.get(credential) ?? [];

  /** Whether a list of the caller has the slug; undefined if it got no list. */
  isListed({ credential }: Reply, slug: string): boolean | undefined {
    const lists = this.lists.get(credential);
    return lists?.some((list) => slugsOf(list).includes(slug));
  }

  /** Whether the caller was shown such a slug. */
  isLike = ({ credential }: Reply, is: (own: string) => boolean): boolean =>
    [...(this.lists.get(credential) ?? []), ...this.profilesOf(credential)].flatMap(slugsOf).some(is);

  hasSwitchedTo = ({ credential }: Reply, slug: string): boolean =>
    this.switched.get(credential)?.some((one) => bodyOf(one)?.slug === slug) === true;

  /** Whether a configured key was shown the slug in its profile, so that the account exists. */
  isOfKey = (slug: string): boolean =>
    [...this.profiles].some(
      ([credential, profiles]) =>
        /^COVENANT_.*API_KEY/.test(credential) && profiles.some((one) => slugsOf(one).includes(slug)),
    );
}

/** Slugs that only the suite invents. */
const invented = /^(covenant-[\da-f]{8}-[\da-f-]{27}|0|null|true)$/;
/** The usual form of a slug. */
const usual = /^[a-z\d]+(-[a-z\d]+)*$/;

const formOf = (text: string): string => text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
/** Whether the slug has only kinds of characters that the other one has. */
const isOfForm = (slug: string, other: string): boolean =>
  [...formOf(slug)].every((kind) => formOf(other).includes(kind));

type Duty = readonly [id: JudgedId, due: 'accepted' | readonly number[], message?: string];

function dutyOf(reply: Reply, shown: ShownSlugs): Duty | undefined {
  const body = bodyOf(reply);
  if (reply.undocumented || body === undefined || !saysJson(reply)) return undefined;
  const { slug, ...more } = body;
  if (slug === undefined) return ['account-active-missing-slug', Object.keys(more).length === 0 ? [400] : [400, 422]];
  if (Object.keys(more).length > 0) return undefined;
  if (typeof slug !== 'string' || slug === '') return ['account-active-invalid-slug', [400, 404, 422]];
  if (invented.test(slug)) return ['account-active-unknown-slug', [404]];
  return isSession(reply.credential) ? dutyOfSession(reply, slug, shown) : undefined;
}

function dutyOfSession(reply: Reply, slug: string, shown: ShownSlugs): Duty | undefined {
  const isListed = shown.isListed(reply, slug);
  if (isListed && reply.status === 404 && shown.isOfKey(slug))
    return ['account-accounts-only-own', 'accepted', 'an account of others should not be listed'];
  if (isListed) return ['account-accounts-slugs', 'accepted', 'a switch to a listed account should be carried out'];
  const isAccepted = wasAccepted(reply);
  // A target may ignore case in slugs.
  if (shown.isLike(reply, (own) => own.toLowerCase() === slug.toLowerCase()))
    return isAccepted && isListed === false
      ? ['account-accounts-complete', [404], 'every account that the session may switch to should be listed']
      : undefined;
  if (isAccepted ? isListed === undefined : shown.hasSwitchedTo(reply, slug)) return undefined;
  // A text that does not look like a slug may be refused for that.
  if (!usual.test(slug) && !shown.isLike(reply, (own) => isOfForm(slug, own)))
    return isAccepted ? ['account-active-unknown-slug', [404]] : undefined;
  const isNear = shown.isLike(reply, (own) => own.startsWith(slug) || slug.startsWith(own));
  return [isNear ? 'account-active-unknown-slug' : 'account-active-foreign-slug', [404]];
}

/** The refusal may have another reason: the header may be refused first, or the session may not switch at all. */
const isOpen = (reply: Reply, isServed: boolean, maySwitch: boolean): boolean =>
  reply.status >= 400 &&
  !isOutage(reply) &&
  ((accountHeaderOf(reply) !== undefined && !isServed) ||
    [401, 409, 429].includes(reply.status) ||
    (reply.status === 403 && isSession(reply.credential) && !maySwitch));
