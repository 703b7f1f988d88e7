// Rules for documented creations by callers that may create such records: no refusal for the contents, and no 500.
import {
  at,
  bodyOf,
  callerOf,
  createNote,
  grouped,
  isContactType,
  isOutage,
  isValidRecord,
  type JsonObject,
  type OperationId,
  pathOf,
  type Reply,
  type Rule,
  refusals,
  saysJson,
  wasAccepted,
} from '../../lib/index.ts';
import { e164Of } from '../shared/phone-numbers.ts';

export const creations: Rule<'envelope-valid-served'> = ({ replies, callers }, { expect }) => {
  const accepted = acceptedIn(replies);
  const isDuplicate = duplicatesIn(replies);
  for (const reply of replies.filter(callers.mayCreate)) {
    const { status } = reply;
    const isFree = has(isPlain, reply) && !isDuplicate(reply) && accepted.isWhole(reply);
    const mayBeOfOtherAccount = callers.mayBeOnOtherAccount(reply) && status !== 422;
    // A conflict with an existing record is allowed.
    const isRefused = refusals.includes(status) && status !== 409;
    const isLost = isOutage(reply) && has(isTyped, reply) && accepted.isPlace(reply);
    if (!isLost && (!isFree || mayBeOfOtherAccount)) continue;
    const holds = !isLost && !isRefused;
    expect('envelope-valid-served', reply, holds, 'a valid request should be carried out', { expected: 201 });
  }
};

/** A note is created whether or not a charset follows the media type. */
export const charsets: Rule<'envelope-request-charset'> = ({ replies, callers }, { expect }) => {
  const notes = replies.filter((one) => one.operation === createNote && has(isPlain, one));
  // An equal key may have sent the other one.
  const placeOf = (reply: Reply): string => `${callers.ownerOf(reply.credential)} ${pathOf(reply)}`;
  const acceptedIn = (some: readonly Reply[]) => new Set(some.filter(wasAccepted).map(placeOf));
  const labelled = notes.filter(hasCharset);
  const [accepted, bare] = [acceptedIn(labelled), acceptedIn(notes.filter((one) => !hasCharset(one)))];
  for (const reply of labelled) {
    const isOfCharset =
      bare.has(placeOf(reply)) && !accepted.has(placeOf(reply)) && !callers.mayBeOnOtherAccount(reply);
    if (!wasAccepted(reply) && !([400, 406, 415, 422].includes(reply.status) && isOfCharset)) continue;
    const found = { expected: '201, as without a charset' };
    expect('envelope-request-charset', reply, wasAccepted(reply), 'JSON with a charset should be accepted', found);
  }
};
const hasCharset = ({ request }: Reply): boolean =>
  /^application\/json\s*;\s*charset=/i.test(request.headers['content-type'] ?? '');

/** One line of ordinary length. */
const usual = /^\S[^\p{Cc}]{0,98}\S$/u;
const link = /^https:\/\/\S+$/;
/** A server may validate these members. */
const forms: Readonly<Record<string, RegExp>> = {
  email: /^[\w.+-]+@[\w.-]+\.\w+$/,
  zip: /^\d{5}$/,
  state: /^[A-Z]{2}$/,
  website: link,
  linkedin_url: link,
  photo_url: link,
};
const isUsual = (text: unknown, form = usual): boolean =>
  typeof text === 'string' && usual.test(text) && form.test(text);
const areUsual = (texts: JsonObject): boolean =>
  Object.entries(texts).every(([name, text]) => isUsual(text, forms[name]));

/** Phones whose E.164 number is known. */
const areKnown = (phones: unknown): boolean =>
  Array.isArray(phones) && phones.every((phone) => e164Of(phone) !== undefined);

type Is = { readonly [operation in OperationId]?: (body: JsonObject) => boolean };

/** The document says what every part of the request does, and its body is such. */
function has(is: Is, reply: Reply): boolean {
  const body = bodyOf(reply);
  const isSuch = reply.operation && is[reply.operation];
  if (body === undefined || reply.undocumented || reply.mayReplay || !saysJson(reply)) return false;
  return isSuch?.(body) === true;
}

/** Valid, with ordinary values only. */
const isPlain: Is = {
  'POST /companies': ({ company_type: type, ...texts }) =>
    typeof type === 'string' && texts.name !== undefined && isValidRecord({ company_type: type }) && areUsual(texts),
  'POST /contacts': ({ company_id: company, contact_type: type, phones = [], is_primary: primary, ...texts }) =>
    Number.isInteger(company) &&
    isContactType(type) &&
    areKnown(phones) &&
    primary !== true &&
    (texts.last_name !== undefined || texts.first_name !== undefined) &&
    areUsual(texts),
  [createNote]: ({ text, ...more }) => Object.keys(more).length === 0 && isUsual(text),
};

/** The document names few maximum lengths; others are hardly lower. */
const textMax = 255;
const isSomeText = (text: unknown): boolean => typeof text === 'string' && /\S/.test(text) && text.length <= textMax;
const areTexts = (texts: JsonObject): boolean =>
  Object.values(texts).every((text) => typeof text === 'string' && text.length <= textMax);

/** Only documented members of the documented types: it may be refused for its contents, but not with 500. */
const isTyped: Is = {
  'POST /companies': ({ name, ...texts }) => isSomeText(name) && areTexts(texts),
  'POST /contacts': ({ company_id: company, phones = [], is_primary: primary = false, ...texts }) =>
    Number.isInteger(company) && typeof primary === 'boolean' && areKnown(phones) && areTexts(texts),
  [createNote]: ({ text, ...more }) => Object.keys(more).length === 0 && isSomeText(text),
};

/** The caller and the target of the creation: it may not see other companies, or take contacts of one type alone. */
function placeOf(reply: Reply): string {
  const { company_id: company, contact_type: type } = bodyOf(reply) ?? {};
  return JSON.stringify([callerOf(reply), pathOf(reply), company, type]);
}

/** An empty array counts as a phone of its own. */
function phonesIn(reply: Reply): readonly string[] {
  const { phones } = bodyOf(reply) ?? {};
  if (!Array.isArray(phones)) return [];
  return phones.length === 0 ? ['none'] : phones.map((one) => `${at(one, 'raw')} ${at(one, 'country')}`);
}
/** The operation and the type of the record. */
const kindOf = (reply: Reply): string => {
  const { company_type, contact_type } = bodyOf(reply) ?? {};
  return JSON.stringify([reply.operation, company_type, contact_type]);
};
const membersOf = (reply: Reply): readonly string[] => Object.keys(bodyOf(reply) ?? {});
/** The operation and the headers that do not affect the record. */
const headersOf = ({ operation, request: { headers } }: Reply): string =>
  JSON.stringify([operation, headers['x-origin-app'], headers.accept, headers['content-type']]);

/** A server may require unique company names, and unique emails of contacts. */
function duplicatesIn(replies: readonly Reply[]): (reply: Reply) => boolean {
  const first = new Map<unknown, number>();
  const uniqueIn = (reply: Reply): unknown =>
    reply.operation === 'POST /companies' ? bodyOf(reply)?.name : bodyOf(reply)?.email;
  for (const reply of replies)
    if (wasAccepted(reply) && !first.has(uniqueIn(reply))) first.set(uniqueIn(reply), reply.id);
  return (reply) => uniqueIn(reply) !== undefined && (first.get(uniqueIn(reply)) ?? reply.id) < reply.id;
}

/** A target may require one of these. */
const naming = ['first_name', 'last_name', 'email'];

/**
 * Whether accepted bodies show that this set of members suffices: one had fewer, and each member occurred; or any two
 * members occurred together, and each without every member that is missing here.
 */
function shapesIn(written: readonly Reply[]): (reply: Reply) => boolean {
  const byKind = grouped(written, kindOf);
  return (reply) => {
    const [own, accepted] = [membersOf(reply), (byKind.get(kindOf(reply)) ?? []).map(membersOf)];
    const isLess = accepted.some((less) => less.every((name) => own.includes(name)));
    if (isLess && own.every((name) => accepted.some((names) => names.includes(name)))) return true;
    const lacking = [...new Set(accepted.flat())].filter((name) => !own.includes(name));
    const isNamed = accepted.some((names) => names.every((name) => own.includes(name) || !naming.includes(name)));
    const isShown = (name: string): boolean => {
      const all = accepted.filter((names) => names.includes(name));
      return (
        own.every((other) => all.some((names) => names.includes(other))) &&
        lacking.every((other) => all.some((names) => !names.includes(other)))
      );
    };
    return isNamed && own.every(isShown);
  };
}

/**
 * Whether the same was accepted from another caller or at another time; a case judges what the target never accepts.
 */
function acceptedIn(replies: readonly Reply[]) {
  const written = replies.filter((reply) => wasAccepted(reply) && bodyOf(reply) !== undefined);
  const isAmong = (of: (reply: Reply) => string) => {
    const all = new Set(written.map(of));
    return (reply: Reply): boolean => all.has(of(reply));
  };
  const isPlace = isAmong(placeOf);
  const alike = [isPlace, shapesIn(written), isAmong(headersOf)];
  const phones = new Set(written.flatMap(phonesIn));
  /** Something was accepted in this place, and this kind of body in any place. */
  const isWhole = (reply: Reply): boolean =>
    alike.every((is) => is(reply)) && phonesIn(reply).every((one) => phones.has(one));
  return { isPlace, isWhole };
}
