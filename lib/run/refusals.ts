// Valid requests that were refused when a case started from them: a failure of their own if nothing else shows it.
import { type OperationId, withoutAccount } from '../catalogue/operations.ts';
import type { Difference } from '../client/errors.ts';
import { type Reply, wasAccepted } from '../client/reply.ts';
import { isSession } from '../model/request.ts';
import type { Findings } from './findings.ts';

/** The requirement that a refused request breaks if nothing else shows it. */
export const blamedOn = 'envelope-valid-served';

const edit: OperationId = 'PATCH /companies/{company_id}';
/** Their success is up to the operator: the maximum of keys, and a body that the document does not show. */
const excepted: readonly (OperationId | undefined)[] = ['POST /api-keys', edit, undefined];

/**
 * A target need not accept an edit of a company, whose body the document does not show, nor a switch in a run without a
 * session, as the account of a key is fixed: then the replies of a success are not judged.
 */
export function isNotOffered(operation: OperationId, replies: readonly Reply[]): boolean {
  const own = replies.filter((one) => one.operation === operation);
  const isRefused = (...statuses: readonly number[]): boolean =>
    !own.some(wasAccepted) && own.some(({ credential, status }) => isKey(credential) && statuses.includes(status));
  if (operation === edit) return isRefused(400, 403, 405, 409, 415, 422);
  if (operation !== 'PATCH /me/active-account' || replies.some(({ credential }) => isSession(credential))) return false;
  return isRefused(400, 403, 404, 405, 409, 415, 422);
}

/** Accepted keys; others may lack permissions, and a session may have no account. */
const isKey = (credential: string): boolean =>
  /^(?:COVENANT_API_KEY(?:_SECONDARY)?|COVENANT_RATE_API_KEY(?:_SIBLING)?|MADE_KEY_.*|none)$/.test(credential);

const accountOf = ({ request }: Reply): string | undefined => request.headers['x-active-account'];
/** A key under a header that was accepted before acts on its own account, as without the header. */
const hasKey = (reply: Reply, all: readonly Reply[]): boolean =>
  isKey(reply.credential) &&
  (accountOf(reply) === undefined ||
    all.some(
      (one) =>
        one.id < reply.id &&
        one.credential === reply.credential &&
        accountOf(one) === accountOf(reply) &&
        wasAccepted(one),
    ));

/**
 * The session acted on an account before under the same header, or none; the requested record may be another account's.
 */
const hasAccount = (reply: Reply, all: readonly Reply[]): boolean =>
  reply.credential === 'COVENANT_JWT' &&
  reply.status !== 404 &&
  all.some(
    (one) =>
      one.id < reply.id &&
      one.credential === reply.credential &&
      accountOf(one) === accountOf(reply) &&
      one.operation !== undefined &&
      !withoutAccount.includes(one.operation) &&
      wasAccepted(one),
  );

/** 403 is for rights that may be missing, 409 for a repetition, 429 for limits; 502 to 504 may be a gateway's. */
const isRefusal = ({ status }: Reply): boolean => status >= 400 && ![403, 409, 429, 502, 503, 504].includes(status);

/** Whether replies showed each identifier in its path: otherwise the record may not exist. */
function isAboutShown({ request: { url } }: Reply, replies: readonly Reply[]): boolean {
  const identifiers = new URL(url).pathname
    .split('/')
    .filter((segment) => /^\d*$/.test(segment))
    .slice(1);
  return identifiers.every((id) => id !== '' && replies.some((one) => wasAccepted(one) && one.text.includes(id)));
}

function isWrong({ refused, replies = [] }: Difference, all: readonly Reply[]): boolean {
  const reply = replies.at(-1);
  return (
    refused === true &&
    reply !== undefined &&
    !excepted.includes(reply.operation) &&
    reply.undocumented === undefined &&
    !new URL(reply.request.url).searchParams.has('sort') &&
    // Its row names no parameters.
    !(reply.operation === 'GET /account/team' && new URL(reply.request.url).search !== '') &&
    (hasKey(reply, all) ? reply.status !== 404 || isAboutShown(reply, all) : hasAccount(reply, all)) &&
    isRefusal(reply)
  );
}

const operationOf = ({ replies = [] }: Difference): OperationId | undefined => replies.at(-1)?.operation;

/** To be called once everything is judged: a refusal is blamed where no failure has a reply of the same operation. */
export function blameRefusals(findings: Findings, replies: readonly Reply[]): void {
  if (!findings.ids.has(blamedOn)) return;
  const all = findings.all();
  const shown = new Set(
    all.flatMap(({ verdict, operation, difference }) =>
      verdict === 'failed' ? [operation, ...(difference?.replies ?? []).map((reply) => reply.operation)] : [],
    ),
  );
  const refusals = new Set(all.flatMap(({ unmet }) => (unmet && isWrong(unmet, replies) ? [unmet] : [])));
  for (const difference of refusals) {
    const operation = operationOf(difference);
    if (operation === undefined || shown.has(operation)) continue;
    shown.add(operation);
    findings.add(blamedOn, { verdict: 'failed', difference, operation, durationMs: 0 });
  }
}
