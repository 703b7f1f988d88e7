// What the document says of every error: its body, and how invalid input is answered on any operation.
import { must, observe, requirements, should } from './requirement.ts';

const body = requirements('errors', 'Errors, paragraph 1', {
  'errors-body-object': must(
    'Every error of a documented operation comes as a JSON object with an object under error',
    {
      impact: 'Error handling crashes while it unwraps the reply.',
      rulings: ['error-envelope-reach'],
    },
  ),
  'errors-body-request-id': must('Every error of a documented operation carries a non-empty text as request_id', {
    impact: 'The failed call, of all calls, cannot be named to support.',
    rulings: ['error-envelope-reach'],
  }),
  'errors-body-code': must('Every error of a documented operation carries a text as error.code', {
    impact: 'Programs have nothing to branch on but prose.',
    rulings: ['error-envelope-reach'],
  }),
  'errors-body-message': must('Every error of a documented operation carries a text as error.message', {
    impact: 'People are shown an empty error.',
    rulings: ['error-envelope-reach'],
  }),
  'errors-body-request-id-unique': observe('Are the request_id values of errors different from each other?', {
    rulings: ['request-id-uniqueness'],
  }),
  'errors-body-codes': observe('Which code strings come with 400, 403, 404 and 422?', {
    at: 'Errors, paragraph 2',
    rulings: ['silent-is-observed'],
  }),
  'errors-body-extra': observe('Which members beyond the named ones do error bodies carry?', {
    rulings: ['extra-is-lawful'],
  }),
  'errors-defects-combined': must('A request with several of the named defects at once is refused with a 4xx status', {
    at: 'Errors, rows 400 to 422',
    impact: 'A plain client mistake looks like an outage and is retried for ever.',
    rulings: ['server-errors'],
  }),
  'errors-check-order': observe('Which defect is reported when credentials, identifier and body are all wrong?', {
    at: 'Errors, rows 400 to 422',
    rulings: ['otherwise-valid'],
  }),
});

const json = requirements('errors', 'What the service does, paragraph 2', {
  'errors-malformed-json-envelope': must('A body that is not JSON is answered with the error envelope', {
    impact: 'The client chokes on a page of HTML instead of showing its mistake.',
    rulings: ['bad-json', 'error-envelope-reach'],
  }),
  'errors-malformed-json-effect': must('A write whose body is not JSON changes nothing', {
    impact: 'A truncated upload leaves a half record behind.',
    rulings: ['bad-json', 'effect-over-form'],
  }),
  'errors-malformed-json-status': should('A body that is not JSON is refused with a 4xx status', {
    at: 'Errors, row 400',
    impact: 'A broken request counts as an error of the service and is retried.',
    rulings: ['bad-json'],
  }),
});

const undocumented = requirements('errors', 'Errors, paragraph 1', {
  'errors-strange-input-envelope': must(
    'Invalid input that the document does not name still gets the error envelope on every operation',
    {
      impact: 'One odd value breaks the error handling of the client.',
      rulings: ['error-envelope-reach', 'server-errors'],
    },
  ),
  'errors-strange-input-status': should('No undocumented input is answered with a status of 500 or above', {
    at: 'Errors, rows 400 to 422',
    impact: 'Wrong input is indistinguishable from an outage.',
    rulings: ['server-errors'],
  }),
  'errors-path-identifier-form': observe('How is a path identifier that is not an integer answered?', {
    at: 'Endpoints / Companies, row GET /companies/{company_id}',
  }),
  'errors-body-not-object': observe('How is a write answered whose body is an array, a text or null?', {
    at: 'Errors, row 400',
  }),
  'errors-unknown-members': observe('Does a write with unknown members in its body succeed, and are they kept?', {
    at: 'Errors, row 422',
    rulings: ['extra-is-lawful'],
  }),
  'errors-unknown-route': should('A path that the interface does not have is answered with the error envelope', {
    impact: 'A mistyped path ends in a parse error instead of a clear message.',
    rulings: ['error-envelope-reach'],
  }),
  'errors-wrong-method': should('A method that a path does not offer is answered with the error envelope', {
    impact: 'A wrong method ends in a parse error instead of a clear message.',
    rulings: ['error-envelope-reach'],
  }),
  'errors-long-query': should('A query string over two kilobytes is accepted or answered with the error envelope', {
    impact: 'A long list of fields ends in a page of HTML.',
    rulings: ['error-envelope-reach'],
  }),
});

const gaps = requirements('errors', 'Endpoints / Gaps in the endpoint list, point 1', {
  'errors-unshown-operations': observe(
    'What do GET /deals and GET /contacts/{id}, which the document leaves out, answer?',
    {
      rulings: ['silent-is-observed'],
    },
  ),
});

export const errors = { ...body, ...json, ...undocumented, ...gaps };
