// Writes that lack what they need, by somebody who is served: refused as the document says, whatever stands beside.
import {
  dataOf,
  identifierOf,
  isObject,
  type JsonObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { labelMax } from '../api-keys/label.ts';
import { createNote, deleteNote, editNote } from '../shared/note-operations.ts';
import { tooLong } from '../shared/refusals.ts';
import { mayBeElsewhereIn } from './elsewhere.ts';
import { wrong } from './judgement.ts';
import { madeIn } from './made.ts';
import { makersIn } from './makers.ts';
import { callerOf, isOutage, pathOf, saysJson, sentBody, servedIn } from './sent.ts';

export const defectIds = [
  'api-keys-label-missing',
  'api-keys-label-out-of-bounds',
  'companies-create-missing-name',
  'companies-create-missing-type',
  'companies-name-out-of-bounds',
  'companies-type-unknown',
  'companies-required-wrong-type',
  'contacts-create-missing-type',
  'contacts-create-missing-company',
  'contacts-type-unknown',
  'contacts-required-wrong-type',
  'contacts-phone-raw-missing',
  'contacts-phone-type-unknown',
  'contacts-phone-unparseable',
  'contacts-phone-any-unparseable',
  'notes-create-missing-text',
  'notes-create-empty',
  'notes-create-blank',
  'notes-edit-missing-text',
  'notes-edit-empty',
  'notes-edit-blank',
] as const satisfies readonly JudgedId[];

type Defect = readonly [id: (typeof defectIds)[number], statuses: readonly number[]];

const either = [400, 422];
/** Characters. */
const nameMax = 255;

/** What is taken was refused for nothing else: `isTaken` is that of the write which has the body. */
type Judge = (body: JsonObject, isTaken: boolean) => Defect | undefined;

const ofText =
  (on: 'create' | 'edit'): Judge =>
  ({ text, ...more }, isTaken) => {
    // What else it has takes no text's place, and beside one it may be refused as well.
    if (typeof text !== 'string') return [`notes-${on}-missing-text`, either];
    if (Object.keys(more).length > 0 && !isTaken) return undefined;
    if (text === '') return [`notes-${on}-empty`, on === 'edit' ? [400] : either];
    return /^[ \t\r\n]+$/.test(text) ? [`notes-${on}-blank`, [422]] : undefined;
  };

/** Whatever a company has, or a contact beside its type, is as it should be. */
export const isRight = ({ company_type: type = 'lender', ...texts }: JsonObject): boolean =>
  (type === 'lender' || type === 'sponsor') &&
  Object.values(texts).every((text) => typeof text === 'string' && text !== '' && text.length <= 200);

const ofCompany: Judge = (body, isTaken) => {
  const { name, company_type: type, org_id: organization } = body;
  if (isTaken || isRight(body)) {
    if (name === undefined) return ['companies-create-missing-name', [422]];
    if (type === undefined) return ['companies-create-missing-type', [422]];
  }
  // There need not be such an organization, which may be said first.
  if ((organization !== undefined && !isTaken) || name === undefined || type === undefined) return undefined;
  if (typeof name !== 'string' || typeof type !== 'string') return ['companies-required-wrong-type', either];
  if (name === '' || [...name].length > nameMax) return ['companies-name-out-of-bounds', tooLong];
  // Nearly lawful types may be read as what is meant.
  return type === 'lender_contact' || !/lender|sponsor/i.test(type) ? ['companies-type-unknown', either] : undefined;
};

/** One digit is too few, and so many are too many in every country. */
const isNumber = (raw: string): boolean => {
  const count = raw.replace(/\D/g, '').length;
  return count > 1 && count < 25;
};
const kindsOfPhones: readonly unknown[] = ['mobile', 'office', 'fax', null, undefined];

/** A phone that is one in no reading; beside others that are, and in a contact with nothing odd. */
const ofPhones: Judge = ({ phones, company_id, contact_type: type, is_primary: _, ...texts }, isTaken) => {
  if (!Array.isArray(phones) || (!isTaken && !(Number.isInteger(company_id) && isRight(texts)))) return undefined;
  if (type !== 'lender_contact' && type !== 'sponsor') return undefined;
  const all = phones.filter(isObject);
  if (all.some(({ raw }) => raw === undefined || raw === null)) return ['contacts-phone-raw-missing', either];
  const raws = all.flatMap(({ raw }) => (typeof raw === 'string' && raw !== '' ? [raw] : []));
  if (raws.length < phones.length) return undefined;
  const bad = raws.filter((raw) => !isNumber(raw));
  if (!all.every((phone) => kindsOfPhones.includes(phone.type)))
    return bad.length === 0 ? ['contacts-phone-type-unknown', either] : undefined;
  if (bad.length === 0) return undefined;
  return [bad.length === raws.length ? 'contacts-phone-unparseable' : 'contacts-phone-any-unparseable', [422]];
};

const ofContact: Judge = (body, isTaken) => {
  const { contact_type: type, company_id: company, is_primary: _, phones = [], ...texts } = body;
  // What else is missing or odd may be refused first.
  const isPlain = Number.isInteger(company) && isRight(texts) && wordOf(phones) === '[]';
  if (type === undefined) return ['contacts-create-missing-type', isPlain ? [422] : either];
  if (company === undefined) return ['contacts-create-missing-company', either];
  if (typeof type !== 'string' || !isIdentifier(company)) return ['contacts-required-wrong-type', either];
  return /contact|sponsor/i.test(type) ? ofPhones(body, isTaken) : ['contacts-type-unknown', either];
};

/** A text of digits may be read as the number that is meant. */
const isIdentifier = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^-?\d+$/.test(value);

/** The requirement that a body breaks, and the statuses that refuse it; undefined where it breaks none of these. */
const defectOf: { readonly [Id in OperationId]?: Judge } = {
  [createNote]: ofText('create'),
  [editNote]: ofText('edit'),
  'POST /api-keys': ({ label }) => {
    if (typeof label !== 'string') return ['api-keys-label-missing', either];
    return label === '' || [...label].length > labelMax ? ['api-keys-label-out-of-bounds', tooLong] : undefined;
  },
  'POST /companies': ofCompany,
  'POST /contacts': ofContact,
};

/** The identifiers of the companies that the run made. */
const companiesIn = (replies: readonly Reply[]): ReadonlySet<unknown> =>
  new Set(
    replies
      .filter((reply) => reply.operation === 'POST /companies' && wasAccepted(reply))
      .map((reply) => identifierOf('company', dataOf(reply))),
  );

/** It says nothing of the body: a conflict is one with what was sent under the same Idempotency-Key. */
const isOpen = (reply: Reply): boolean =>
  [401, 429].includes(reply.status) ||
  (reply.status === 409 && reply.request.headers['idempotency-key'] !== undefined) ||
  (reply.status >= 500 && !isOutage(reply)) ||
  !saysJson(reply);

/** What makes room again for another one of these. */
const removalOf: { readonly [Id in OperationId]?: OperationId } = {
  'POST /api-keys': 'DELETE /api-keys/{key_id}',
  [createNote]: deleteNote,
};

/**
 * Forbidden for want of a right, or because there are as many as there may be: unless the sender makes another one later,
 * and nobody has made room for it until then.
 */
function mayBeForbiddenIn(replies: readonly Reply[]): (reply: Reply) => boolean {
  const removals = replies.filter((one) => one.request.method === 'DELETE' && (wasAccepted(one) || one.status >= 500));
  const placeOf = (reply: Reply): string => [callerOf(reply), reply.request.method, pathOf(reply)].join(' ');
  const accepted = new Map<string, Reply[]>();
  for (const one of replies.filter(wasAccepted))
    if (one.operation !== undefined && one.operation in defectOf)
      accepted.set(placeOf(one), [...(accepted.get(placeOf(one)) ?? []), one]);
  return (reply) => {
    const next = accepted.get(placeOf(reply))?.find((one) => one.after >= reply.id);
    if (reply.operation === undefined || next === undefined) return true;
    const removal = removalOf[reply.operation];
    return removals.some((one) => one.operation === removal && one.id > reply.after && one.after < next.id);
  };
}

/** The operation was for the sender, and what it names was there: so it is for the body that it is refused. */
function isOfBodyIn(replies: readonly Reply[]): (reply: Reply) => boolean {
  const made = madeIn(replies);
  const mayMake = makersIn(replies);
  const isServed = servedIn(replies);
  const mayBeElsewhere = mayBeElsewhereIn(replies);
  const mayBeForbidden = mayBeForbiddenIn(replies);
  const companies = companiesIn(replies);
  // Whoever has made none may be unable to: what is not offered to them may not be found.
  const isTaken = (reply: Reply): boolean => mayMake(reply) || (isServed(reply) && reply.status !== 404);
  // That there is no such company may be said first.
  const isNowhere = (reply: Reply): boolean => {
    const company = sentBody(reply)?.company_id;
    return reply.operation === 'POST /contacts' && isIdentifier(company) && !companies.has(company);
  };
  return (reply) => {
    if (reply.status === 403 && mayBeForbidden(reply)) return false;
    // A session without an account is refused for want of it.
    if (!wasAccepted(reply) && (mayBeElsewhere(reply) || isNowhere(reply))) return false;
    return reply.operation?.includes('{') ? made.wasThere(reply) : isTaken(reply);
  };
}

export function judgeDefects({ replies }: Story): readonly Wrong[] {
  const isOfBody = isOfBodyIn(replies);
  return replies.flatMap((reply): readonly Wrong[] => {
    const { operation, undocumented, mayReplay } = reply;
    const body = sentBody(reply);
    if (operation === undefined || body === undefined || undocumented || mayReplay || isOpen(reply)) return [];
    const [id, statuses] = defectOf[operation]?.(body, wasAccepted(reply)) ?? [];
    if (id === undefined || statuses?.includes(reply.status) || !isOfBody(reply)) return [];
    const found = { expected: statuses?.join(' or '), actual: reply.status, replies: [reply] };
    return [wrong(id, operation, 'a write that lacks what it needs should be refused', found)];
  });
}
