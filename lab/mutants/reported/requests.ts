// Defects in how requests are read, which users of real software have reported.
import { mutants, type Wrap } from '../mutant.ts';
import { altered, instead, isObject, type Json, page, refusal, type Seen } from '../wrappers/mutator.ts';
import { bodyOf } from '../wrappers/records.ts';

const isWrite = ({ request }: Seen): boolean => request.method !== 'GET';
const broken = (): Response => refusal(500, 'INTERNAL', 'Internal error');

/** All texts of a body, however deep they stand. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Replies in place of the server where a text of the body fits. */
const onTexts = (fits: (text: string) => boolean, answer: () => Response): Wrap =>
  instead(
    (seen) => isWrite(seen) && textsIn(seen.body).some(fits),
    async (seen, honest) => {
      // What comes before the body is looked at: the token, and the limits.
      const response = await honest(await altered(seen, { body: {} }));
      return response.status === 401 || response.status === 429 ? response : answer();
    },
  );

/** A reply of its own where the honest server, too, says that the body is not JSON. */
const malformedAsPage: Wrap = instead(
  (seen) => isWrite(seen) && seen.body === undefined && seen.request.method !== 'DELETE',
  async (seen, honest) => {
    const response = await honest(seen.request.clone());
    return response.status === 400
      ? page(400, 'SyntaxError: Unexpected token in JSON at position 1 at JSON.parse')
      : response;
  },
);

const largestInteger = 2_147_483_647;
const hugeNumbers: Wrap = instead(
  ({ url }) => url.pathname.split('/').some((part) => /^\d+$/.test(part) && Number(part) > largestInteger),
  async (seen, honest) => {
    const response = await honest(seen.request.clone());
    return response.status === 401 || response.status === 429 ? response : broken();
  },
);

const strictType: Wrap = instead(
  ({ request }) => /^application\/json\s*;/i.test(request.headers.get('content-type') ?? ''),
  () => refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json'),
);

const emptyBodies: Wrap = instead(
  ({ request }) => request.method === 'DELETE' && request.headers.get('content-type') === 'application/json',
  () => refusal(400, 'EMPTY_BODY', "Body cannot be empty when content-type is set to 'application/json'"),
);

/** Reads as much of an identifier as is a number. */
const readingPrefixes: Wrap = instead(
  ({ url }) => /\/companies\/\d+[a-z]/i.test(url.pathname),
  async (seen, honest) =>
    honest(await altered(seen, { url: seen.url.href.replace(/(\/companies\/\d+)[a-z][^/?]*/i, '$1') })),
);

const texts = [
  'label',
  'slug',
  'name',
  'company_type',
  'contact_type',
  'text',
  'first_name',
  'last_name',
  'email',
  'raw',
];

/** A value as the validator converts it before it judges it. */
function coerced(name: string, value: unknown): unknown {
  const one = Array.isArray(value) && value.length === 1 && name !== 'phones' ? value[0] : value;
  if (texts.includes(name)) {
    if (one === null) return '';
    return ['number', 'boolean'].includes(typeof one) ? String(one) : one;
  }
  if (name !== 'company_id') return value;
  if (one === null || typeof one === 'boolean') return Number(one);
  return typeof one === 'string' && /^-?\d+$/.test(one) ? Number(one) : one;
}

function allCoerced(body: Json): Json {
  const entries = Object.entries(body).map(([name, value]) => {
    const inner =
      Array.isArray(value) && name === 'phones' ? value.map((one) => (isObject(one) ? allCoerced(one) : one)) : value;
    return [name, coerced(name, inner)];
  });
  return Object.fromEntries(entries);
}

const coercing: Wrap = instead(
  (seen) => isWrite(seen) && isObject(seen.body) && seen.operation !== 'POST /auth/validate-api-key',
  async (seen, honest) => honest(await altered(seen, { body: allCoerced(bodyOf(seen)) })),
);

/** An array of one is as good a name of a property as its member. */
const unwrappingTypes: Wrap = instead(
  (seen) => isWrite(seen) && ['company_type', 'contact_type'].some((name) => Array.isArray(bodyOf(seen)[name])),
  async (seen, honest) => {
    const body = Object.entries(bodyOf(seen)).map(([name, value]) => [
      name,
      ['company_type', 'contact_type'].includes(name) && Array.isArray(value) ? String(value) : value,
    ]);
    return honest(await altered(seen, { body: Object.fromEntries(body) }));
  },
);

/** A surrogate without the other half of its pair. */
const isSurrogate = (text: string): boolean => /[\ud800-\udfff]/u.test(text);

export default mutants({
  'errors-malformed-json-envelope': {
    'reported-malformed-json-is-a-page': {
      report: {
        bug: 'A body that is not JSON is answered with the page of the framework, which holds a stack trace',
        url: 'https://github.com/VROOM-Project/vroom-express/issues/7',
        suffered: 'Clients could not read the error',
      },
      wrap: malformedAsPage,
    },
  },
  'errors-strange-input-status': {
    'reported-nul-in-a-text-is-an-outage': {
      report: {
        bug: 'The database refuses texts with a NUL character, and the server reports an outage',
        url: 'https://github.com/filipedeschamps/tabnews.com.br/issues/731',
        suffered: 'Status 503 for a slip in the input',
      },
      wrap: onTexts(
        (text) => text.includes('\0'),
        () => refusal(503, 'UNAVAILABLE', 'The service is unavailable'),
      ),
    },
    'reported-lone-surrogate-crashes': {
      report: {
        bug: 'A text with half of a surrogate pair passes the validation and cannot be encoded later',
        url: 'https://github.com/encode/django-rest-framework/issues/7026',
        suffered: 'Status 500 for a slip in the input',
      },
      wrap: onTexts(isSurrogate, broken),
    },
  },
  'companies-read-unknown': {
    'reported-huge-identifier-crashes': {
      also: ['errors-strange-input-status', 'notes-unknown-company'],
      report: {
        bug: 'An identifier above 2147483647 is looked up in a column of four bytes, and the query fails',
        url: 'https://github.com/openaq/openaq-api/issues/390',
        suffered: 'Status 500 in place of 404',
      },
      wrap: hugeNumbers,
    },
  },
  'envelope-request-charset': {
    'reported-charset-is-unsupported': {
      report: {
        bug: 'Content-Type is compared as a whole, so one with a charset is refused with 415',
        url: 'https://github.com/aws/chalice/issues/306',
        suffered: 'Clients whose HTTP library adds the charset could not write at all',
      },
      wrap: strictType,
    },
  },
  'envelope-valid-served': {
    'reported-delete-with-content-type-is-refused': {
      report: {
        bug: 'A deletion without body that carries Content-Type is refused for its empty body',
        url: 'https://github.com/openapi-ts/openapi-typescript/issues/1477',
        suffered: 'Clients that always send the header could not delete',
      },
      notFound: 'The document names Content-Type for requests with a body, and does not say what it means on others.',
      wrap: emptyBodies,
    },
    'reported-firewall-reads-the-notes': {
      report: {
        bug: 'A firewall takes a text that begins with the word select for an attack',
        url: 'https://github.com/coreruleset/coreruleset/issues/4342',
        suffered: 'The names of some hospitals could not be entered',
      },
      notFound:
        'The document allows any text that is not blank. A run sends some that look like an attack, and seldom one that begins so.',
      wrap: onTexts(
        (text) => /^\s*select\s/i.test(text),
        () => page(403, '403 Forbidden'),
      ),
    },
  },
  'errors-path-identifier-form': {
    'reported-identifier-is-read-as-far-as-it-goes': {
      report: {
        bug: 'Of an identifier such as 1abc only the number is read',
        url: 'https://github.com/accordproject/apap/issues/162',
        suffered: 'A mistyped address changed another record',
      },
      notFound: 'The document does not say what answers an identifier that is not an integer.',
      wrap: readingPrefixes,
    },
  },
  'api-keys-label-missing': {
    'reported-numbers-are-taken-for-texts': {
      also: [
        'companies-required-wrong-type',
        'contacts-required-wrong-type',
        'notes-create-missing-text',
        'notes-edit-missing-text',
      ],
      report: {
        bug: 'The validator converts numbers to texts and texts to numbers before it judges them',
        url: 'https://github.com/fastify/fluent-json-schema/issues/176',
        suffered: 'Wrong input was stored, and nobody was told',
      },
      wrap: coercing,
    },
  },
  'companies-required-wrong-type': {
    'reported-array-of-one-type-is-a-type': {
      report: {
        bug: 'Whether a value is allowed is asked as whether an object has such a property, which holds for an array of one',
        url: 'https://github.com/gcanti/tcomb/pull/327',
        suffered: 'Arrays passed where one of some words was demanded',
      },
      wrap: unwrappingTypes,
    },
  },
});
