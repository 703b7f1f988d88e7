// Creations that the document describes, by somebody who makes such records otherwise: none is refused for what it holds, and
// none ends in an outage.
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
  const taken = takenIn(replies);
  const isNamesake = namesakesIn(replies);
  for (const reply of replies) {
    const { operation, status, undocumented, mayReplay } = reply;
    const body = bodyOf(reply);
    if (operation === undefined || body === undefined || undocumented || mayReplay || !saysJson(reply)) continue;
    if (!callers.mayCreate(reply)) continue;
    const isFree = isPlain[operation]?.(body) === true && !isNamesake(reply) && taken.isWhole(reply);
    const isElsewhere = callers.mayBeElsewhere(reply) && status !== 422;
    // What is there already may stand against it.
    const isRefused = refusals.includes(status) && status !== 409;
    const isLost = isOutage(reply) && isTyped[operation]?.(body) === true && taken.isPlace(reply);
    if (!isLost && (!isFree || isElsewhere)) continue;
    const found = { expected: 201, actual: status };
    const holds = !isLost && !isRefused;
    expect('envelope-valid-served', reply, holds, 'a valid request should be carried out', found);
  }
};

/** As everybody writes them: of one line and of usual length. */
const usual = /^\S[^\p{Cc}]{0,98}\S$/u;
const link = /^https:\/\/\S+$/;
/** Whoever takes these for what their names say may refuse others. */
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

/** Phones of which it is known what they must become. */
const areKnown = (phones: unknown): boolean =>
  Array.isArray(phones) && phones.every((phone) => e164Of(phone) !== undefined);

type Is = { readonly [operation in OperationId]?: (body: JsonObject) => boolean };

/** Valid in everything, and nothing in it is unusual. */
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

/** No bound is shown of most of them, though hardly one is lower. */
const textMax = 255;
const isSomeText = (text: unknown): boolean => typeof text === 'string' && /\S/.test(text) && text.length <= textMax;
const areTexts = (texts: JsonObject): boolean =>
  Object.values(texts).every((text) => typeof text === 'string' && text.length <= textMax);

/** Every member is one that the document names, and of its type: it may be refused for what it holds, and is answered. */
const isTyped: Is = {
  'POST /companies': ({ name, ...texts }) => isSomeText(name) && areTexts(texts),
  'POST /contacts': ({ company_id: company, phones = [], is_primary: primary = false, ...texts }) =>
    Number.isInteger(company) && typeof primary === 'boolean' && areKnown(phones) && areTexts(texts),
  [createNote]: ({ text, ...more }) => Object.keys(more).length === 0 && isSomeText(text),
};

/** Where it would be made: a company that one may write in, another need not even see. */
const placeOf = (reply: Reply): string => JSON.stringify([callerOf(reply), pathOf(reply), bodyOf(reply)?.company_id]);

/** An array of none is one more. */
function phonesIn(reply: Reply): readonly string[] {
  const { phones } = bodyOf(reply) ?? {};
  if (!Array.isArray(phones)) return [];
  return phones.length === 0 ? ['none'] : phones.map((one) => `${at(one, 'raw')} ${at(one, 'country')}`);
}
/** What kind of body it has. */
const kindOf = (reply: Reply): string => {
  const { company_type, contact_type } = bodyOf(reply) ?? {};
  return JSON.stringify([reply.operation, company_type, contact_type]);
};
const membersOf = (reply: Reply): readonly string[] => Object.keys(bodyOf(reply) ?? {});
/** Headers that say nothing of the record. */
const headersOf = ({ operation, request: { headers } }: Reply): string =>
  JSON.stringify([operation, headers['x-origin-app'], headers.accept, headers['content-type']]);

/** A server may want the names of companies to be different. */
function namesakesIn(replies: readonly Reply[]): (reply: Reply) => boolean {
  const first = new Map<unknown, number>();
  const nameIn = (reply: Reply): unknown => (reply.operation === 'POST /companies' ? bodyOf(reply)?.name : undefined);
  for (const reply of replies) if (wasAccepted(reply) && !first.has(nameIn(reply))) first.set(nameIn(reply), reply.id);
  return (reply) => nameIn(reply) !== undefined && (first.get(nameIn(reply)) ?? reply.id) < reply.id;
}

/** By which somebody is found: a target may want one of them. */
const naming = ['first_name', 'last_name', 'email'];

/**
 * Bodies of its kind were taken with less in them, and with each of its members; or any two of its members together, and
 * each without any that it lacks: it asks for nothing that is new.
 */
function shapesIn(written: readonly Reply[]): (reply: Reply) => boolean {
  const byKind = grouped(written, kindOf);
  return (reply) => {
    const [own, taken] = [membersOf(reply), (byKind.get(kindOf(reply)) ?? []).map(membersOf)];
    const isLess = taken.some((less) => less.every((name) => own.includes(name)));
    if (isLess && own.every((name) => taken.some((names) => names.includes(name)))) return true;
    const lacking = [...new Set(taken.flat())].filter((name) => !own.includes(name));
    const isNamed = taken.some((names) => names.every((name) => own.includes(name) || !naming.includes(name)));
    const isShown = (name: string): boolean => {
      const all = taken.filter((names) => names.includes(name));
      return (
        own.every((other) => all.some((names) => names.includes(other))) &&
        lacking.every((other) => all.some((names) => !names.includes(other)))
      );
    };
    return isNamed && own.every(isShown);
  };
}

/** What a target never takes is judged where it is tried: here it is somebody else, or another time, that is refused. */
function takenIn(replies: readonly Reply[]) {
  const written = replies.filter((reply) => wasAccepted(reply) && bodyOf(reply) !== undefined);
  const isAmong = (of: (reply: Reply) => string) => {
    const all = new Set(written.map(of));
    return (reply: Reply): boolean => all.has(of(reply));
  };
  const isPlace = isAmong(placeOf);
  const alike = [isPlace, shapesIn(written), isAmong(headersOf)];
  const phones = new Set(written.flatMap(phonesIn));
  /** There, and elsewhere something of this kind. */
  const isWhole = (reply: Reply): boolean =>
    alike.every((is) => is(reply)) && phonesIn(reply).every((one) => phones.has(one));
  return { isPlace, isWhole };
}
