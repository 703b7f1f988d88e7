// Rules over switches of the active account: to a slug that the caller was shown they succeed, any other is refused.
import {
  bodyOf,
  grouped,
  isOutage,
  isSession,
  isUnderHeader,
  type Judge,
  type JudgedId,
  type Reply,
  type Rule,
  saysJson,
  wasAccepted,
} from '../../lib/index.ts';
import { slugsOf } from '../shared/answer.ts';

export const switches: Rule = ({ replies, callers }, judge) => {
  // Later pages count, although their parameter is undocumented; under a header they may list another account's.
  const shown = replies.filter((reply) => wasAccepted(reply) && (!reply.undocumented || !isUnderHeader(reply)));
  const profiles = shown.filter(({ operation }) => operation === 'GET /me');
  const lists = shown.filter(({ operation }) => operation === 'GET /me/accounts');
  const ofKeys = profiles.filter(({ credential }) => /^COVENANT_.*API_KEY/.test(credential)).flatMap(slugsOf);
  const switches = replies.filter(({ operation }) => operation === 'PATCH /me/active-account');
  for (const [credential, tries] of grouped(switches, (reply) => reply.credential)) {
    const isOwn = (reply: Reply): boolean => reply.credential === credential;
    const own = {
      profiles: profiles.filter(isOwn),
      lists: lists.filter(isOwn),
      ofKeys,
      switched: tries.filter(wasAccepted).map((one) => bodyOf(one)?.slug),
    };
    for (const reply of tries)
      if (!isOpen(reply, callers.isServed(reply), own)) judgeSwitch(reply, dutyOf(reply, own), judge);
    if (isSession(credential)) judgeProfiles(own.profiles, tries, judge);
  }
};

/** What the caller of a switch was shown, and has switched to. */
interface Own {
  readonly profiles: readonly Reply[];
  readonly lists: readonly Reply[];
  readonly switched: readonly unknown[];
  /** The slugs in the profiles of configured keys, whose accounts exist. */
  readonly ofKeys: readonly string[];
}

function judgeSwitch(reply: Reply, duty: Duty | undefined, { expect }: Judge): void {
  if (duty === undefined) return;
  const [id, due, message = 'a switch to no account of the caller should be refused'] = duty;
  const { status: actual } = reply;
  const holds = due === 'accepted' ? wasAccepted(reply) : due.includes(actual) || isRefusedKey(reply);
  const expected = due === 'accepted' ? due : wasAccepted(reply) || isOutage(reply) ? '4xx' : due.join(' or ');
  expect(id, reply, holds, message, { expected, actual });
}

/** The account of a key is fixed: it may be refused for that. */
const isRefusedKey = ({ credential, status }: Reply): boolean =>
  !isSession(credential) && status >= 400 && status < 500;

/** If every slug of a profile was tried, at least one was accepted. */
function judgeProfiles(profiles: readonly Reply[], tries: readonly Reply[], { expect }: Judge): void {
  for (const profile of profiles) {
    const slugs = slugsOf(profile);
    const own = tries.filter((one) => slugs.includes(String(bodyOf(one)?.slug)) && dependsOnSlugAlone(one));
    if (slugs.length === 0 || slugs.some((slug) => !own.some((one) => bodyOf(one)?.slug === slug))) continue;
    const found = { expected: 'a slug that is accepted', actual: slugs, because: own };
    expect('account-me-slug', profile, own.some(wasAccepted), 'GET /me should show a slug to switch to', found);
  }
}

/** The reply depends on nothing but the slug. */
const dependsOnSlugAlone = (reply: Reply): boolean =>
  !isUnderHeader(reply) && (wasAccepted(reply) || [400, 404, 422].includes(reply.status));

/** Slugs that only the suite invents. */
const invented = /^covenant-[\da-f]{8}$/;
/** The usual form of a slug. */
const usual = /^[a-z\d]+(-[a-z\d]+)*$/;
/** A target may find it too short, or reserve it. */
const unusual = /^(.|null|true)$/u;

const formOf = (text: string): string => text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
/** Whether the slug has only kinds of characters that the other one has. */
const isOfForm = (slug: string, other: string): boolean =>
  [...formOf(slug)].every((kind) => formOf(other).includes(kind));

type Duty = readonly [id: JudgedId, due: 'accepted' | readonly number[], message?: string];

function dutyOf(reply: Reply, own: Own): Duty | undefined {
  const body = bodyOf(reply);
  if (reply.undocumented || body === undefined || !saysJson(reply)) return undefined;
  const { slug, ...more } = body;
  if (slug === undefined) return ['account-active-missing-slug', Object.keys(more).length === 0 ? [400] : [400, 422]];
  if (Object.keys(more).length > 0) return undefined;
  if (typeof slug !== 'string' || slug === '') return ['account-active-invalid-slug', [400, 404, 422]];
  if (invented.test(slug)) return ['account-active-unknown-slug', [404]];
  return isSession(reply.credential) ? dutyOfSession(reply, slug, own) : undefined;
}

function dutyOfSession(reply: Reply, slug: string, { profiles, lists, switched, ofKeys }: Own): Duty | undefined {
  const isAccepted = wasAccepted(reply);
  const listed = lists.flatMap(slugsOf);
  // The account may ask for more than a membership, such as a single sign-on.
  if (listed.includes(slug) && reply.status === 403 && !switched.includes(slug)) return undefined;
  if (listed.includes(slug))
    return reply.status === 404 && ofKeys.includes(slug)
      ? ['account-accounts-only-own', 'accepted', 'an account of others should not be listed']
      : ['account-accounts-slugs', 'accepted', 'a switch to a listed account should be carried out'];
  const shown = [...listed, ...profiles.flatMap(slugsOf)];
  // A target may ignore case in slugs.
  const isSame = (one: string): boolean => one.toLowerCase() === slug.toLowerCase();
  if (shown.some(isSame))
    return isAccepted && lists.length > 0 && !listed.some(isSame)
      ? ['account-accounts-complete', [404], 'every account that the session may switch to should be listed']
      : undefined;
  if (isAccepted ? lists.length === 0 : switched.includes(slug)) return undefined;
  // A text that does not look like a slug may be refused for that.
  if (unusual.test(slug) || (!usual.test(slug) && !shown.some((one) => !usual.test(one) && isOfForm(slug, one))))
    return isAccepted ? ['account-active-unknown-slug', [404]] : undefined;
  const isNear = shown.some((one) => one.startsWith(slug) || slug.startsWith(one));
  return [isNear ? 'account-active-unknown-slug' : 'account-active-foreign-slug', [404]];
}

/**
 * A failure on the way, or a refusal that may have another reason: the header may be refused first, or the session may
 * not switch at all.
 */
const isOpen = (reply: Reply, isServed: boolean, { switched }: Own): boolean =>
  reply.status >= 400 &&
  !isOutage(reply) &&
  ((isUnderHeader(reply) && !isServed) ||
    reply.status >= 500 ||
    [401, 409, 429].includes(reply.status) ||
    (reply.status === 403 && isSession(reply.credential) && switched.length === 0));
