// Servers that refuse or lose valid requests, each under one condition.

import { mutants, type Wrap } from './mutant.ts';
import { isLater, onPagination, pageOf } from './wrappers/listing.ts';
import type { Json } from './wrappers/mutator.ts';
import { instead, onSuccess, refusal, type Seen } from './wrappers/mutator.ts';
import { companies, contacts, keys, notes } from './wrappers/operations.ts';
import { ask, bodyOf } from './wrappers/records.ts';
import { isSession, knowingKeys } from './wrappers/tokens.ts';

/** Refuses requests with good credentials where the condition holds. */
const refusing = (operation: string, when: (seen: Seen) => boolean, status = 400): Wrap =>
  instead(
    (seen) => seen.operation === operation && when(seen),
    async (seen, honest) => {
      const { data } = await ask(honest, seen, 'GET', '/api/external/v2/me');
      return data === undefined ? undefined : refusal(status, 'INVALID', 'The request is invalid');
    },
  );

const asks = (seen: Seen, name: string): boolean => seen.url.searchParams.has(name);

/** A key may not ask who it is once another one was revoked that the same caller made after it. */
const dyingWithSibling: Wrap = knowingKeys(({ seen, own, keys: all }) => {
  if (seen.operation !== 'GET /me') return undefined;
  const younger = [...all.values()].some(
    (one) => own !== undefined && one.maker === own.maker && one.id > own.id && one.revokedAt !== undefined,
  );
  return younger ? refusal(401, 'UNAUTHORIZED', 'Invalid or expired authentication token') : undefined;
});

/** The second page under fields is empty and the last. */
const losingPagesUnderFields = (operation: string): Wrap => {
  const when = pageOf(operation, (query) => isLater(query) && query.has('fields'));
  return (honest, clock) =>
    onPagination(when, () => ({ has_more: false, next_cursor: null }))(
      onSuccess(when, (json) => ({ ...json, data: [] as Json[] }))(honest, clock),
      clock,
    );
};

export default mutants({
  'pagination-traversal-complete': {
    'valid-notes-refuse-their-own-cursor': refusing(notes, (seen) => asks(seen, 'cursor')),
    'valid-contacts-refuse-their-own-cursor': {
      also: ['pagination-fields-later-pages'],
      wrap: refusing(contacts, (seen) => asks(seen, 'cursor')),
    },
    'valid-companies-refuse-their-cursor-under-fields': {
      also: ['pagination-fields-later-pages'],
      wrap: refusing(companies, (seen) => asks(seen, 'cursor') && asks(seen, 'fields')),
    },
  },
  'pagination-has-more-remains': {
    'valid-companies-lose-pages-under-fields': losingPagesUnderFields(companies),
    'valid-contacts-lose-pages-under-fields': losingPagesUnderFields(contacts),
  },
  'pagination-limit-bounds': {
    'valid-keys-refuse-a-limit-of-200': {
      also: ['api-keys-list-contains', 'api-keys-revoked-unlisted'],
      wrap: refusing(keys, (seen) => seen.url.searchParams.get('limit') === '200'),
    },
    'valid-sessions-cannot-list-contacts': {
      collateral: { 'envelope-valid-served': 'sessions ask also without a limit' },
      wrap: refusing(contacts, isSession),
    },
  },
  'authentication-key-accepted': {
    'valid-a-key-dies-with-its-sibling': dyingWithSibling,
  },
  'contacts-phone-several': {
    'valid-contacts-refuse-two-phones': refusing(
      'POST /contacts',
      (seen) => {
        const { phones } = bodyOf(seen);
        return Array.isArray(phones) && phones.length > 1;
      },
      422,
    ),
  },
  'envelope-valid-served': {
    'valid-companies-refuse-fields': refusing(companies, (seen) => asks(seen, 'fields')),
  },
});
