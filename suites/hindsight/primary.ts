// Which contacts are primary: as it was given, where the document leaves no choice, and in lists as the reply showed it.
import {
  at,
  dataOf,
  identifierOf,
  itemsOf,
  type JsonObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { type Families, familiesOf } from './families.ts';
import { wrong } from './judgement.ts';
import { dutyOf } from './refused.ts';
import { fieldsOf, sentBody } from './sent.ts';

export const primaryIds = [
  'contacts-create-primary',
  'contacts-create-refused-effect',
  'contacts-list-record',
  'contacts-phone-refused-effect',
] as const satisfies readonly JudgedId[];

const create: OperationId = 'POST /contacts';
const companyOf = (reply: Reply): unknown => sentBody(reply)?.company_id;
const given = (reply: Reply): unknown => sentBody(reply)?.is_primary;
/** What is refused leaves nothing behind. */
const mayExist = (creation: Reply): boolean => wasAccepted(creation) || creation.status >= 500;

/** Companies of the run, by their makers: nobody else adds contacts to them. */
function ownCompanies(replies: readonly Reply[], families: Families): ReadonlySet<string> {
  const made = replies.filter((reply) => reply.operation === 'POST /companies' && wasAccepted(reply));
  return new Set(made.map((reply) => `${families.rootOf(reply.credential)} ${identifierOf('company', dataOf(reply))}`));
}

/** True on the first contact of a company and false on a second come back as they are; nothing of that is left to choose. */
function ofCreation(reply: Reply, creations: readonly Reply[], isOwn: boolean): readonly Wrong[] {
  const expected = given(reply);
  if (typeof expected !== 'boolean' || reply.mayReplay || reply.undocumented || !wasAccepted(reply)) return [];
  const others = creations.filter((one) => one !== reply && companyOf(one) === companyOf(reply) && mayExist(one));
  const isSecond = others.some((one) => one.id <= reply.after && wasAccepted(one));
  const isFirst = isOwn && !others.some((one) => one.after < reply.id);
  const actual = at(dataOf(reply), 'is_primary');
  // Whichever it became, it is one of two.
  const isOpen = typeof (actual ?? false) === 'boolean' && !(expected ? isFirst : isSecond);
  if (actual === expected || isOpen) return [];
  const message = 'is_primary should come back as it was given';
  return [wrong('contacts-create-primary', create, message, { expected, actual, replies: [reply] })];
}

/** In the reply to its creation it is not primary. A second primary contact may take the place of the first; no other becomes primary. */
const isOther = (birth: Reply): boolean => [false, null].includes(at(dataOf(birth), 'is_primary') as never);

/** A contact as a list shows it, and the reply to its creation. */
interface Listed {
  readonly birth: Reply;
  readonly record: JsonObject;
  readonly list: Reply;
}

/** It became primary, although it was not made so. */
function ofRise({ birth, record, list }: Listed): Wrong | undefined {
  if (record.is_primary !== true || !isOther(birth)) return undefined;
  const message = 'a contact that is not primary should not be so in the list';
  const found = { expected: false, actual: true, replies: [birth, list] };
  return wrong('contacts-list-record', 'GET /contacts', message, found);
}

/** It is primary no more, although nothing was made at its company that may have taken its place: what is refused does not. */
function ofFall({ birth, record, list }: Listed, creations: readonly Reply[]): Wrong | undefined {
  if (record.is_primary !== false || at(dataOf(birth), 'is_primary') !== true) return undefined;
  const before = creations.filter((one) => one.after < list.id && companyOf(one) === companyOf(birth));
  const isIt = (one: Reply): boolean => identifierOf('contact', dataOf(one)) === identifierOf('contact', record);
  const isHarmless = (one: Reply): boolean => isIt(one) || (isOther(one) && given(one) !== true);
  if (before.some((one) => mayExist(one) && !isHarmless(one))) return undefined;
  const refused = before.findLast((one) => one.id > birth.id && given(one) === true && !mayExist(one));
  const message = 'a primary contact should stay so while no other one is made';
  const replies = refused ? [birth, refused, list] : [birth, list];
  const found = { expected: true, actual: false, replies };
  return wrong(refused ? dutyOf(refused) : 'contacts-list-record', refused ? create : 'GET /contacts', message, found);
}

/** As it was given it came back, and the list of whole contacts has it no more: one of two it always is. */
function ofLoss({ birth, record, list }: Listed): Wrong | undefined {
  const expected = given(birth);
  if (typeof expected !== 'boolean' || at(dataOf(birth), 'is_primary') !== expected) return undefined;
  const isAsked = fieldsOf(list)?.includes('is_primary') ?? true;
  if (!isAsked || (record.is_primary !== undefined && record.is_primary !== null)) return undefined;
  const found = { expected, actual: record.is_primary, replies: [birth, list] };
  return wrong('contacts-list-record', 'GET /contacts', 'a list should show is_primary as it was given', found);
}

/** The contacts of the run in the lists that show them, by their identifiers and names. */
function listedIn(replies: readonly Reply[], creations: readonly Reply[], families: Families): readonly Listed[] {
  const place = (reply: Reply, record: unknown) =>
    `${families.rootOf(reply.credential)} ${identifierOf('contact', record)}`;
  const made = new Map<string, Reply>();
  for (const one of creations)
    if (wasAccepted(one) && !one.mayReplay && !made.has(place(one, dataOf(one))))
      made.set(place(one, dataOf(one)), one);
  return replies.flatMap((list): readonly Listed[] => {
    if (list.operation !== 'GET /contacts' || !wasAccepted(list) || list.undocumented) return [];
    return itemsOf(list).flatMap((record): readonly Listed[] => {
      const birth = identifierOf('contact', record) === undefined ? undefined : made.get(place(list, record));
      const mark = at(dataOf(birth ?? list), 'last_name');
      const isIt = birth !== undefined && typeof mark === 'string' && record.last_name === mark;
      return isIt ? [{ birth, record, list }] : [];
    });
  });
}

export function judgePrimary({ replies, lost }: Story): readonly Wrong[] {
  const families = familiesOf(replies);
  const own = ownCompanies(replies, families);
  // What became of a creation without a reply is not known.
  const isLost = lost.some(({ method, url }) => method === 'POST' && new URL(url).pathname.endsWith('/contacts'));
  const isOwn = (reply: Reply): boolean =>
    !isLost && own.has(`${families.rootOf(reply.credential)} ${companyOf(reply)}`);
  const creations = replies.filter(({ operation }) => operation === create);
  return [
    ...creations.flatMap((reply) => ofCreation(reply, creations, isOwn(reply))),
    ...listedIn(replies, creations, families).flatMap(
      (one) => ofRise(one) ?? ofLoss(one) ?? (isOwn(one.birth) ? ofFall(one, creations) : undefined) ?? [],
    ),
  ];
}
