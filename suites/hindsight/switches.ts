// Switches of the active account that name none, or one that the caller has not: refused, whoever asks, and whatever stands
// beside.
import { type JudgedId, type Reply, type Story, type Wrong, wasAccepted } from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isSession, sentBody, servedIn } from './sent.ts';

export const switchIds = [
  'account-active-missing-slug',
  'account-active-unknown-slug',
  'account-active-foreign-slug',
] as const satisfies readonly JudgedId[];

type Defect = readonly [id: (typeof switchIds)[number], status: number];
const operation = 'PATCH /me/active-account';

/** A slug that only a run makes up. */
const invented = /^covenant-[\da-f]{8}-[\da-f-]{27}$/;

/** Of the form that slugs have. */
const usual = /^[a-z\d]+(-[a-z\d]+)*$/;

/** `isOwn`: whether the caller has switched to it. */
function defectOf(reply: Reply, isOwn: (slug: string) => boolean): Defect | undefined {
  const body = sentBody(reply);
  if (reply.operation !== operation || reply.undocumented || body === undefined) return undefined;
  if (!/^application\/json\b/.test(reply.request.headers['content-type'] ?? '')) return undefined;
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
const isOpen = (reply: Reply, isServed: (reply: Reply) => boolean, maySwitch: boolean): boolean =>
  reply.status >= 400 &&
  reply.status < 500 &&
  (!isSession(reply.credential) ||
    (reply.request.headers['x-active-account'] !== undefined && !isServed(reply)) ||
    [401, 409, 429].includes(reply.status) ||
    (reply.status === 403 && !maySwitch));

export function judgeSwitches({ replies }: Story): readonly Wrong[] {
  const switches = replies.filter((reply) => reply.operation === operation && wasAccepted(reply));
  const isServed = servedIn(replies);
  const switched = new Set(switches.map(({ credential }) => credential));
  const targetOf = ({ credential }: Reply, slug: unknown): string => JSON.stringify([credential, slug]);
  const own = new Set(switches.map((one) => targetOf(one, sentBody(one)?.slug)));
  return replies.flatMap((reply): Wrong[] => {
    const [id, status] = defectOf(reply, (slug) => own.has(targetOf(reply, slug))) ?? [];
    if (
      id === undefined ||
      reply.status === status ||
      isOpen(reply, isServed, switched.has(reply.credential)) ||
      reply.status >= 500
    )
      return [];
    const found = { expected: wasAccepted(reply) ? '4xx' : status, actual: reply.status, replies: [reply] };
    return [wrong(id, operation, 'a switch to no account of the caller should be refused', found)];
  });
}
