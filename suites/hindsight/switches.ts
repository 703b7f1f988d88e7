// Switches of the active account that name none, or one that nobody has: refused, whoever asks, and whatever stands beside.
import { type JudgedId, type Reply, type Story, type Wrong, wasAccepted } from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isSession, sentBody } from './sent.ts';

export const switchIds = [
  'account-active-missing-slug',
  'account-active-unknown-slug',
] as const satisfies readonly JudgedId[];

type Defect = readonly [id: (typeof switchIds)[number], status: number];
const operation = 'PATCH /me/active-account';

/** A slug that only a run makes up. */
const invented = /^covenant-[\da-f]{8}-[\da-f-]{27}$/;

function defectOf(reply: Reply): Defect | undefined {
  const body = sentBody(reply);
  if (reply.operation !== operation || reply.undocumented || body === undefined) return undefined;
  if (!/^application\/json\b/.test(reply.request.headers['content-type'] ?? '')) return undefined;
  if (Object.keys(body).length === 0) return ['account-active-missing-slug', 400];
  const { slug, ...more } = body;
  const isUnknown = typeof slug === 'string' && invented.test(slug) && Object.keys(more).length === 0;
  return isUnknown ? ['account-active-unknown-slug', 404] : undefined;
}

/** The account of a key is fixed, so it may be refused otherwise; a header beside may be refused first. */
const isOpen = ({ credential, request, status }: Reply): boolean =>
  status >= 400 &&
  status < 500 &&
  (!isSession(credential) ||
    request.headers['x-active-account'] !== undefined ||
    [401, 403, 409, 429].includes(status));

export const judgeSwitches = ({ replies }: Story): readonly Wrong[] =>
  replies.flatMap((reply): Wrong[] => {
    const [id, status] = defectOf(reply) ?? [];
    if (id === undefined || reply.status === status || isOpen(reply) || reply.status >= 500) return [];
    const found = { expected: wasAccepted(reply) ? '4xx' : status, actual: reply.status, replies: [reply] };
    return [wrong(id, operation, 'a switch to no account should be refused', found)];
  });
