// Phones that refuse their contact, and odd ones that may.
import { at, type Context, dataOf, expectRefused, expectThat, type Reply } from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { alsoGood, good, refusedPhones } from '../shared/invalid-bodies.ts';
import { isNormalised } from '../shared/phone.ts';
import { expectTriedRefused, rounds, taken, tryDefects } from '../shared/refusals.ts';
import { type Contacts, triedBy } from './contact.ts';
import type { TriedInput } from './refusals.ts';

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
