// Phones that refuse their contact, and odd ones that may.
import {
  at,
  type Context,
  dataOf,
  expectRefused,
  expectThat,
  type JsonObject,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { isNormalised } from '../shared/phone.ts';
import { defects, expectTriedRefused, rounds, taken, tryDefects } from '../shared/refusals.ts';
import { asPrimary, type Contacts, triedBy } from './contact.ts';
import { kinds } from './phones.ts';
import type { TriedInput } from './refusals.ts';

const good = { raw: '(212) 555-0170' };
const alsoGood = { raw: '+44 20 7946 0970', type: 'office' };
const reception = 'call reception';

/** No digit, one digit, 25 digits. */
const otherBad = ['---', '( )', 'n/a', '+', '+7', '(9)', '+2125550170212555017021255'] as const;
const otherTypes = ['home', 'pager', 'landline', 'work', 'mobiles'] as const;

/** What cannot be parsed, each with another kind, as no kind makes a number of it. */
function unparseable(random: Random): (raw: string) => JsonObject {
  const drawn = random.shuffled(kinds);
  let place = 0;
  return (raw) => ({ raw, ...drawn[place++ % drawn.length] });
}

export const refusedPhones = (random: Random) => {
  const bad = unparseable(random.derive('kinds of bad phones'));
  const other = bad(random.pick(otherBad));
  return defects(
    { id: 'contacts-phone-type-unknown', change: { phones: [good, { ...alsoGood, type: 'pager' }] } },
    {
      id: 'contacts-phone-type-unknown',
      change: { ...asPrimary.change, phones: [{ ...good, type: random.pick(otherTypes) }] },
      statuses: asPrimary.statuses,
    },
    { id: 'contacts-phone-raw-missing', change: { phones: [good, { type: 'mobile', country: 'US' }] } },
    {
      id: 'contacts-phone-raw-missing',
      change: { ...asPrimary.change, phones: [{ raw: null }] },
      statuses: asPrimary.statuses,
    },
    { id: 'contacts-phone-unparseable', change: { phones: [bad(reception)] }, statuses: [422] },
    { id: 'contacts-phone-unparseable', change: { phones: [{ ...bad('5'), country: 'GB' }] }, statuses: [422] },
    { id: 'contacts-phone-unparseable', change: { phones: [bad('2125550170212555017021255')] }, statuses: [422] },
    {
      id: 'contacts-phone-any-unparseable',
      change: {
        phones: random.pick([
          [other, good, alsoGood],
          [good, other, alsoGood],
        ]),
      },
      statuses: [422],
    },
    { id: 'contacts-phone-any-unparseable', change: { phones: [good, alsoGood, bad(reception)] }, statuses: [422] },
  );
};

/** Parsers disagree on these: too short, too long, letters for digits. */
const odd = ['212-555-017', '21255501701234', '1-800-FLOWERS'].map((raw) => ({
  id: 'contacts-phone-odd' as const,
  raw,
}));

export const phoneRefusalIds = [
  'contacts-phone-type-unknown',
  'contacts-phone-raw-missing',
  'contacts-phone-unparseable',
  'contacts-phone-any-unparseable',
  'contacts-phone-odd',
  'contacts-phone-country-odd',
] as const;

function expectRefusedOrNormalised(reply: Reply, raw: string): void {
  if (!wasAccepted(reply)) expectRefused(reply);
  else
    expectThat(isNormalised(reply), `${raw} should be refused, or come back as a number in E.164 form`, {
      expected: 'no contact, or a number that begins with +',
      actual: at(dataOf(reply), 'phones') ?? 'no phones',
      replies: reply,
    });
}

/** Tries each defect of a phone, odd numbers, and countries that may mean nothing. */
export async function tryPhones(
  context: Context<(typeof phoneRefusalIds)[number], never>,
  ways: readonly [Contacts, ...Contacts[]],
): Promise<TriedInput> {
  const [{ body, send }] = ways;
  const { random, make, effort, check, observe } = context;
  const all = random.shuffled(rounds(refusedPhones(random), context));
  const tried = await tryDefects(all, triedBy(ways, [good, alsoGood]), context);
  const oddPhones: { readonly mark: string; readonly raw: string; readonly reply: Reply }[] = [];
  for (const { raw } of taken(odd, context)) {
    const mark = make.name('odd phone');
    oddPhones.push({ mark, raw, reply: await send({ ...body(mark), phones: [{ raw }] }) });
  }
  const inCountry = (country: string) =>
    send({ ...body(make.name('contact')), phones: [{ raw: '020 7946 0971', country }] });
  const odder = effort === 'quick' ? undefined : { lower: await inCountry('gb'), nowhere: await inCountry('ZZ') };
  return {
    tried: [...tried, ...oddPhones],
    judge: async () => {
      for (const one of tried) await check(one.defect.id, () => expectTriedRefused(one));
      for (const { raw, reply } of oddPhones)
        await check('contacts-phone-odd', () => expectRefusedOrNormalised(reply, raw));
      if (!odder) return;
      const { lower, nowhere } = odder;
      const answers = `lower case: ${answerOf(lower)}; a country that does not exist: ${answerOf(nowhere)}`;
      observe('contacts-phone-country-odd', answers, lower, nowhere);
    },
  };
}
