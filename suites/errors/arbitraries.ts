// Generators of undocumented input: queries, identifiers in paths, and bodies.
import * as fc from 'fast-check';
import type { Call, Random } from '../../lib/index.ts';

/** Printable and short, so that no gateway refuses it. */
const garbage = fc.oneof(
  fc.constantFrom(
    ...['-1', '0', '201', '1e3', '1.5', 'NaN', 'null', '[]', '%', '', ' ', '٣', '10; drop', '999999999999999999999'],
  ),
  fc.string({ maxLength: 40, unit: fc.constantFrom(...'abcXYZ019 _-.,:;=+*?()[]{}|~^$#@!"é漢😀') }),
  fc.stringMatching(/^[A-Za-z0-9+/=]{1,400}$/),
);

/** Odd spellings of integers, and integers that overflow common types. */
const integers = fc.constantFrom(
  ...['0', '-1', '-0', '007', '+5', '5.0', '1e1', '0x10', ' 5', '5 ', '5,0', '1_0', '\u0000', '5\u0000', 'Infinity'],
  ...['2147483647', '2147483648', '9007199254740993', '9223372036854775807', '9223372036854775808', '1e400'],
);

const names = ['limit', 'cursor', 'offset', 'fields', 'sort'] as const;

/** One or two list parameters with garbage values; other reads may ignore them. */
export const undocumentedQuery: fc.Arbitrary<Call> = fc
  .tuple(fc.subarray([...names], { minLength: 1, maxLength: 2 }), fc.oneof(integers, garbage), garbage)
  .map(([chosen, first, second]) => ({
    query: Object.fromEntries(chosen.map((name, index) => [name, index === 0 ? first : second])),
  }));

/** Never the identifier of a real record, even for a lenient server: a deletion must find nothing. */
export const undocumentedIdentifier: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('abc', 'null', 'undefined', '-', '~', 'é', 'x1', 'true'),
  fc.stringMatching(/^[A-Za-z_~][A-Za-z0-9_~-]{0,300}$/),
  fc.stringMatching(/^9[0-9]{20,300}$/),
);

/** Also values that a lenient server may read as an identifier: reads change nothing. Gateways refuse NUL. */
export const undocumentedRecord: fc.Arbitrary<string> = fc.oneof(
  integers.filter((one) => !one.includes('\u0000')),
  undocumentedIdentifier,
);

/** Values of each JSON type, and texts and numbers that break parsers and databases. */
const oddValues: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e308, [], [[]], [null], {}, { $ne: null }],
  ...['', ' ', '0', '-1', '1e3', 'true', 'null', 'Lender', ' lender', 'lenders'],
];
/** With NUL, or with half a surrogate pair. */
const unstorable = ['\u0000', 'a\u0000b', '\ud800', 'a\udc00b'];

/** `count` odd values, among them all that databases cannot store. */
export const dealtValues = (random: Random, count: number): readonly unknown[] =>
  random.shuffled([...unstorable, ...random.shuffled(oddValues).slice(0, count - unstorable.length)]);

/** A valid body with one free text replaced. */
export function withOddText(body: Readonly<Record<string, unknown>>, odd: unknown, random: Random): Call['body'] {
  const names = Object.keys(body).filter((name) => typeof body[name] === 'string' && !name.endsWith('_type'));
  return { ...body, [random.shuffled(names)[0] ?? 'text']: odd };
}

/** A valid body with one member, also of a phone, replaced by an odd value. */
export function nearlyValid(body: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const [phone, ...phones] = Array.isArray(body.phones) ? body.phones : [];
  const outer = fc
    .tuple(fc.constantFrom(...Object.keys(body)), fc.constantFrom(...oddValues, ...unstorable))
    .filter(([name, odd]) => odd !== body[name])
    .map(([name, odd]) => ({ ...body, [name]: odd }));
  if (typeof phone !== 'object' || phone === null) return outer;
  const inner = nearlyValid(phone).map((odd) => ({ ...body, phones: [odd, ...phones] }));
  return fc.oneof({ arbitrary: outer, weight: 3 }, { arbitrary: inner, weight: 1 });
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
/** What any body of the interface requires. */
const required = ['name', 'company_type', 'contact_type', 'company_id', 'text', 'label', 'slug', 'api_key'] as const;

/** JSON that is no object, members of impossible types, and other media types. */
export const undocumentedBody: fc.Arbitrary<Call> = fc.oneof(
  fc
    .oneof(
      fc.constantFrom('[]', '[{}]', '"text"', '42', 'null', 'true', '-0', '1e400', ''),
      fc
        .array(fc.oneof(fc.integer(), fc.string({ maxLength: 20 })), { maxLength: 5 })
        .map((one) => JSON.stringify(one)),
      fc.integer({ min: 10, max: 400 }).map(nested),
    )
    .map((text) => ({ text })),
  fc.constantFrom<unknown>({}, [], [[]], { $ne: null }, [{}], true, 1e308, null).map((odd) => ({
    body: Object.fromEntries(required.map((name) => [name, odd])),
  })),
  fc
    .constantFrom(
      ['application/xml', '<text>covenant</text>'],
      ['application/x-www-form-urlencoded', 'text='],
      ['multipart/form-data; boundary=x', '--x--'],
      ['application/octet-stream', '\u0001\u0002'],
    )
    .map(([type = '', text = '']) => ({ text, headers: { 'content-type': type } })),
);
