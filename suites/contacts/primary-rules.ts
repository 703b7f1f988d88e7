// Rules for is_primary: returned as sent where the document leaves no choice, and equal in lists.
import {
  at,
  bodyOf,
  dataOf,
  fieldsOf,
  identifierOf,
  isShown,
  itemsOf,
  type JsonObject,
  type Judge,
  type JudgedId,
  type Reply,
  type Rule,
  type World,
  wasAccepted,
} from '../../lib/index.ts';

const create = 'POST /contacts';
const companyOf = (reply: Reply): unknown => bodyOf(reply)?.company_id;
const given = (reply: Reply): unknown => bodyOf(reply)?.is_primary;
/** A refused creation leaves nothing behind. */
const mayExist = (creation: Reply): boolean => wasAccepted(creation) || creation.status >= 500;

/** `refusedIdOf`: the requirement on effects of a refused creation. */
export const primary =
  (refusedIdOf: (refused: Reply) => JudgedId): Rule =>
  (world, judge) => {
    const creations = world.replies.filter(({ operation }) => operation === create);
    // A lost creation may have been executed. Nobody else adds contacts to a company of the run.
    const isLost = world.hasLost('POST', /\/contacts$/);
    const isOwn = (reply: Reply): boolean =>
      !isLost && ownCompanies(world).has(placeOf(companyOf(reply), reply, world));
    for (const reply of creations) judgeCreation(reply, creations, isOwn(reply), judge);
    for (const one of listedIn(world)) judgeListed(one, creations, isOwn(one.created), refusedIdOf, judge);
  };

const placeOf = (id: unknown, reply: Reply, { callers }: World): string => `${callers.ownerOf(reply.credential)} ${id}`;
const ownCompanies = (world: World): ReadonlySet<string> =>
  new Set(world.ofKind('company').map(({ id, created }) => placeOf(id, created, world)));

/** True on the first contact of a company, and false on a second, must come back as sent. */
function judgeCreation(reply: Reply, creations: readonly Reply[], isOwn: boolean, { expect }: Judge): void {
  const expected = given(reply);
  if (typeof expected !== 'boolean' || reply.mayReplay || !isShown(reply)) return;
  const others = creations.filter((one) => one !== reply && companyOf(one) === companyOf(reply) && mayExist(one));
  const isSecond = others.some((one) => one.id <= reply.after && wasAccepted(one));
  const isFirst = isOwn && !others.some((one) => one.after < reply.id);
  const actual = at(dataOf(reply), 'is_primary');
  // Otherwise either boolean is allowed.
  const isOpen = typeof (actual ?? false) === 'boolean' && !(expected ? isFirst : isSecond);
  if (!isOpen)
    expect('contacts-create-primary', reply, actual === expected, 'is_primary should come back as it was given', {
      expected,
      actual,
    });
}

/** The creation's reply shows it as not primary. Only a second contact sent as primary may replace the first. */
const isOther = (created: Reply): boolean => {
  const shown = at(dataOf(created), 'is_primary');
  return shown === false || shown === null;
};

/** A listed contact and the reply to its creation. */
interface Listed {
  readonly created: Reply;
  readonly record: JsonObject;
  readonly list: Reply;
}

function judgeListed(
  one: Listed,
  creations: readonly Reply[],
  isOwn: boolean,
  refusedIdOf: (refused: Reply) => JudgedId,
  judge: Judge,
): void {
  const { created, record, list } = one;
  const expect = (
    id: JudgedId,
    message: string,
    because: readonly Reply[],
    wanted: unknown,
    operation?: typeof create,
  ) =>
    judge.expect(id, list, false, message, {
      expected: wanted,
      actual: record.is_primary,
      because,
      ...(operation && { operation }),
    });
  const shown = at(dataOf(created), 'is_primary');
  if (record.is_primary === true && isOther(created)) {
    expect('contacts-list-record', 'a contact that is not primary should not be so in the list', [created], false);
    return;
  }
  const isAsked = fieldsOf(list)?.includes('is_primary') ?? true;
  const isKept = typeof given(created) === 'boolean' && shown === given(created);
  if (isKept && isAsked && typeof record.is_primary !== 'boolean') {
    expect('contacts-list-record', 'a list should show is_primary as it was given', [created], shown);
    return;
  }
  if (record.is_primary !== false || shown !== true || !isOwn) {
    judge.count('contacts-list-record', list);
    return;
  }
  // It is no longer primary: another accepted contact may have replaced it, but a refused one must not.
  const before = creations.filter((each) => each.after < list.id && companyOf(each) === companyOf(created));
  const isIt = (each: Reply): boolean => identifierOf('contact', dataOf(each)) === identifierOf('contact', record);
  const isHarmless = (each: Reply): boolean => isIt(each) || (isOther(each) && given(each) !== true);
  if (before.some((each) => mayExist(each) && !isHarmless(each))) return;
  const refused = before.findLast((each) => each.id > created.id && given(each) === true && !mayExist(each));
  const message = 'a primary contact should stay so while no other one is made';
  if (refused) expect(refusedIdOf(refused), message, [created, refused], true, create);
  else expect('contacts-list-record', message, [created], true);
}

/** Listed contacts of the run, matched by identifier and name. */
function listedIn(world: World): readonly Listed[] {
  return world.replies.flatMap((list): readonly Listed[] => {
    if (list.operation !== 'GET /contacts' || !isShown(list)) return [];
    return itemsOf(list).flatMap((record): readonly Listed[] => {
      const stored = world.shown('contact', list, record);
      const mark = at(dataOf(stored?.created ?? list), 'last_name');
      if (stored === undefined || stored.created.mayReplay || stored.owner !== world.callers.ownerOf(list.credential))
        return [];
      return typeof mark === 'string' && record.last_name === mark ? [{ created: stored.created, record, list }] : [];
    });
  });
}
