// Creations that the document describes, by somebody who makes such records otherwise: none is refused for what it holds,
// and none ends in an outage.
import {
  type JsonObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { phonesOf } from '../contacts/phone.ts';
import { createNote } from '../shared/note-operations.ts';
import { isRight } from './defects.ts';
import { mayBeElsewhereIn } from './elsewhere.ts';
import { wrong } from './judgement.ts';
import { makersIn } from './makers.ts';
import { isKnownPhone } from './phones.ts';
import { isOutage, pathOf, refusals, saysJson, sentBody } from './sent.ts';

export const carriedOutIds = ['envelope-valid-served'] as const satisfies readonly JudgedId[];

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

/** Valid in everything, and nothing in it is unusual. */
const isPlain: { readonly [Id in OperationId]?: (body: JsonObject) => boolean } = {
  'POST /companies': ({ company_type: type, ...texts }) =>
    typeof type === 'string' && texts.name !== undefined && isRight({ company_type: type }) && areUsual(texts),
  'POST /contacts': ({ company_id: company, contact_type: type, phones = [], is_primary: primary, ...texts }) =>
    Number.isInteger(company) &&
    (type === 'lender_contact' || type === 'sponsor') &&
    Array.isArray(phones) &&
    phones.every(isKnownPhone) &&
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
const isTyped: { readonly [Id in OperationId]?: (body: JsonObject) => boolean } = {
  'POST /companies': ({ name, ...texts }) => isSomeText(name) && areTexts(texts),
  'POST /contacts': ({ company_id: company, phones = [], is_primary: primary = false, ...texts }) =>
    Number.isInteger(company) &&
    typeof primary === 'boolean' &&
    Array.isArray(phones) &&
    phones.every(isKnownPhone) &&
    areTexts(texts),
  [createNote]: ({ text, ...more }) => Object.keys(more).length === 0 && isSomeText(text),
};

/** Where it would be made: a company that one may write in, another need not even see. */
const placeOf = (reply: Reply): string =>
  JSON.stringify([reply.credential, reply.request.headers['x-active-account'], pathOf(reply), companyOf(reply)]);
const companyOf = (reply: Reply): unknown => sentBody(reply)?.company_id;

/** An array of none is one more. */
function phonesIn(reply: Reply): readonly string[] {
  const { phones } = sentBody(reply) ?? {};
  if (Array.isArray(phones) && phones.length === 0) return ['none'];
  return phonesOf({ phones }).map((one) => `${one.raw} ${one.country}`);
}
/** What kind of body it has, and which headers beside that say nothing of the record. */
const kindOf = (reply: Reply): string => {
  const { company_type, contact_type } = sentBody(reply) ?? {};
  return JSON.stringify([reply.operation, company_type, contact_type]);
};
const membersOf = (reply: Reply): readonly string[] => Object.keys(sentBody(reply) ?? {});
const mannersOf = ({ operation, request: { headers } }: Reply): string =>
  JSON.stringify([operation, headers['x-origin-app'], headers.accept, headers['content-type']]);

/** A server may want the names of companies to be different. */
function namesakesIn(replies: readonly Reply[]): (reply: Reply) => boolean {
  const first = new Map<unknown, number>();
  const nameIn = (reply: Reply): unknown => (reply.operation === 'POST /companies' ? sentBody(reply)?.name : undefined);
  for (const reply of replies.filter(wasAccepted)) if (!first.has(nameIn(reply))) first.set(nameIn(reply), reply.id);
  return (reply) => nameIn(reply) !== undefined && (first.get(nameIn(reply)) ?? Infinity) < reply.id;
}

interface Taken {
  /** Something was made in this place. */
  isPlace(reply: Reply): boolean;
  /** There, and elsewhere something of this kind. */
  isWhole(reply: Reply): boolean;
}

/** By which somebody is found: a target may want one of them. */
const naming = ['first_name', 'last_name', 'email'];

/**
 * Bodies of its kind were taken with less in them, and with each of its members; or any two of its members together, and
 * each without any that it lacks: it asks for nothing that is new.
 */
function shapesIn(written: readonly Reply[]): (reply: Reply) => boolean {
  const byKind = new Map<string, (readonly string[])[]>();
  for (const reply of written) byKind.set(kindOf(reply), [...(byKind.get(kindOf(reply)) ?? []), membersOf(reply)]);
  return (reply) => {
    const [own, taken] = [membersOf(reply), byKind.get(kindOf(reply)) ?? []];
    const lacking = [...new Set(taken.flat())].filter((name) => !own.includes(name));
    const isLess = taken.some((less) => less.every((name) => own.includes(name)));
    if (isLess && own.every((name) => taken.some((names) => names.includes(name)))) return true;
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
function takenIn(replies: readonly Reply[]): Taken {
  const written = replies.filter((reply) => wasAccepted(reply) && sentBody(reply) !== undefined);
  const isAmong = (of: (reply: Reply) => string) => {
    const all = new Set(written.map(of));
    return (reply: Reply): boolean => all.has(of(reply));
  };
  const isPlace = isAmong(placeOf);
  const alike = [isPlace, shapesIn(written), isAmong(mannersOf)];
  const phones = new Set(written.flatMap(phonesIn));
  const isWhole = (reply: Reply): boolean =>
    alike.every((is) => is(reply)) && phonesIn(reply).every((one) => phones.has(one));
  return { isPlace, isWhole };
}

export function judgeCarriedOut({ replies }: Story): readonly Wrong[] {
  const mayMake = makersIn(replies);
  const taken = takenIn(replies);
  const isNamesake = namesakesIn(replies);
  const mayBeElsewhere = mayBeElsewhereIn(replies);
  return replies.flatMap((reply): readonly Wrong[] => {
    const { operation, status, undocumented, mayReplay } = reply;
    const body = sentBody(reply);
    if (operation === undefined || body === undefined || undocumented || mayReplay || !saysJson(reply)) return [];
    if (!mayMake(reply)) return [];
    const isFree = isPlain[operation]?.(body) === true && !isNamesake(reply);
    // What is there already may stand against it.
    const isRefused = refusals.includes(status) && status !== 409 && isFree && taken.isWhole(reply);
    const isLost = isOutage(reply) && isTyped[operation]?.(body) === true && taken.isPlace(reply);
    if (!isLost && (!isRefused || (mayBeElsewhere(reply) && status !== 422))) return [];
    const found = { expected: 201, actual: status, replies: [reply] };
    return [wrong('envelope-valid-served', operation, 'a valid request should be carried out', found)];
  });
}
