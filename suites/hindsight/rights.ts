// What whoever may not create companies or contacts was answered when it tried: 403, whatever came before and stands beside.
import type { JudgedId, OperationId, Reply, Story, Wrong } from '../../lib/index.ts';
import { isRight } from './defects.ts';
import { wrong } from './judgement.ts';
import { saysJson, sentBody, tokenOf } from './sent.ts';
import type { Tokens } from './tokens.ts';

export const rightIds = [
  'companies-create-forbidden',
  'contacts-create-forbidden',
] as const satisfies readonly JudgedId[];

const forbidden: { readonly [Id in OperationId]?: (typeof rightIds)[number] } = {
  'POST /companies': 'companies-create-forbidden',
  'POST /contacts': 'contacts-create-forbidden',
};

/** The contract gives it to a run because its user may create neither. */
const restricted = 'COVENANT_API_KEY_RESTRICTED';

/** Whether they may be let in, and how often, is judged by itself. */
const isOpen = ({ status }: Reply): boolean => [401, 403, 409, 429].includes(status) || status >= 500;

/** Valid in everything that could be refused first. */
function isValid(reply: Reply): boolean {
  const { company_id, contact_type, is_primary: _, ...texts } = sentBody(reply) ?? {};
  if (
    reply.undocumented ||
    reply.mayReplay ||
    !saysJson(reply) ||
    texts.phones !== undefined ||
    texts.org_id !== undefined
  )
    return false;
  if (reply.operation === 'POST /companies')
    return texts.name !== undefined && texts.company_type !== undefined && isRight(texts);
  return Number.isInteger(company_id) && isRight(texts) && ['lender_contact', 'sponsor'].includes(String(contact_type));
}

/** What is tried, and of which company: one that it may not see may be unknown to it. */
const placeOf = (reply: Reply): string => `${reply.operation} ${sentBody(reply)?.company_id}`;

/** Mostly it is refused for want of the right: then it is so every time. */
export function judgeRights({ replies }: Story, tokens: Tokens): readonly Wrong[] {
  const tries = replies.filter(
    (reply) =>
      reply.operation !== undefined &&
      forbidden[reply.operation] !== undefined &&
      tokens.rootOf(tokenOf(reply)) === restricted &&
      isValid(reply),
  );
  return tries.flatMap((reply): readonly Wrong[] => {
    const { operation } = reply;
    const id = operation && forbidden[operation];
    const same = tries.filter((one) => placeOf(one) === placeOf(reply));
    const refused = same.filter(({ status }) => status === 403).length;
    if (operation === undefined || id === undefined || isOpen(reply) || 2 * refused <= same.length) return [];
    const found = { expected: 403, actual: reply.status, replies: [reply] };
    return [wrong(id, operation, `what ${reply.credential} may not create should be refused for that`, found)];
  });
}
