// Contacts as they are created, and created again without what the target may refuse.
import type { Api, Credential, JsonObject, Random, Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';

export interface Contacts {
  readonly api: Api;
  /** A valid body that carries the mark. */
  body(mark: string): JsonObject;
  send(body: JsonObject): Promise<Reply>;
  /** With nothing but what is in the body. */
  sendExactly(body: JsonObject): Promise<Reply>;
}

export function contactsOf(
  { api: primary, random }: { readonly api: Api; readonly random: Random },
  caller: Credential,
  company_id: number,
): Contacts {
  const api = primary.as(caller);
  return {
    api,
    body: (mark) => ({ contact_type: 'lender_contact', company_id, last_name: mark }),
    send: (body) => api.send('POST /contacts', { body, key: random.uuid() }),
    sendExactly: (body) => api.send('POST /contacts', { body, key: random.uuid(), exactly: true }),
  };
}

export interface CreatedContact {
  /** As it was sent at last. */
  readonly sent: JsonObject;
  readonly reply: Reply;
  /** To the request with everything in it. */
  readonly first: Reply;
  /** To the last request that held the phones. */
  readonly withPhones: Reply;
}

/**
 * Creates a contact with what the document leaves open beside its phones; where it is refused, once more without the
 * former, then without the phones. So one record answers several questions.
 */
export async function createWith(
  { send }: Contacts,
  body: JsonObject,
  open: JsonObject,
  phones: readonly JsonObject[],
): Promise<CreatedContact> {
  const tried = [{ ...body, ...open, phones }, { ...body, phones }, body];
  const replies: Reply[] = [];
  for (const one of tried) {
    const reply = await send(one);
    replies.push(reply);
    if (!wasAccepted(reply) && one !== body) continue;
    const [first = reply, second = first] = replies;
    return { sent: one, reply, first, withPhones: wasAccepted(first) ? first : second };
  }
  throw new Error('a contact was neither accepted nor refused');
}
