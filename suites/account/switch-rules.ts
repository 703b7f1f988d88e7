// Switches of the active account that name none, or one that the caller has not: refused, whoever asks, and whatever stands
// beside.
import { accountHeaderOf, bodyOf, isSession, type Reply, type Rule, saysJson, wasAccepted } from '../../lib/index.ts';

export const switchIds = [
  'account-active-missing-slug',
  'account-active-unknown-slug',
  'account-active-foreign-slug',
] as const;
type Id = (typeof switchIds)[number];

export const switches: Rule<Id> = ({ replies, callers }, { expect }) => {
  const all = replies.filter(({ operation }) => operation === 'PATCH /me/active-account');
  const accepted = all.filter(wasAccepted);
  const switched = new Set(accepted.map(({ credential }) => credential));
  const goalOf = ({ credential }: Reply, slug: unknown): string => JSON.stringify([credential, slug]);
  const own = new Set(accepted.map((one) => goalOf(one, bodyOf(one)?.slug)));
  for (const reply of all) {
    const [id, status] = defectOf(reply, (slug) => own.has(goalOf(reply, slug))) ?? [];
    if (id === undefined || reply.status >= 500) continue;
    if (isOpen(reply, callers.isServed(reply), switched.has(reply.credential))) continue;
    const found = { expected: wasAccepted(reply) ? '4xx' : status, actual: reply.status };
    const message = 'a switch to no account of the caller should be refused';
    expect(id, reply, reply.status === status, message, found);
  }
};

/** A slug that only a run makes up. */
const invented = /^covenant-[\da-f]{8}-[\da-f-]{27}$/;
/** Of the form that slugs have. */
const usual = /^[a-z\d]+(-[a-z\d]+)*$/;

/** `isOwn`: whether the caller has switched to it. */
function defectOf(reply: Reply, isOwn: (slug: string) => boolean): readonly [id: Id, status: number] | undefined {
  const body = bodyOf(reply);
  if (reply.undocumented || body === undefined || !saysJson(reply)) return undefined;
  if (Object.keys(body).length === 0) return ['account-active-missing-slug', 400];
  const { slug, ...more } = body;
  if (typeof slug !== 'string' || Object.keys(more).length > 0) return undefined;
  if (invented.test(slug)) return ['account-active-unknown-slug', 404];
  const isForeign = usual.test(slug) && !wasAccepted(reply) && !isOwn(slug);
  return isForeign ? ['account-active-foreign-slug', 404] : undefined;
}

/**
 * The account of a key is fixed, so it may be refused otherwise; a header that opens nothing may be refused first, and a
 * switch of somebody who may not switch.
 */
const isOpen = (reply: Reply, isServed: boolean, maySwitch: boolean): boolean =>
  reply.status >= 400 &&
  (!isSession(reply.credential) ||
    (accountHeaderOf(reply) !== undefined && !isServed) ||
    [401, 409, 429].includes(reply.status) ||
    (reply.status === 403 && !maySwitch));
