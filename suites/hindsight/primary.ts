// Which contacts are primary: as it was given, where the document leaves no choice, and in lists as the reply showed it.
import {
  at,
  dataOf,
  identifierOf,
  itemsOf,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { type Families, familiesOf } from './families.ts';
import { wrong } from './judgement.ts';
import { sentBody } from './sent.ts';

export const primaryIds = ['contacts-create-primary', 'contacts-list-record'] as const satisfies readonly JudgedId[];

const create: OperationId = 'POST /contacts';
const companyOf = (reply: Reply): unknown => sentBody(reply)?.company_id;
const given = (reply: Reply): unknown => sentBody(reply)?.is_primary;

/** Companies of the run, by their makers: nobody else adds contacts to them. */
function ownCompanies(replies: readonly Reply[], families: Families): ReadonlySet<string> {
  const made = replies.filter((reply) => reply.operation === 'POST /companies' && wasAccepted(reply));
  return new Set(made.map((reply) => `${families.rootOf(reply.credential)} ${identifierOf('company', dataOf(reply))}`));
}

/** True on the first contact of a company and false on a second come back as they are; nothing of that is left to choose. */
function ofCreation(reply: Reply, creations: readonly Reply[], isOwn: boolean): readonly Wrong[] {
  const expected = given(reply);
  if (typeof expected !== 'boolean' || reply.mayReplay || reply.undocumented || !wasAccepted(reply)) return [];
  const others = creations.filter((one) => one !== reply && companyOf(one) === companyOf(reply));
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

export function judgePrimary({ replies }: Story): readonly Wrong[] {
  const families = familiesOf(replies);
  const own = ownCompanies(replies, families);
  const isOwn = (reply: Reply): boolean => own.has(`${families.rootOf(reply.credential)} ${companyOf(reply)}`);
  const creations = replies.filter(({ operation }) => operation === create);
  const place = (reply: Reply, record: unknown) =>
    `${families.rootOf(reply.credential)} ${identifierOf('contact', record)}`;
  const made = new Map<string, Reply>();
  for (const one of creations)
    if (wasAccepted(one) && !one.mayReplay && !made.has(place(one, dataOf(one))))
      made.set(place(one, dataOf(one)), one);
  const listed = replies.flatMap((reply): Wrong[] => {
    if (reply.operation !== 'GET /contacts' || !wasAccepted(reply) || reply.undocumented) return [];
    const item = itemsOf(reply).find((record) => {
      const birth = identifierOf('contact', record) === undefined ? undefined : made.get(place(reply, record));
      const mark = at(dataOf(birth ?? reply), 'last_name');
      const isIt = birth !== undefined && typeof mark === 'string' && record.last_name === mark;
      return isIt && record.is_primary === true && isOther(birth);
    });
    const birth = item && made.get(place(reply, item));
    if (birth === undefined) return [];
    const message = 'a contact that is not primary should not be so in the list';
    return [
      wrong('contacts-list-record', 'GET /contacts', message, {
        expected: false,
        actual: true,
        replies: [birth, reply],
      }),
    ];
  });
  return [...creations.flatMap((reply) => ofCreation(reply, creations, isOwn(reply))), ...listed];
}
