// Errors in the form that Accept names besides JSON, as a library that negotiates content writes them: without the envelope.
import { mutants, type Wrap } from './mutant.ts';
import { isObject, type Json, type Seen, see } from './wrappers/mutator.ts';

const problem = 'application/problem+json';
const page = 'text/html';

/** The other form that a client accepts besides JSON; undefined where it accepts none. */
function otherForm({ request }: Seen): string | undefined {
  const types = (request.headers.get('accept') ?? '').split(',').map((range) => range.split(';')[0]?.trim());
  return types.includes('application/json') ? [problem, page].find((type) => types.includes(type)) : undefined;
}

const messageOf = ({ error }: Json): string => (isObject(error) ? String(error.message) : 'Error');

function written(form: string, status: number, message: string): string {
  if (form === page) return `<!doctype html><title>${status}</title><h1>${status}</h1><p>${message}</p>`;
  return JSON.stringify({ type: 'about:blank', title: message, status, detail: message });
}

/** Writes refusals in the form that the client accepts besides. */
const negotiated =
  (when: (seen: Seen, status: number) => boolean): Wrap =>
  (honest) =>
  async (request) => {
    const seen = await see(request);
    const response = await honest(request);
    const { status } = response;
    const form = otherForm(seen);
    if (form === undefined || status < 400 || status >= 500 || !when(seen, status)) return response;
    const headers = new Headers(response.headers);
    headers.set('content-type', form);
    return new Response(written(form, status, messageOf((await response.json()) as Json)), { status, headers });
  };

/** What follows from the forms themselves. */
const ofTheForms = {
  'envelope-content-type': 'what is sent as a page is not labelled as JSON',
  'errors-body-request-id': 'a problem document has no request_id',
} as const;
const anyErrorMayBe = 'its request may accept another form as well';

export default mutants({
  'errors-body-object': {
    'errors-are-written-as-accepted': {
      collateral: {
        ...ofTheForms,
        'errors-malformed-json-envelope': anyErrorMayBe,
        'errors-strange-input-envelope': anyErrorMayBe,
        'errors-unknown-route': anyErrorMayBe,
        'errors-wrong-method': anyErrorMayBe,
        'errors-long-query': anyErrorMayBe,
        'authentication-refused-code': anyErrorMayBe,
        'rate-limits-refused-code': anyErrorMayBe,
        'rate-limits-refused-envelope': anyErrorMayBe,
        'rate-limits-refused-seconds': anyErrorMayBe,
      },
      wrap: negotiated(() => true),
    },
    'errors-missing-companies-are-written-as-accepted': {
      collateral: {
        ...ofTheForms,
        'errors-strange-input-envelope': 'an odd identifier is answered with 404 as well',
      },
      wrap: negotiated(({ operation }, status) => status === 404 && operation.includes(' /companies/{company_id}')),
    },
    'errors-unauthorized-are-written-as-accepted': {
      collateral: {
        ...ofTheForms,
        'authentication-refused-code': anyErrorMayBe,
      },
      wrap: negotiated((_, status) => status === 401),
    },
  },
});
