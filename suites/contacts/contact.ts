// Contacts as they are created, and created again without what the target may refuse.
import type { Api, Call, Credential, JsonObject, Random, Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { keyOrNone, perhapsKeyed } from '../shared/optional-headers.ts';
import type { Creation } from '../shared/refusals.ts';
import { freeTexts } from '../shared/tricky-texts.ts';

export interface Contacts {
  readonly api: Api;
  /** A valid body that carries the mark. */
  body(mark: string): JsonObject;
  send(body: JsonObject): Promise<Reply>;
  /** For what is to be refused, under a key or without one. */
  tryToSend(body: JsonObject): Promise<Reply>;
  /** With nothing but what is in the body. */
  sendExactly(body: JsonObject): Promise<Reply>;
}

/** A server may take another company of the sender instead: the configured key itself has made some, its equals perhaps none. */
const byItself = ({ company_id }: JsonObject): Pick<Call, 'exactly'> =>
  company_id === null || typeof company_id === 'string' ? { exactly: true } : {};

export function contactsOf(
  { api: primary, random }: { readonly api: Api; readonly random: Random },
  caller: Credential,
  company_id: number,
): Contacts {
  const api = primary.as(caller);
  return {
    api,
    body: (mark) => ({ contact_type: 'lender_contact', company_id, last_name: mark }),
    send: (body) => api.send('POST /contacts', { body, ...keyOrNone(random) }),
    tryToSend: (body) => api.send('POST /contacts', { body, ...perhapsKeyed(random), ...byItself(body) }),
    sendExactly: (body) => api.send('POST /contacts', { body, ...keyOrNone(random), exactly: true }),
  };
}

export interface CreatedContact {
  /** As it was sent at last. */
  readonly sent: JsonObject;
  readonly reply: Reply;
  /** To the request with everything in it that the document leaves open. */
  readonly first: Reply;
  /** To the last request that held the phones. */
  readonly withPhones: Reply;
}

/** No bound is shown of these texts: a server may have one, though hardly a lower one. */
const usualMax = 50;
function shortened(body: JsonObject): JsonObject {
  const long = [...freeTexts.contact, 'last_name'].filter((name) => String(body[name]).length > usualMax);
  const texts = long.map((name) => [name, [...String(body[name])].slice(0, usualMax).join('').trim()]);
  return long.length === 0 ? body : { ...body, ...Object.fromEntries(texts) };
}

/** What a contact is tried with beside its own body. */
export interface Additions {
  /** What the document leaves open. */
  readonly open?: JsonObject;
  readonly phones: readonly JsonObject[];
  /** What a server may refuse as well, at first: members, and phones in further forms. */
  readonly further?: { readonly members?: JsonObject; readonly phones: readonly JsonObject[] };
}

/** With all of it. */
function wholly(body: JsonObject, { open, phones, further }: Additions): readonly JsonObject[] {
  if (further === undefined) return [];
  const own = Array.isArray(open?.phones) ? open.phones : phones;
  return [{ ...body, ...open, ...further.members, phones: [...own, ...further.phones] }];
}

/**
 * Creates a contact with what the document leaves open beside its phones; where it is refused, once more with less of
 * that, then without it, then with shorter texts, then without the phones. So one record answers several questions.
 */
export async function createWith(
  { send, sendExactly }: Contacts,
  body: JsonObject,
  beside: Additions,
): Promise<CreatedContact> {
  const { open = {}, phones } = beside;
  const whole = wholly(body, beside);
  const short = shortened(body);
  const shorter = short === body ? [] : [{ ...short, phones }];
  const tried = [...whole, { ...body, ...open, phones }, { ...body, phones }, ...shorter, short];
  const replies: Reply[] = [];
  for (const one of tried) {
    const reply = one === short ? await sendExactly(one) : await send(one);
    replies.push(reply);
    if (!wasAccepted(reply) && one !== short) continue;
    // That much of it was refused says nothing of the rest.
    const [first = reply, second = first] = replies.slice(Math.min(whole.length, replies.length - 1));
    return { sent: one, reply, first, withPhones: one === short ? second : reply };
  }
  throw new Error('a contact was neither accepted nor refused');
}

/** How creations are tried that are to be refused. */
export const triedBy = ([first, ...more]: readonly [Contacts, ...Contacts[]], phones?: readonly JsonObject[]) => {
  const way = ({ body, tryToSend }: Contacts): Creation => ({
    body: (mark) => ({ ...body(mark), ...(phones ? { phones } : {}) }),
    send: tryToSend,
  });
  return [way(first), ...more.map(way)] as const;
};
