// The choice of fields on companies and contacts: with and without the identifier, at any limit, on every page, against the whole list.
import {
  type Api,
  type Context,
  conforms,
  expectEqual,
  expectThat,
  identifierNames,
  identifierOf,
  itemsOf,
  type JsonObject,
  lagMsMax,
  NotTested,
  type Reply,
  type Tools,
  usualIdentifiers,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { given, holdsNumbers, narrowed, sameMember } from '../shared/fields.ts';
import { collections } from '../shared/groups.ts';
import { numbersIn, phonesOf, sketches } from '../shared/phone.ts';
import { limitFor, readWhole } from './collections.ts';
import { isRight, judgeWalk, type Known, knownBetween, traversalIds } from './judge.ts';
import { ask, cursorOf, identity, kindOf, type List } from './lists.ts';
import { recordsOf, type Walk, type WalkOptions, walk } from './walk.ts';

const ids = [
  'pagination-fields-restrict',
  'pagination-fields-kept',
  'pagination-fields-later-pages',
  'pagination-fields-identifier',
  'pagination-fields-unknown',
  ...traversalIds,
] as const;
type FieldsContext = Context<(typeof ids)[number], never>;

const place = ['address', 'city', 'state', 'zip', 'linkedin_url'] as const;
/** Input fields of the records, which alone are shown by the document. */
const known = {
  'GET /companies': ['name', 'company_type', 'website', ...place],
  'GET /contacts': [
    ...['contact_type', 'company_id', 'first_name', 'last_name', 'email', 'title', 'department', 'address2'],
    ...['photo_url', 'phones', 'is_primary', ...place],
  ],
} as const;
type Chosen = keyof typeof known;
type ChoosingList = List & { readonly operation: Chosen };

/** Names under which every record of the unrestricted list carries its identifier: they may stay. */
function carriersIn({ operation }: ChoosingList, whole: Walk): readonly string[] {
  const inputs: readonly string[] = known[operation];
  const [first = [], ...more] = recordsOf(whole).map((record) => identifierNames(kindOf(operation), record));
  return first.filter((name) => !inputs.includes(name) && more.every((names) => names.includes(name)));
}

const isIdentified = ({ operation }: ChoosingList, record: JsonObject): boolean =>
  identifierOf(kindOf(operation), record) !== undefined;

/** Those of them that hold the very identifier by which a record is recognised, rather than a text with it. */
const holdersIn = (list: ChoosingList, whole: Walk): readonly string[] =>
  carriersIn(list, whole).filter((name) =>
    recordsOf(whole).every(
      (record) =>
        isIdentified(list, { [name]: record[name] }) &&
        identity(list.operation, { [name]: record[name] }) === identity(list.operation, record),
    ),
  );

/** Each shows the identifier that it has in the whole list. */
const areRecognised = (list: ChoosingList, records: readonly JsonObject[], holders: readonly string[]): boolean =>
  records.every((record) => holders.some((name) => isIdentified(list, { [name]: record[name] })));

/** An identifier that is another than that of the path may stay, too. */
const isIdentifier = ({ operation }: ChoosingList, name: string, value: unknown): boolean =>
  usualIdentifiers(kindOf(operation)).includes(name) && value !== null;

/** What its records show beyond what they may. */
function furtherIn(list: ChoosingList, reply: Reply, allowed: readonly string[]): readonly string[] {
  const names = itemsOf(reply).flatMap((record) =>
    Object.entries(record).flatMap(([name, value]) =>
      allowed.includes(name) || isIdentifier(list, name, value) || holdsNumbers(allowed, value) ? [] : [name],
    ),
  );
  return [...new Set(names)];
}

function expectRestricted(list: ChoosingList, replies: readonly Reply[], allowed: readonly string[]): void {
  for (const reply of replies) {
    const further = furtherIn(list, reply, allowed);
    expectThat(further.length === 0, 'a record should have only the fields that were asked for', {
      expected: allowed,
      actual: `also ${further.join(', ')}`,
      replies: reply,
    });
  }
}

interface Choice {
  readonly list: ChoosingList;
  readonly fields: readonly string[];
  /** All that were asked for, the identifier among them. */
  readonly asked: readonly string[];
  /** Names under which each record of the whole list shows its identifier. */
  readonly holders: readonly string[];
  readonly options: WalkOptions;
  /** Where it was read once more: the list at first. */
  readonly former?: Walk;
  readonly before: Walk;
  readonly chosen: Walk;
  readonly after: Walk;
}

/** Records that looked the same before and after. */
function quietIn({ list, fields, former, before, after }: Choice): JsonObject[] {
  const looks = [after, ...(former ? [former] : [])].map(
    (look) => new Map(recordsOf(look).map((record) => [identity(list.operation, record), record])),
  );
  return recordsOf(before).filter((whole) =>
    looks.every((look) => {
      const same = look.get(identity(list.operation, whole));
      return same !== undefined && fields.every((name) => sameMember(whole, same, name));
    }),
  );
}

/** Of phones what is judged of them: nodes of two releases may show more of one. */
const shown = (record: JsonObject, fields: readonly string[]): string =>
  JSON.stringify(
    fields.map((name) => given(name === 'phones' ? sketches({ phones: phonesOf(record) }) : record[name])),
  );

/** What stands within a member both show alike; more of it may be shown by one of them. */
function expectAlike(
  record: JsonObject,
  whole: JsonObject,
  fields: readonly string[],
  replies: readonly Reply[],
): void {
  for (const name of fields) {
    const [own, wanted] = [given(record[name]), given(whole[name])];
    expectEqual(narrowed(own, wanted), narrowed(wanted, own), `a record with fields: ${name}`, replies);
  }
}

/** Where records show no identifier, those that come again are seen by their number alone: more than were there before and after together. */
function expectNoMore({ before, chosen, after }: Choice): void {
  const most = before.delivered.length + after.delivered.length;
  const found = { expected: `at most ${most} records`, actual: recordsOf(chosen).length, replies: chosen.replies };
  expectThat(!after.ended || found.actual <= most, 'a list with fields should end', found);
}

/** They have the same values in between: each its own, or, where none differs from another, all together. */
function expectKept(choice: Choice): void {
  const { list, fields, holders, before, chosen } = choice;
  const replies = [...before.replies.slice(0, 1), ...chosen.replies];
  const delivered = recordsOf(chosen);
  const quiet = quietIn(choice);
  if (areRecognised(list, delivered, holders)) {
    const found = new Map(delivered.map((record) => [identity(list.operation, record), record]));
    for (const whole of quiet) {
      const record = found.get(identity(list.operation, whole));
      if (record) expectAlike(record, whole, fields, replies);
    }
    return;
  }
  if (before.ended && !chosen.ended) expectNoMore(choice);
  if (!chosen.ended || !before.ended) return;
  // Numbers that stand beside the phones may come within them where only these are chosen.
  const isBeside = quiet.some((record) => phonesOf(record).some((phone) => numbersIn(phone).length === 0));
  const compared = isBeside ? fields.filter((name) => name !== 'phones') : fields;
  const count = (records: readonly JsonObject[], one: string) =>
    records.filter((record) => shown(record, compared) === one).length;
  for (const one of new Set(quiet.map((record) => shown(record, compared))))
    expectThat(count(delivered, one) >= count(quiet, one), 'a list with fields should show the values it has without', {
      expected: `${count(quiet, one)} records with ${compared.join(', ')}: ${one}`,
      actual: count(delivered, one),
      replies,
    });
}

const knownIn = ({ list, former, before, after }: Choice): Known => knownBetween(list.operation, before, after, former);
/** A list that changes meanwhile is judged where it is changed on purpose. */
const isStill = ({ before, after }: Choice): boolean =>
  before.ended && String(before.delivered) === String(after.delivered);

function isRightChoice(choice: Choice): boolean {
  try {
    expectKept(choice);
    return !isStill(choice) || isRight(choice.chosen, knownIn(choice));
  } catch {
    return false;
  }
}

/**
 * Others may change a record and put it back while the list is read, and an older list may be shown: what differs does so
 * when it is read once more.
 */
async function settled(choice: Choice, look: () => Promise<Walk>, clock: Tools['clock']): Promise<Choice> {
  if (isRightChoice(choice)) return choice;
  const { list, asked, options, before: former } = choice;
  await clock.sleep(lagMsMax + 1);
  const before = await look();
  const chosen = await walk(list, { ...options, fields: asked.join(',') });
  return { ...choice, former, before, chosen, after: await look() };
}

/** A field that the target does not know by its name may be refused; then the identifier is not asked for. */
async function choose(list: ChoosingList, named: string | undefined, fields: readonly string[], options: WalkOptions) {
  const asked = named === undefined ? fields : [named, ...fields];
  const first = named === undefined ? undefined : await ask(list, { limit: 1, fields: asked.join(',') });
  const taken = first === undefined || wasAccepted(first) ? asked : fields;
  return { asked: taken, options, chosen: await walk(list, { ...options, fields: taken.join(',') }) };
}

async function judgeChoices(list: ChoosingList, { check, clock, random, effort }: FieldsContext): Promise<void> {
  const { operation } = list;
  const look = async () => (await readWhole(list)) ?? (await walk(list, { limit: 200, pagesMax: 1 }));
  const before = await look();
  const holders = holdersIn(list, before);
  const [named] = holders;
  const count = before.delivered.length;
  const limits = random.shuffled([undefined, limitFor(count, random), Math.min(Math.max(1, count), 200)]);
  const choices: Awaited<ReturnType<typeof choose>>[] = [];
  const withName = random.int(0, 1);
  for (let turn = 0; turn < turns[effort]; turn += 1) {
    const drawn = random.shuffled<string>(known[operation]).slice(0, random.int(1, known[operation].length - 1));
    // Several pages in the first of them.
    const limit = turn === 0 ? limitFor(count, random) : limits[turn % limits.length];
    const options = { pagesMax: before.ended ? 60 : 3, ...(limit === undefined ? {} : { limit }) };
    choices.push(await choose(list, turn % 2 === withName ? named : undefined, drawn, options));
  }
  const after = await look();
  // A list that was empty showed no identifier: a record that came meanwhile may keep it under any name.
  const carriers = carriersIn(list, before.delivered.length > 0 ? before : after);
  for (const { asked, options, chosen } of choices) {
    const allowed = [...asked, ...carriers];
    const fields = asked.filter((name) => name !== named);
    const choice: Choice = { list, fields, asked, holders, options, before, chosen, after };
    await check(
      'pagination-fields-restrict',
      () => expectRestricted(list, chosen.replies.slice(0, 1), allowed),
      operation,
    );
    await check('pagination-fields-later-pages', () => expectLaterPages(choice, allowed), operation);
    const last = await settled(choice, look, clock);
    await check('pagination-fields-kept', () => expectKept(last), operation);
    if (isStill(last) && areRecognised(list, recordsOf(last.chosen), holders))
      await judgeWalk(check, last.chosen, knownIn(last));
  }
}

function expectLaterPages({ chosen, list }: Choice, allowed: readonly string[]): void {
  if (chosen.broken) throw chosen.broken;
  const [first, ...later] = chosen.replies;
  if (first && furtherIn(list, first, allowed).length > 0)
    throw new NotTested(`the first page of ${list.operation} is not restricted either`);
  expectRestricted(list, later, allowed);
}

async function observeOdd(list: ChoosingList, { observe }: FieldsContext): Promise<void> {
  const [field] = known[list.operation];
  const alone = await ask(list, { limit: 1, fields: field });
  const [record = {}] = itemsOf(alone);
  observe('pagination-fields-identifier', isIdentified(list, record) ? 'yes' : 'no', alone);
  for (const [kind, fields] of [
    ['unknown', 'covenant_unknown'],
    ['empty', ''],
  ] as const) {
    const reply = await ask(list, { limit: 1, fields }, { undocumented: true });
    const [odd = {}] = itemsOf(reply);
    const carrying = identifierNames(kindOf(list.operation), odd);
    const further = Object.keys(odd).some((name) => !carrying.includes(name));
    const kept = further ? 'all fields' : 'no further field';
    observe('pagination-fields-unknown', `${kind}: ${wasAccepted(reply) ? kept : answerOf(reply)}`, reply);
  }
}

const turns = { quick: 2, standard: 4, thorough: 8 } as const;

export const fields = conforms(
  ids,
  { needs: ['spare', 'spareCompany'], perhaps: traversalIds, writes: 0, reads: [22, 30, 46] },
  async (given) => {
    const { spare, spareCompany, ...context } = given;
    const api: Api = context.api.as(spare);
    const { make } = context;
    const more = {
      'GET /companies': () => make.company(api),
      'GET /contacts': () => make.contact(api, spareCompany.id),
    };
    for (const operation of collections) {
      const list: ChoosingList = { operation, api };
      await cursorOf(list, more[operation], context.clock);
      await judgeChoices(list, context);
      await observeOdd(list, context);
    }
  },
);
